import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './kit.ts'

const run = promisify(execFile)

let temp = ''
beforeAll(() => {
  temp = mkdtempSync(join(tmpdir(), 'ralph-demo-test-'))
})
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const ralph = (...args: string[]) =>
  run(process.execPath, [join(root, 'dist/ralph'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: temp, TMPDIR: temp, npm_config_cache: join(temp, 'npm') },
    maxBuffer: 2 ** 26,
  })

describe('the README’s first command', () => {
  test('installs the CLI, goes over a red iteration to a green one, and tells the story', async () => {
    const { stdout } = await ralph('demo')
    expect(stdout).toContain('Installing Claude Code 2.1.332')
    const red = stdout.indexOf('Verified: 4 of 5 tests pass')
    const green = stdout.indexOf('Verified: 5 of 5 tests pass')
    expect(red).toBeGreaterThan(stdout.indexOf('── Iteration 1'))
    expect(green).toBeGreaterThan(red)
    expect(stdout).toContain("Judged with the base's version of: test/cart.test.js")
    expect(stdout).toContain('STOP_REASON: SUCCESS')
    expect(stdout).toContain('| | session | turns | time | cost | verifier | change | commit |')

    const record = /^The record lies in (.+)$/m.exec(stdout)?.[1] ?? ''
    expect(existsSync(join(record, 'journal.ndjson'))).toBe(true)
    expect(readFileSync(join(record, 'summary.md'), 'utf8')).toContain('SUCCESS')

    const remote = /git --git-dir=(\S+)/.exec(stdout)?.[1] ?? ''
    const branches = execFileSync('git', ['--git-dir', remote, 'branch', '--list', 'ralph/*'], {
      encoding: 'utf8',
    })
    expect(branches).toMatch(/ralph\/make-the-failing-tests/)
  }, 120_000)

  test('without a key --live says what is missing, and wrong words get the usage', async () => {
    await expect(ralph('demo', '--live')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    await expect(ralph('demo', '--lively')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage'),
    })
    await expect(ralph('dance')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no command "dance"'),
    })
  })
})
