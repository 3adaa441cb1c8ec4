import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkClaude, installClaude } from '../../src/adapters/install.ts'

const from = fileURLToPath(new URL('../../cli', import.meta.url))
const mark = 'ralph-install-test'

let temp = ''
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'ralph-install-'))
})
afterEach(() => rmSync(temp, { recursive: true, force: true }))

const program = (name: string, text: string): string => {
  const path = join(temp, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

const binary = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`

const install = (npm: string) =>
  installClaude({
    from,
    into: join(temp, 'cache/claude'),
    environment: { PATH: process.env.PATH ?? '' },
    onProgress: () => {},
    npm,
  })

describe('installing the CLI', () => {
  test('by npm from the lockfile, without install scripts, and only once', async () => {
    const npm = program(
      'npm',
      `echo "$*" >> ${temp}/calls; ls > ${temp}/files; mkdir -p ${binary}; echo x > ${binary}/claude`,
    )
    const path = await install(npm)
    expect(path).toBe(join(temp, 'cache/claude', binary, 'claude'))
    expect(await install(npm)).toBe(path)
    expect(readFileSync(join(temp, 'calls'), 'utf8')).toMatch(/^ci --ignore-scripts [^\n]*\n$/)
    expect(readFileSync(join(temp, 'files'), 'utf8')).toBe('package-lock.json\npackage.json\n')
  })

  test('F70: npm ends well but leaves no program behind', async () => {
    await expect(install(program('npm', 'exit 0'))).rejects.toThrow(/left no Claude Code 2\.1\.332/)
    expect(readdirSync(join(temp, 'cache'))).toEqual([])
  })

  test('F70: npm fails, or cannot be run', async () => {
    await expect(install(program('npm', 'echo "npm error 404 not found"; exit 1'))).rejects.toThrow(
      /exit code 1.*404 not found/,
    )
    await expect(install(join(temp, 'no-npm'))).rejects.toThrow(/claude-path/)
    expect(existsSync(join(temp, 'cache/claude'))).toBe(false)
  })
})

describe('the version of the CLI', () => {
  const version = (text: string) =>
    checkClaude(program('claude', text), { PATH: process.env.PATH ?? '' }, join(temp, 'config'), mark)

  test('the pinned one is fine, a newer one is told, an older one is refused', async () => {
    mkdirSync(join(temp, 'config'))
    expect(await version('echo "2.1.332 (Claude Code)"')).toMatchObject({ version: '2.1.332', warnings: [] })
    expect((await version('echo "2.2.0 (Claude Code)"')).warnings).toEqual([expect.stringContaining('2.2.0')])
    await expect(version('echo "2.1.197 (Claude Code)"')).rejects.toThrow(/2\.1\.197.*2\.1\.332 or newer/)
  })

  test('F70: no program, no version, a failing program', async () => {
    await expect(checkClaude(join(temp, 'none'), {}, temp, mark)).rejects.toThrow(/no program at .*none/)
    await expect(version('echo "Error: native binary not installed" >&2; exit 1')).rejects.toThrow(
      /exit code 1/,
    )
    await expect(version('echo hello')).rejects.toThrow(/did not print a version/)
  })
})
