import { describe, expect, test } from 'vitest'
import { utc } from '../../src/core/sentences.ts'
import { calls, failed, result } from '../core/transcript.ts'
import { drive } from './drive.ts'
import { type Acted, act, bash, fixedAdd, say, session, stage, write } from './kit.ts'
import { begin, mend, stubCli, turn } from './stub-cli.ts'

const verify = 'grep -q "a + b" src/add.js'
const quick = { verify, confirmations: '1' }

const ends = (run: Pick<Acted, 'events'>) =>
  run.events.flatMap((event) => (event.type === 'session-ended' ? [event.session.end] : []))
const hour = 3_600_000
const soon = (millis: number) => Math.floor((Date.now() + millis) / 1000)

/** What the CLI prints when the API refuses for a limit. */
const limited = (resetsAt: number) => [
  begin,
  { print: { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } } },
  {
    print: result({ is_error: true, terminal_reason: 'api_error', api_error_status: 429, total_cost_usd: 0 }),
  },
  { exit: 1 },
]

describe.concurrent('keys', { timeout: 60_000 }, () => {
  test.each([
    ['blanks', '  \n', /anthropic-api-key is not set.*forks/s],
    ['the name of a variable', '$ANTHROPIC_API_KEY', /anthropic-api-key.*the name of a variable/s],
  ])(
    'F19: a key that is %s is told at once, with nothing started and no branch made',
    async (_, key, text) => {
      await using on = await stage()
      const cli = stubCli(on, { steps: [] })
      const run = await act(on, { ...quick, ...cli.inputs, 'anthropic-api-key': key })
      expect(run.outputs).toMatchObject({ 'stop-reason': 'SETUP_FAILED', success: 'false', branch: '' })
      expect(run.summary).toMatch(text)
      expect(run.log).not.toContain('retry')
      expect(cli.started()).toBe(0)
      expect(on.remoteGit('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    },
  )

  test('F19, F20: a refused key ends the run at the first session', async () => {
    await using on = await stage({ rules: [{ when: { reply: 1 }, reply: { error: 401 } }] })
    const run = await act(on, quick)
    expect(run.outputs).toMatchObject({ 'stop-reason': 'AUTH_FAILED', iterations: '0' })
    expect(run.summary).toContain('401')
    expect(on.model.requests.length).toBeLessThanOrEqual(2)
  })
})

describe.concurrent('limits', { timeout: 60_000 }, () => {
  test('F20: a limit from the second iteration on stops the run, and the first one is on the remote', async () => {
    const error = { status: 429, message: 'Slow down', headers: { 'retry-after': '100' } }
    await using on = await stage({
      sessions: [session(write('src/a.txt', 'kept\n'), say('more to do'))],
      rules: [{ when: { session: 2 }, reply: { error } }],
    })
    const run = await act(on, quick)
    expect(run.outputs).toMatchObject({ 'stop-reason': 'RATE_LIMITED', iterations: '1', 'resume-at': '' })
    expect(ends(run)).toEqual(['completed', 'rate-limited'])
    expect(on.remoteGit('show', `${run.pushed}:src/a.txt`)).toBe('kept')
    expect(run.conclusion).toBe('success')
  })

  test('F20, F21: the reset of a subscription limit is told, in UTC wherever the runner stands', async () => {
    const reset = soon(3 * hour)
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(reset),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'x-should-retry': 'false',
    }
    await using on = await stage({
      rules: [{ when: { reply: 1 }, reply: { error: { status: 429, headers } } }],
    })
    const token = {
      'anthropic-api-key': '',
      'claude-code-oauth-token': 'sk-ant-oat01-no-one-has-it-0123456789',
    }
    const run = await act(on, { ...quick, ...token }, { host: { TZ: 'America/New_York' } })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'RATE_LIMITED', iterations: '0' })
    expect(run.outputs['resume-at']).toBe(new Date(reset * 1000).toISOString())
    expect(run.summary).toContain(utc(reset * 1000))
    expect(ends(run)).toEqual(['rate-limited'])
  })

  test.each([
    ['in milliseconds', () => (soon(0) + 2) * 1000],
    ['in the past', () => soon(-hour)],
  ])('F21: a reset %s is not waited for longer than it says, and the run goes on', async (_, reset) => {
    await using on = await stage()
    const cli = stubCli(
      on,
      { steps: limited(reset()) },
      { before: mend, steps: [begin, turn(), { print: result() }] },
    )
    const run = await act(on, { ...quick, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '1' })
    expect(run.events.flatMap((event) => (event.type === 'waited' ? [event.millis < 4000] : []))).toEqual([
      true,
    ])
  })

  test('F22: two times overloaded, then an answer: a success that tells of it', async () => {
    await using on = await stage({
      sessions: [session({ error: 529, repeat: 2 }, write('src/add.js', fixedAdd), say('ok'))],
    })
    const run = await act(on, quick)
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '1' })
    expect(run.summary).toContain('repeated 2 requests that failed (last: status 529)')
  })

  test('F22: an outage that does not end: its own reason, no time lost in vain, and no iteration', async () => {
    const down = { when: { contains: 'Go on with the task now' }, reply: { error: 529 } }
    await using on = await stage({ rules: [down] })
    const { state, summary, millis } = await drive(on, quick, { millis: 30_000 })
    expect(state.stop?.reason).toBe('API_UNAVAILABLE')
    expect(state.used.iterations).toBe(0)
    expect(summary).toContain('529')
    expect(millis).toBeLessThan(30_000)
  })
})

describe.concurrent('costs and budgets', { timeout: 60_000 }, () => {
  test('F23, F24: the costs of sessions add up, and the first that crosses the budget is the last', async () => {
    await using on = await stage()
    const paid = (usd: number, file: string) => ({
      before: `echo new > ${file}`,
      steps: [begin, turn('m1'), turn('m1'), turn('m1'), { print: result({ total_cost_usd: usd }) }],
    })
    const cli = stubCli(on, paid(1, 'a.txt'), paid(1.6, 'b.txt'))
    const run = await act(on, { ...quick, ...cli.inputs, 'budget-usd': '2.50' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', iterations: '2', turns: '2' })
    expect(run.outputs['cost-usd']).toBe('2.6')
    expect(run.summary).toContain('$2.60 of $2.50 is used.')
    expect(run.conclusion).toBe('success')
    expect(run.annotations.map(({ kind }) => kind)).toEqual(['warning'])
    expect(cli.started()).toBe(2)
    expect(cli.given(2).argv.join(' ')).toContain('--max-budget-usd 0.75 ')
  })

  test('F23: a cost that was not reported is no zero: what it may have been is charged', async () => {
    await using on = await stage()
    const steps = [begin, turn(), { print: result({ total_cost_usd: undefined }) }]
    const cli = stubCli(on, { before: 'date +%N > a.txt', steps })
    const run = await act(on, { ...quick, ...cli.inputs, 'budget-usd': '0.40' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', iterations: '1' })
    expect(run.summary).toContain('not reported')
    expect(run.summary).toContain('at most $0.40')
    expect(cli.started()).toBe(1)
  })

  test('F24: the real CLI is stopped by the money of the run, with its work kept', async () => {
    const costly = { ...write('src/a.txt', 'kept\n'), usage: { input: 1000, output: 1000 } }
    const more = { ...bash('true'), usage: { input: 2_000_000, output: 1000 }, repeat: 'forever' }
    await using on = await stage({ sessions: [session(costly, more)] })
    const run = await act(on, { ...quick, 'budget-usd': '1', 'max-iterations': '1' })
    expect(ends(run)).toEqual(['usd'])
    expect(run.outputs['stop-reason']).toBe('BUDGET_EXHAUSTED')
    expect(Number(run.outputs['cost-usd'])).toBeGreaterThan(1)
    expect(on.remoteGit('show', `${run.pushed}:src/a.txt`)).toBe('kept')
    expect(on.model.requests).toHaveLength(2)
  })

  test('F24: turns over all iterations are a bound, and each session gets what is left', async () => {
    await using on = await stage()
    const steps = [
      begin,
      { print: calls('m1', 'Bash', { command: 'true' }) },
      turn('m2'),
      { print: result() },
    ]
    const cli = stubCli(on, { before: 'date +%N > a.txt', steps })
    const run = await act(on, { ...quick, ...cli.inputs, 'budget-turns': '5', 'max-turns': '4' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'BUDGET_EXHAUSTED', turns: '4', iterations: '2' })
    expect(run.summary).toContain('4 of 5 turns are used, and what is left is too few for a session.')
    expect(cli.given(1).argv.join(' ')).toContain('--max-turns 4 ')
    expect(cli.given(2).argv.join(' ')).toContain('--max-turns 3 ')
    expect(cli.given(2).stdin).toContain('The whole run has left: 9 iterations, 3 turns')
  })

  test('F24: minutes are a bound: no session starts that does not fit, and none goes on past them', async () => {
    await using on = await stage()
    const cli = stubCli(on, { before: 'echo kept > a.txt', steps: [begin, turn(), { sleep: 60_000 }] })
    const { state, summary } = await drive(on, { ...quick, ...cli.inputs }, { millis: 20_000 })
    expect(state.stop).toMatchObject({ reason: 'BUDGET_EXHAUSTED', bound: 'minutes' })
    expect(state.rows.map((row) => row.session?.end)).toEqual(['minutes'])
    expect(state.limits?.millis).toBeLessThan(10_000)
    expect(state.session?.millis).toBeLessThan(15_000)
    expect(on.remoteGit('show', `${state.pushed}:a.txt`)).toBe('kept')
    expect(summary).toContain('time limit')
    expect(cli.started()).toBe(1)
  })

  test('F24: a green verdict in the session that crosses the budget is a success', async () => {
    await using on = await stage()
    const over = failed('error_max_budget_usd', 'budget_exhausted', { total_cost_usd: 1.2 })
    const cli = stubCli(on, { before: mend, steps: [begin, turn(), { print: over }, { exit: 1 }] })
    const run = await act(on, { ...quick, ...cli.inputs, 'budget-usd': '1', 'max-iterations': '1' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', 'cost-usd': '1.2' })
  })

  test('F24: what is no budget is refused, all at once, each by its name', async () => {
    await using on = await stage()
    const values = {
      'max-iterations': '0',
      'max-turns': '-1',
      'budget-turns': 'abc',
      'budget-usd': '1,5',
      'budget-minutes': '0',
    }
    const run = await act(on, { ...quick, ...values })
    expect(run.outputs['stop-reason']).toBe('SETUP_FAILED')
    for (const name of Object.keys(values)) expect(run.summary, name).toContain(`${name} is`)
    expect(on.model.requests).toEqual([])
  })
})
