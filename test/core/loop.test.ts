import { describe, expect, test } from 'vitest'
import {
  after,
  aVerdict,
  baseline,
  begun,
  confirmed,
  decided,
  iteration,
  judged,
  outcome,
  pushed,
  saved,
  started,
  unchanged,
  worked,
} from './history.ts'

const red = aVerdict('fail')
const green = aVerdict('pass')
const broken = aVerdict('broken', { cause: 'timeout', exitCode: null })
const bounds = (more: object) => ({
  bounds: {
    iterations: 10,
    turnsPerIteration: 40,
    turns: 400,
    usd: 5,
    usdEnforced: true,
    millis: 3_600_000,
    ...more,
  },
})
const done = {
  text: '---RALPH_STATUS---\nSTATUS: COMPLETE\nREMAINING: none\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---',
}

describe('before any money is spent', () => {
  test('the base is judged first', () => expect(outcome(started())).toBe('judge-baseline'))
  test('a base that cannot be judged ends the run', () =>
    expect(outcome(started(), baseline(broken))).toBe('VERIFIER_BROKEN'))
  test('F11: a green base with the goal green is nothing to do', () =>
    expect(outcome(started({ goal: 'green' }), baseline(green))).toBe('NOTHING_TO_DO'))
  test('a green base with the goal auto means that something is to change', () => {
    expect(outcome(started(), baseline(green))).toBe('begin')
    expect(after(started(), baseline(green)).goal).toBe('change')
  })
  test('a dry run starts no session', () =>
    expect(outcome(started({ dryRun: true }), baseline(red))).toBe('NOTHING_TO_DO'))
  test('a branch that holds work is judged before a session is started', () => {
    const more = started({ tip: 'tip', ahead: 2 })
    expect(outcome(more, baseline(red))).toBe('checkpoint')
    expect(outcome(more, baseline(red), unchanged('tip-tree'))).toBe('push')
    expect(outcome(more, baseline(red), unchanged('tip-tree'), { type: 'pushed', sha: 'tip' })).toBe('judge')
  })
})

describe('one iteration', () => {
  test('goes begin, session, checkpoint, push, judge', () => {
    const steps = iteration(1, 't1', red)
    const seen = steps.map((_, index) => outcome(started(), baseline(red), ...steps.slice(0, index)))
    expect(seen).toEqual(['begin', 'session', 'checkpoint', 'push', 'judge'])
  })
  test('a red verdict leads to the next one', () => {
    const decision = decided(started(), baseline(red), iteration(1, 't1', red))
    expect(decision).toMatchObject({ do: 'begin', iteration: 2, attempt: 1 })
  })
  test('nothing is pushed when there is no remote, nor when there is no commit', () => {
    expect(outcome(started({ remote: false }), baseline(red), begun(1), worked(), saved('t1'))).toBe('judge')
    expect(outcome(started(), baseline(red), begun(1), worked(), unchanged('base-tree'))).toBe('begin')
  })
  test('a tree that was judged before is not judged again', () => {
    expect(
      outcome(started(), baseline(red), iteration(1, 't1', red), begun(2), worked(), unchanged('t1')),
    ).toBe('begin')
  })
})

describe('success', () => {
  const firstPass = [started(), baseline(red), iteration(1, 't1', green)].flat()
  test('needs confirmations, the last from the pristine copy', () => {
    expect(decided(...firstPass)).toEqual({ do: 'judge', purpose: 'confirm', pristine: false })
    expect(decided(...firstPass, confirmed('t1', green))).toEqual({
      do: 'judge',
      purpose: 'confirm',
      pristine: true,
    })
    expect(outcome(...firstPass, confirmed('t1', green), confirmed('t1', green, true))).toBe('SUCCESS')
  })
  test('one red among the confirmations is a fail, marked flaky', () => {
    const flaky = [...firstPass, confirmed('t1', green), confirmed('t1', red, true)]
    expect(outcome(...flaky)).toBe('begin')
    expect(after(...flaky).known.get('t1')).toMatchObject({ passes: 0, flaky: true })
  })
  test('`auto` takes only the clean one when time is short', () => {
    const slow = aVerdict('pass', { millis: 1_500_000 })
    const first = [started({ confirmations: 'auto' }), baseline(red), iteration(1, 't1', slow)].flat()
    expect(decided(...first)).toEqual({ do: 'judge', purpose: 'confirm', pristine: true })
    expect(outcome(...first, confirmed('t1', slow, true))).toBe('SUCCESS')
  })
  test('a single confirmation is the first verification itself', () =>
    expect(outcome(started({ confirmations: 1 }), baseline(red), iteration(1, 't1', green))).toBe('SUCCESS'))
  test('is asked before every limit', () => {
    const tight = started({
      confirmations: 1,
      ...bounds({ iterations: 1, turns: 1, usd: 0.1, turnsPerIteration: 1 }),
    })
    expect(
      outcome(tight, baseline(red), iteration(1, 't1', green, { end: 'usd', costUsd: 9, turns: 9 })),
    ).toBe('SUCCESS')
  })
  test('the tip becomes J when J differs from the candidate', () => {
    const differs = [
      started({ confirmations: 1 }),
      baseline(red),
      begun(1),
      worked(),
      saved('t1', { judgeTree: 'j1', restored: ['test/a.test.js'] }),
      pushed('t1'),
      judged('j1', green),
    ]
    expect(outcome(...differs)).toBe('seal')
    const sealed = [...differs, { type: 'sealed', commit: 'seal', tree: 'j1' } as const]
    expect(decided(...sealed)).toEqual({ do: 'push', sha: 'seal' })
    expect(outcome(...sealed, { type: 'pushed', sha: 'seal' })).toBe('SUCCESS')
  })
  test('F10: no word of the agent is a success while the verifier is red', () =>
    expect(outcome(started(), baseline(red), iteration(1, 't1', red, done))).toBe('begin'))
  test('with a green base a diff and the completion hint are needed beside the pass', () => {
    const one = started({ confirmations: 1 })
    expect(outcome(one, baseline(green), iteration(1, 't1', green))).toBe('begin')
    expect(outcome(one, baseline(green), iteration(1, 't1', green, done))).toBe('SUCCESS')
    expect(outcome(one, baseline(green), begun(1), worked(done), unchanged('base-tree'))).toBe('begin')
  })
  test('an agent that says twice that nothing is to be done is believed on a green base', () => {
    const nothing = (n: number) => [begun(n), worked(done), unchanged('base-tree')]
    expect(outcome(started(), baseline(green), nothing(1), nothing(2))).toBe('NOTHING_TO_DO')
  })
})

describe('bounds', () => {
  test('F24: a cost above the budget ends the run before the next iteration', () => {
    const decision = decided(
      started(bounds({ usd: 1 })),
      baseline(red),
      iteration(1, 't1', red, { costUsd: 1.2 }),
    )
    expect(decision).toMatchObject({ do: 'stop', stop: { reason: 'BUDGET_EXHAUSTED', bound: 'usd' } })
  })
  test('iterations, turns and minutes are bounds as well', () => {
    const bound = (more: object, session = {}) => {
      const decision = decided(started(bounds(more)), baseline(red), iteration(1, 't1', red, session))
      return decision.do === 'stop' ? decision.stop.bound : decision.do
    }
    expect(bound({ iterations: 1 })).toBe('iterations')
    expect(bound({ turns: 5 })).toBe('turns')
    expect(bound({ millis: 12_000 })).toBe('minutes')
    expect(bound({})).toBe('begin')
  })
  test('with a subscription token cost is no bound', () => {
    const free = started(bounds({ usd: 1, usdEnforced: false }))
    expect(outcome(free, baseline(red), iteration(1, 't1', red, { costUsd: 7 }))).toBe('begin')
  })
  test('a session gets what is left of the turns, and at most half of the money while others may follow', () => {
    const decision = decided(
      started(bounds({ turns: 45 })),
      baseline(red),
      iteration(1, 't1', red, { costUsd: 1, turns: 40 }),
    )
    expect(decision).toMatchObject({ do: 'begin', limits: { turns: 5, usd: 2 } })
  })
  test('F23: a session that reported no cost is charged its limit', () => {
    const state = after(started(), baseline(red), iteration(1, 't1', red, { end: 'crashed', costUsd: null }))
    expect(state.used).toMatchObject({ usd: 0, usdAtMost: 2.5 })
  })
})

describe('progress', () => {
  const idle = (n: number, tree: string) => [begun(n), worked(), unchanged(tree)]
  test('F8: two iterations in a row without a diff stop the run and name the denied tools', () => {
    const denials = [{ tool: 'Write', input: 'src/a.js' }]
    const decision = decided(
      started(),
      baseline(red),
      [begun(1), worked({ denials }), unchanged('base-tree')],
      idle(2, 'base-tree'),
    )
    expect(decision).toMatchObject({ do: 'stop', stop: { reason: 'NO_PROGRESS' } })
    expect(JSON.stringify(decision)).toContain('Write')
  })
  test('one empty iteration is only flagged', () =>
    expect(
      outcome(started(), baseline(red), idle(1, 'base-tree'), iteration(2, 't2', red), idle(3, 't2')),
    ).toBe('begin'))
  test('F17: the same failure three times in a row stops it, another failure in between does not', () => {
    const other = aVerdict('fail', { signature: 'subtracts: expected 1' })
    const three = [iteration(1, 't1', red), iteration(2, 't2', red), iteration(3, 't3', red)]
    expect(outcome(started(), baseline(red), ...three)).toBe('REPEATED_FAILURE')
    expect(
      outcome(
        started(),
        baseline(red),
        iteration(1, 't1', red),
        iteration(2, 't2', other),
        iteration(3, 't3', red),
      ),
    ).toBe('begin')
  })
  test('F17: a gain with the same signature is progress', () => {
    const failed = (n: number) =>
      aVerdict('fail', { tests: { passed: 9 - n, failed: n, skipped: 0, total: 9 } })
    const falling = [5, 4, 3, 2].map((n, index) => iteration(index + 1, `t${index}`, failed(n)))
    expect(outcome(started(), baseline(failed(6)), ...falling)).toBe('begin')
  })
  test('F17: two states in turn stop by the fourth iteration', () => {
    const a = aVerdict('fail', { signature: 'a' })
    const b = aVerdict('fail', { signature: 'b' })
    const turns = [
      iteration(1, 'A', a),
      iteration(2, 'B', b),
      [begun(3), worked(), saved('A'), pushed('A')],
      [begun(4), worked(), saved('B'), pushed('B')],
    ]
    expect(outcome(started(), baseline(red), ...turns.slice(0, 3))).toBe('begin')
    expect(outcome(started(), baseline(red), ...turns)).toBe('NO_PROGRESS')
  })
  test('the agent asks for a person', () => {
    const text =
      '---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nBLOCKED: which of the two APIs?\n---END_RALPH_STATUS---'
    const decision = decided(started(), baseline(red), iteration(1, 't1', red, { text }))
    expect(decision).toMatchObject({ do: 'stop', stop: { reason: 'BLOCKED' } })
    expect(JSON.stringify(decision)).toContain('which of the two APIs?')
  })
})

describe('sessions that fail', () => {
  const failing = (end: 'crashed' | 'stalled' | 'unavailable', n = 1, attempt = 1) => [
    begun(n, attempt),
    worked({ end, costUsd: null, turns: 0 }),
    unchanged('base-tree'),
  ]
  test('a crash gets one fresh session in its place, and counts as no iteration', () => {
    expect(decided(started(), baseline(red), failing('crashed'))).toMatchObject({
      do: 'begin',
      iteration: 1,
      attempt: 2,
    })
    expect(outcome(started(), baseline(red), failing('crashed'), failing('stalled', 1, 2))).toBe(
      'AGENT_FAILED',
    )
  })
  test('F4, F5: work of a session without a result is judged all the same', () => {
    const crashed = [begun(1), worked({ end: 'crashed', costUsd: null }), saved('t1'), pushed('t1')]
    expect(outcome(started({ confirmations: 1 }), baseline(red), ...crashed)).toBe('judge')
    expect(outcome(started({ confirmations: 1 }), baseline(red), ...crashed, judged('t1', green))).toBe(
      'SUCCESS',
    )
  })
  test('F22: an outage is waited out twice, then ends the run', () => {
    const waited = { type: 'waited', millis: 30_000, why: '529' } as const
    expect(decided(started(), baseline(red), failing('unavailable'))).toMatchObject({
      do: 'wait',
      millis: 30_000,
    })
    expect(outcome(started(), baseline(red), failing('unavailable'), waited)).toBe('begin')
    const twice = [failing('unavailable'), waited, failing('unavailable', 1, 2)].flat()
    expect(decided(started(), baseline(red), ...twice)).toMatchObject({ do: 'wait', millis: 60_000 })
    expect(outcome(started(), baseline(red), ...twice, waited, failing('unavailable', 1, 3))).toBe(
      'API_UNAVAILABLE',
    )
    expect(after(started(), baseline(red), ...twice).used.iterations).toBe(0)
  })
  test('F20: a rate limit without a near reset ends the run with what is known', () => {
    const limited = (resetAt: number | null) =>
      decided(
        started(),
        baseline(red),
        begun(1),
        worked({ end: 'rate-limited', resetAt, costUsd: null, turns: 0 }),
        unchanged('base-tree'),
      )
    expect(limited(null)).toMatchObject({ do: 'stop', stop: { reason: 'RATE_LIMITED' } })
    expect(limited(1_700_000_000_000 + 3 * 3_600_000)).toMatchObject({
      stop: { reason: 'RATE_LIMITED', resumeAt: 1_700_000_000_000 + 3 * 3_600_000 },
    })
    expect(limited(1_700_000_000_000 + 120_000)).toMatchObject({ do: 'wait' })
  })
  test('a refused credential ends the run at once, a planned end does not', () => {
    const ended = (end: 'auth' | 'turns' | 'usd' | 'context' | 'refused') =>
      outcome(started(), baseline(red), begun(1), worked({ end }), unchanged('base-tree'))
    expect(ended('auth')).toBe('AUTH_FAILED')
    expect(ended('refused')).toBe('SETUP_FAILED')
    expect([ended('turns'), ended('usd'), ended('context')]).toEqual(['begin', 'begin', 'begin'])
  })
})

describe('other ends', () => {
  test('a refused push ends the run before anything more is judged or spent', () => {
    const failed = {
      type: 'push-failed',
      why: 'rules',
      text: 'GH013: rule violations.',
      bundle: 'work.bundle',
    } as const
    const decision = decided(started(), baseline(red), begun(1), worked(), saved('t1'), failed)
    expect(decision).toMatchObject({ do: 'stop', stop: { reason: 'PUSH_FAILED' } })
  })
  test('a cancel outranks everything but what has already failed', () =>
    expect(
      outcome(started(), baseline(red), iteration(1, 't1', green), { type: 'cancelled', signal: 'SIGINT' }),
    ).toBe('CANCELLED'))
  test('broken in the middle of a run', () =>
    expect(outcome(started(), baseline(red), iteration(1, 't1', broken))).toBe('VERIFIER_BROKEN'))
  test('a failure of ours has its own reason', () =>
    expect(outcome(started(), { type: 'failed', reason: 'CHANGE_REFUSED', text: 'too many files' })).toBe(
      'CHANGE_REFUSED',
    ))
  test('a failure before the run is known', () =>
    expect(outcome({ type: 'failed', reason: 'SETUP_FAILED', text: 'verify is not set' })).toBe(
      'SETUP_FAILED',
    ))
})
