// @ts-check
// Builds the two bundles from src/: tsc to build/, then ncc. Same sources, same bytes, wherever it runs.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (/** @type {string} */ bin, /** @type {string[]} */ ...args) =>
  execFileSync(process.execPath, [`${root}node_modules/${bin}`, ...args], { cwd: root, stdio: 'inherit' })

rmSync(`${root}build`, { recursive: true, force: true })
run('typescript/bin/tsc', '-p', 'tsconfig.build.json')
rmSync(`${root}dist`, { recursive: true, force: true })
run(
  '@vercel/ncc/dist/ncc/cli.js',
  'build',
  'build/entry/main.js',
  '-m',
  '-q',
  '-o',
  'dist/ralph',
  '--license',
  'licenses.txt',
)
run('@vercel/ncc/dist/ncc/cli.js', 'build', 'build/entry/hook.js', '-m', '-q', '-o', 'dist/hook')
