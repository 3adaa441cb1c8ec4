import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { act, bash, claudePath, fixedAdd, say, session, stage, status, write } from './kit.ts'

const redThenGreen = [
  session(
    write('src/add.js', 'export const add = (a, b) => a * b\n'),
    say('All done, everything passes. COMPLETE'),
  ),
  session(write('src/add.js', fixedAdd), bash('node --test'), say(status({ complete: true }))),
]

describe('the action, from the committed bundle', () => {
  test('goes over a red iteration to a green one, and pushes exactly what was judged', async () => {
    await using on = await stage({ sessions: redThenGreen })
    const run = await act(on)

    expect(run.outputs).toMatchObject({
      success: 'true',
      'stop-reason': 'SUCCESS',
      iterations: '2',
      verdict: 'pass',
      'tests-passed': '2',
      'tests-total': '2',
    })
    expect(run.conclusion).toBe('success')
    expect(run.outputs['head-sha']).toBe(run.pushed)
    expect(run.outputs.branch).toMatch(/^ralph\/make-the-tests-pass-[0-9a-f]{6}$/)
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(fixedAdd.trim())
    expect(on.remoteGit('rev-list', '--count', `main..${run.pushed}`)).toBe('2')
    expect(on.remoteGit('log', '-1', '--format=%an <%ae>', run.pushed)).toBe(
      'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>',
    )
    expect(on.remoteGit('rev-parse', 'main')).toBe(on.git('rev-parse', 'HEAD'))

    const judged = run.events.filter((event) => event.type === 'judged')
    expect(judged.map((event) => [event.purpose, event.verdict.kind, event.pristine])).toEqual([
      ['verify', 'fail', false],
      ['verify', 'pass', false],
      ['confirm', 'pass', true],
    ])
    expect(on.remoteGit('rev-parse', `${run.pushed}^{tree}`)).toBe(judged.at(-1)?.tree)
  })

  test('tells in summary, annotations and record what happened, and uploads the record', async () => {
    await using on = await stage({ sessions: redThenGreen })
    const run = await act(on)
    expect(run.summary).toContain('SUCCESS')
    expect(run.summary).toContain('Claude Code 2.1.332')
    expect(run.annotations).toEqual([])
    expect(run.uploads).toEqual([
      expect.objectContaining({ name: expect.stringMatching(/^ralph-record-/), path: run.record }),
    ])
    for (const file of ['journal.ndjson', 'summary.md', 'summary.json', 'logs/verify-1.log']) {
      expect(existsSync(join(run.record, file)), file).toBe(true)
    }
    expect(JSON.parse(readFileSync(join(run.record, 'summary.json'), 'utf8'))).toMatchObject({
      schema: 1,
      stopReason: 'SUCCESS',
    })
    expect(run.log).toContain('STOP_REASON: SUCCESS')
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
  })

  test('the second session is told what failed, first the names', async () => {
    await using on = await stage({ sessions: redThenGreen })
    await act(on)
    const second = on.model.requests.find((request) => request.session === 2)
    const prompt = JSON.stringify(second?.body)
    expect(prompt).toContain('This is iteration 2 of at most 10')
    expect(prompt).toContain('adds nothing')
    expect(prompt.indexOf('adds nothing')).toBeLessThan(prompt.indexOf('AssertionError'))
  })

  test('the key and the token stand in no environment, command line or file that the agent can read', async () => {
    const token = 'ghs_onlyThisTestHasThisToken0123456789abcd'
    // The bracket keeps the pattern from finding itself in its own command line.
    const key = 'sk-ant-api03-only-this-test-has-this-key-0123456789'
    const pattern = 'only-this-test-has-this-ke[y]|onlyThisTestHasThisToke[n]'
    const sweep = `for p in /proc/[0-9]*; do cat $p/environ $p/cmdline 2>/dev/null; done | tr '\\0' '\\n' | cat - .git/config | command grep -cE '${pattern}' > result.txt || true`
    await using on = await stage({
      sessions: [session(bash(sweep), write('src/add.js', fixedAdd), say('ok'))],
    })
    const run = await act(on, {
      'anthropic-api-key': key,
      'github-token': token,
      verify: 'node --test && ! env | grep -E "sk-ant|ghs_"',
    })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    expect(on.remoteGit('show', `${run.pushed}:result.txt`)).toBe('0')
  })
})

describe('setup', () => {
  test('every wrong input is told at once, nothing is started, and the run says so', async () => {
    await using on = await stage()
    const run = await act(on, {
      'max-iteration': '3',
      'budget-usd': 'abc',
      'anthropic-api-key': '  ',
      verify: '',
    })
    expect(run.outputs).toMatchObject({ success: 'false', 'stop-reason': 'SETUP_FAILED', branch: '' })
    expect(run.conclusion).toBe('failure')
    for (const name of ['max-iteration', 'budget-usd', 'anthropic-api-key', 'verify'])
      expect(run.summary).toContain(name)
    expect(run.summary).toContain('max-iterations')
    expect(on.model.requests).toEqual([])
    expect(run.step('loop').outcome).toBe('skipped')
    expect(run.pushed).toBe('')
  })

  test('F19: an empty key is told in seconds, with what forks get', async () => {
    await using on = await stage()
    const run = await act(on, { 'anthropic-api-key': '' })
    expect(run.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(run.summary).toContain('anthropic-api-key')
    expect(run.summary).toContain('forks')
  })

  test('F70: a path without a program, and a program that is no Claude Code', async () => {
    await using on = await stage()
    const missing = await act(on, { 'claude-path': '/nowhere/claude' })
    expect(missing.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(missing.summary).toContain('/nowhere/claude')
    const other = await act(on, { 'claude-path': process.execPath })
    expect(other.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(other.summary).toContain('2.1.332')
    expect(existsSync(claudePath)).toBe(true)
  })

  test('a verifier that cannot run on the base ends the run before a session', async () => {
    await using on = await stage()
    const run = await act(on, { verify: 'no-such-command --test' })
    expect(run.outputs['stop-reason']).toBe('VERIFIER_BROKEN')
    expect(on.model.requests).toEqual([])
  })

  test('F34: the default branch is refused as the branch of the work', async () => {
    await using on = await stage()
    const run = await act(on, { branch: 'MAIN' })
    expect(run.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(run.summary).toContain('branch')
    expect(on.model.requests).toEqual([])
  })

  test('a dry run judges the base and starts no session', async () => {
    await using on = await stage()
    const run = await act(on, { 'dry-run': 'true' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'NOTHING_TO_DO', verdict: 'fail' })
    expect(on.model.requests).toEqual([])
    expect(run.pushed).toBe('')
  })
})
