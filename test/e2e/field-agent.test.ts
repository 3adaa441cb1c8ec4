import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failed, result, says } from '../core/transcript.ts'
import { type Acted, act, bash, fixedAdd, redFiles, say, session, stage, status, write } from './kit.ts'
import { begin, mend, stubCli, turn } from './stub-cli.ts'

/** Red on the base; green when the sum is right. */
const verify = 'grep -q "a + b" src/add.js'
const quick = { verify, confirmations: '1' }
const once = { ...quick, 'max-iterations': '1' }
const greenFiles = { ...redFiles, 'src/add.js': fixedAdd }

const ends = (run: Acted) =>
  run.events.flatMap((event) => (event.type === 'session-ended' ? [event.session.end] : []))
const verdicts = (run: Acted) =>
  run.events.flatMap((event) => (event.type === 'judged' ? [event.verdict.kind] : []))
const count = (text: string, part: string) => text.split(part).length - 1

describe('what the agent process says', { timeout: 60_000 }, () => {
  test('F1: a turn limit is told as one, although there is no error text and the words are of a login', async () => {
    await using on = await stage()
    const limit = failed('error_max_turns', 'max_turns', { num_turns: 11, errors: [] })
    const cli = stubCli(on, {
      steps: [begin, turn(), { stderr: 'run claude setup-token' }, { print: limit }, { exit: 1 }],
    })
    const run = await act(on, { ...once, ...cli.inputs, 'max-turns': '10' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', iterations: '1', verdict: 'fail' })
    expect(ends(run)).toEqual(['turns'])
    expect(verdicts(run).length + run.events.filter(({ type }) => type === 'checkpointed').length).toBe(1)
    expect(run.log).toContain('10-turn limit')
    expect(run.summary).toContain('turn limit')
    expect(run.log + run.summary).not.toMatch(/AUTH_FAILED|setup-token/)
  })

  test('F2, F3: what a session did before its turn limit is on the remote, and turns are replies', async () => {
    const busy = Array.from({ length: 5 }, () => bash('true'))
    await using on = await stage({ sessions: [session(write('src/a.txt', 'kept\n'), ...busy)] })
    const run = await act(on, { ...once, 'max-turns': '2' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', turns: '2', verdict: 'fail' })
    expect(on.remoteGit('show', `${run.pushed}:src/a.txt`)).toBe('kept')
    expect(run.outputs['head-sha']).toBe(run.pushed)
    expect(run.summary).toMatch(/turn limit \| 2 \|.*🔴.*\b1.file\b/)
    expect(verdicts(run)).toEqual(['fail'])
  })

  test('F2: what a killed session did is on the remote before a fresh one takes its place', async () => {
    await using on = await stage({
      sessions: [
        session(write('src/a.txt', 'kept\n'), bash('kill -9 $CLAUDE_PID')),
        session(write('src/add.js', fixedAdd), say('ok')),
      ],
    })
    const run = await act(on, { ...quick, 'max-iterations': '2' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '1' })
    expect(ends(run)).toEqual(['crashed', 'completed'])
    const saved = run.events.filter(({ type }) => type === 'pushed')
    expect(saved).toHaveLength(2)
    expect(on.remoteGit('show', `${run.pushed}~1:src/a.txt`)).toBe('kept')
    expect(run.summary).toMatch(/crashed.*not reported/)
    expect(run.summary).toContain('at most')
  })

  test('F3: a cap of one turn is refused; a CLI that goes past its cap is ended, and that is no success', async () => {
    await using on = await stage()
    const cli = stubCli(on, { steps: [begin, { turns: null, every: 200 }] })
    const refused = await act(on, { ...cli.inputs, 'max-turns': '1' })
    expect(refused.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(refused.summary).toContain('max-turns')
    expect(cli.started()).toBe(0)
    const run = await act(on, { ...once, ...cli.inputs, 'max-turns': '5' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', success: 'false' })
    expect(Number(run.outputs.turns)).toBeLessThanOrEqual(8)
    expect(ends(run)).toEqual(['turns'])
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
  })

  test.each([
    [
      'an error flag beats exit status 0',
      [begin, turn(), { print: result({ is_error: true }) }, { exit: 0 }],
    ],
    ['no output at all is no success', [{ exit: 0 }]],
  ] as const)('F4: %s, nor is it a second time', async (_, steps) => {
    await using on = await stage()
    const cli = stubCli(on, { steps })
    const run = await act(on, { ...quick, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'AGENT_FAILED', success: 'false', iterations: '0' })
    expect(run.conclusion).toBe('failure')
    expect(cli.started()).toBe(2)
    expect(ends(run)).toEqual(['crashed', 'crashed'])
  })

  test('F4, F5: a success, then a bogus result and exit status 1: the verifier decides, and a warning is given', async () => {
    await using on = await stage()
    const real = { print: result({ num_turns: 12, total_cost_usd: 1.2 }) }
    const bogus = { print: failed('error_during_execution', 'x', { num_turns: 0, total_cost_usd: 0 }) }
    const cli = stubCli(on, { before: mend, steps: [begin, turn(), real, bogus, { exit: 1 }] })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', 'cost-usd': '1.2' })
    expect(run.summary).toContain('reported success and then failed (exit status 1)')
    expect(run.summary).toContain('a further result after the first')
  })

  test('F5: no result: the cost is not reported, the work is judged all the same', async () => {
    await using on = await stage()
    const cli = stubCli(on, { before: mend, steps: [begin, turn(), { exit: 0 }] })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(ends(run)).toEqual(['crashed'])
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    expect(run.summary).toContain('not reported')
    expect(run.summary).toContain('at most $5.00')
  })

  test('F5: an empty result text is put together again from the stream', async () => {
    await using on = await stage({ files: greenFiles })
    const [first, second] = [status({ complete: true }).slice(0, 40), status({ complete: true }).slice(40)]
    const cli = stubCli(on, {
      before: 'echo new > src/b.txt',
      steps: [
        begin,
        { print: says('m1', first) },
        { print: says('m1', second) },
        { print: result({ result: '' }) },
      ],
    })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
  })

  test('F6: an event of 8 MB, and one whose characters come in halves: every character arrives', async () => {
    await using on = await stage()
    const why = `choose ${'中😀é'.repeat(50)}`
    const cli = stubCli(on, {
      steps: [
        begin,
        { print: says('m1', 'a中b😀'.repeat(750_000)), pieces: 4096 },
        { print: says('m2', status({ blocked: why })), pieces: 1 },
        { print: result({ result: '' }) },
      ],
    })
    const run = await act(on, { ...quick, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BLOCKED', turns: '2' })
    expect(run.summary).toContain(why)
    expect(run.summary + run.log).not.toContain('\ufffd')
  })

  test('F7: noise, empty lines, unknown events, CRLF and an array are no failure, and the noise is told once', async () => {
    await using on = await stage()
    const cli = stubCli(on, {
      before: mend,
      steps: [
        { print: 'npm warn old lockfile' },
        { raw: '\r\n' },
        begin,
        { print: { type: 'brand_new', data: {} } },
        { raw: `${JSON.stringify(says('m1', 'x'))}\r\n` },
        { raw: `${JSON.stringify([says('m2', 'y'), result()])}\r\n` },
      ],
    })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', turns: '2', 'cost-usd': '0.25' })
    expect(count(run.step('loop').log, 'npm warn old lockfile')).toBe(1)
  })

  test('F8: denied calls and no change: the run stops after two, names the tools, and is no success', async () => {
    const nothing = session(write('.github/workflows/x.yml', 'on: push\n'), bash('make it so'), say('Done.'))
    await using on = await stage({ sessions: [nothing, nothing, nothing] })
    const run = await act(on, { ...quick, 'allowed-tools': 'Edit(./**)' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'NO_PROGRESS', iterations: '2', success: 'false' })
    expect(run.summary).toContain('Denied tools: Write, Bash.')
    expect(run.summary).toContain('make it so')
    expect(run.pushed).toBe('')
    const told = on.model.requests.find((request) => request.session === 2)
    expect(JSON.stringify(told?.body)).toContain('These calls were denied')
  })

  test('F8: a session without a turn on a green base is told as that, and nothing is pushed', async () => {
    await using on = await stage({ files: greenFiles })
    const cli = stubCli(on, {
      steps: [begin, { print: result({ num_turns: 0, result: '', total_cost_usd: 0 }) }],
    })
    const run = await act(on, { ...quick, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'NO_PROGRESS', branch: '', 'head-sha': '' })
    expect(run.summary).toContain('made no turn')
    expect(run.pushed).toBe('')
  })

  test('F9: what the agent claims to have pushed stands nowhere, nor does what somebody else pushed', async () => {
    const claim = 'Fixed. I pushed commit 1a2b3c4 to origin.'
    await using on = await stage({
      sessions: [session(bash('node -e "setTimeout(() => {}, 700)"'), say(claim))],
    })
    let theirs = ''
    const person = () => {
      theirs = on.remoteGit('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'by a person')
      on.remoteGit('update-ref', 'refs/heads/ralph/fix', theirs)
    }
    const observe = {
      line: (step: { id: string }, line: string) =>
        void (step.id === 'loop' && theirs === '' && line.includes('turn 1: Bash') && person()),
    }
    const run = await act(on, { ...once, branch: 'ralph/fix' }, { observe })
    expect(run.pushed).toBe(theirs)
    expect(run.outputs).toMatchObject({ branch: '', 'head-sha': '', verdict: 'fail' })
    expect(run.summary).not.toContain('1a2b3c4')
    expect(run.summary).not.toContain(theirs.slice(0, 7))
    const json = JSON.parse(readFileSync(join(run.record, 'summary.json'), 'utf8'))
    expect(json).toMatchObject({ head: null, pushed: null })
  })
})

describe("the verifier's word", { timeout: 60_000 }, () => {
  test('F10: words of completion end nothing: a red verifier starts the next iteration', async () => {
    const done = 'implementation complete, done, finished. COMPLETE\n'
    await using on = await stage({
      sessions: [
        session(write('CHANGELOG.md', done), say(`EXIT_SIGNAL: true ${done}${status({ complete: true })}`)),
        session(write('src/add.js', fixedAdd), say('still at it, not finished')),
      ],
    })
    const run = await act(on, { ...quick, 'max-iterations': '3' })
    expect(verdicts(run)).toEqual(['fail', 'pass'])
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '2' })
  })

  test('F11: the first green verdict ends the run, and a green base costs nothing', async () => {
    await using on = await stage()
    const cli = stubCli(on, {
      before: mend,
      steps: [begin, turn('m1', ' '), { print: result({ result: '' }) }],
    })
    const run = await act(on, { ...quick, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '1' })
    expect(cli.started()).toBe(1)
    await using green = await stage({ files: greenFiles })
    const idle = await act(green, { ...quick, goal: 'green' })
    expect(idle.outputs).toMatchObject({ 'stop-reason': 'NOTHING_TO_DO', success: 'false', iterations: '0' })
    expect(idle.conclusion).toBe('success')
    expect(green.model.requests).toEqual([])
  })
})
