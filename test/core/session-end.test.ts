import { describe, expect, it } from 'vitest'
import { following } from './heard-session.ts'
import {
  answered,
  apiError,
  apiFailure,
  calls,
  deniedCall,
  failed,
  result,
  retry,
  says,
} from './transcript.ts'

const failing = { exitCode: 1 }

describe('a session that completed', () => {
  it('is told whole', () => {
    const session = following([
      calls('m1', 'Bash', { command: 'ls' }),
      answered(),
      says('m2', 'Done.'),
      result(),
    ])
    expect(session).toEqual({
      end: 'completed',
      detail: 'It ended by itself after 2 turns.',
      turns: 2,
      costUsd: 0.25,
      millis: 1235,
      contextFill: 21_500 / 200_000,
      denials: [],
      text: 'Done.',
      resetAt: null,
      warnings: [],
      model: 'claude-opus-5-5',
    })
  })

  it('F4: a failing exit after a success is a warning', () => {
    const session = following([says('m1', 'x'), result()], failing)
    expect(session.end).toBe('completed')
    expect(session.warnings).toEqual(['The CLI reported success and then failed (exit status 1).'])
  })

  it.each([
    ['is_error beats exit status 0', { is_error: true }],
    ['no is_error is an error', { is_error: undefined }],
    ['ended by a hook', { terminal_reason: 'hook_stopped' }],
    ['ended before it was done', { terminal_reason: 'tool_deferred' }],
    ['no reason told', { terminal_reason: undefined }],
  ])('F4, D12: %s', (_, more) => {
    expect(following([says('m1', 'x'), result(more)])).toMatchObject({ end: 'crashed' })
  })

  it('F5: a bogus result after the real one is a warning', () => {
    const bogus = failed('error_during_execution', 'api_error', { num_turns: 0, total_cost_usd: 0 })
    const session = following([says('m1', 'x'), result({ num_turns: 12, total_cost_usd: 1.2 }), bogus])
    expect(session).toMatchObject({ end: 'completed', costUsd: 1.2 })
    expect(session.warnings).toEqual([
      'The CLI reported a further result after the first; it was not counted.',
    ])
  })

  it('F5: a bogus result before the real one does not hide it', () => {
    const bogus = failed('error_during_execution', 'api_error', { num_turns: 0, total_cost_usd: 0 })
    expect(following([bogus, says('m1', 'x'), result()])).toMatchObject({ end: 'completed', costUsd: 0.25 })
  })

  it('F5: the text is put together from the stream when the result has none', () => {
    const parts = [says('m2', 'The '), says('m2', 'end.')]
    expect(following([says('m1', 'Begin.'), ...parts, result({ result: '' })]).text).toBe('The end.')
    expect(following([...parts, failed('error_max_budget_usd', 'budget_exhausted')]).text).toBe('The end.')
  })

  it('F8: success without a turn is said', () => {
    const session = following([result({ num_turns: 0, total_cost_usd: 0, result: '' })])
    expect(session).toMatchObject({ end: 'completed', turns: 0, text: '' })
    expect(session.warnings).toContain('The session made no turn: nothing was asked of the model.')
  })

  it('F8: denied calls are named with what was asked, from the result or, without one, from the stream', () => {
    const stream = [
      calls('m1', 'Bash', { command: 'npm test' }, 't1'),
      deniedCall('t1'),
      deniedCall('t9', 'Write'),
    ]
    const denials = [{ tool_name: 'Bash', tool_input: { command: 'npm test' } }]
    expect(following([...stream.slice(0, 2), result({ permission_denials: denials })]).denials).toEqual([
      { tool: 'Bash', input: 'npm test' },
    ])
    expect(following(stream, { signal: 'SIGKILL', exitCode: null }).denials).toEqual([
      { tool: 'Bash', input: 'npm test' },
      { tool: 'Write', input: '' },
    ])
  })

  it('F27: one that had to be ended after its result keeps the result', () => {
    const session = following(
      [says('m1', 'x'), result()],
      { how: 'killed', exitCode: 143 },
      { lingered: true },
    )
    expect(session.end).toBe('completed')
    expect(session.warnings).toEqual(['The CLI did not end by itself after its result and was ended.'])
  })

  it('F7: noise is told once', () => {
    const session = following([says('m1', 'x'), result()], {}, { noise: { count: 1, last: 'npm warn old' } })
    expect(session.warnings).toEqual(['The CLI printed 1 line that is no event: npm warn old'])
  })

  it('F22: repeated requests and a change of model are told', () => {
    const change = { type: 'system', subtype: 'model_fallback', original_model: 'a', fallback_model: 'b' }
    const session = following([retry(529), retry(529), change, says('m1', 'x'), result()])
    expect(session.warnings).toEqual([
      'The CLI repeated 2 requests that failed (last: status 529).',
      'a was not available; the CLI went on with b.',
    ])
  })

  it('a failure that the CLI got over is none', () => {
    const events = [
      apiFailure('server_error', null),
      says('m2', 'x'),
      failed('error_during_execution', 'aborted_tools'),
    ]
    expect(following(events, failing).end).toBe('crashed')
  })
})

describe('turns and cost', () => {
  it('F3, F23: a turn is a message id of the main conversation, however often it is told', () => {
    const usage = Array.from({ length: 3 }, () => calls('m1', 'Bash', { command: 'a' }))
    const agent = [says('s1', 'x', { parent_tool_use_id: 't' }), says('s2', 'x', { parent_tool_use_id: 't' })]
    const session = following([
      ...usage,
      ...agent,
      apiFailure('server_error', 500),
      says('m2', 'x'),
      result({ num_turns: 9 }),
    ])
    expect(session.turns).toBe(2)
  })

  it.each([undefined, 'free', -2])('F23: a cost of %s is not reported, not zero', (cost) => {
    const session = following([says('m1', 'x'), result({ total_cost_usd: cost })])
    expect(session.costUsd).toBeNull()
    expect(session.warnings).toEqual(['The CLI reported no cost.'])
  })

  it('F23: of two results the larger sum counts, not both', () => {
    expect(
      following([says('m1', 'x'), result({ total_cost_usd: 1 }), result({ total_cost_usd: 1.6 })]).costUsd,
    ).toBe(1.6)
  })
})

describe('the planned ends', () => {
  it('F1, F3: the turn limit, from the structured type alone', () => {
    const turns = Array.from({ length: 10 }, (_, i) => calls(`m${i}`, 'Bash', { command: 'a' }))
    const session = following(
      [...turns, failed('error_max_turns', 'max_turns', { num_turns: 11 })],
      failing,
      {
        stderr: 'run `claude setup-token` to log in',
      },
    )
    expect(session).toMatchObject({ end: 'turns', turns: 10, costUsd: 0.25 })
    expect(session.detail).toBe('It stopped at its 10-turn limit, after 10 turns.')
  })

  it('the money limit, also without terminal_reason', () => {
    const session = following(
      [says('m1', 'x'), failed('error_max_budget_usd', '', { total_cost_usd: 0.62 })],
      failing,
    )
    expect(session).toMatchObject({ end: 'usd', text: 'x' })
    expect(session.detail).toBe('It stopped at its limit of $0.50, having used $0.62, after 1 turn.')
  })

  it.each(['prompt_too_long', 'blocking_limit', 'image_error', 'rapid_refill_breaker'])(
    'context: %s',
    (reason) => {
      expect(following([says('m1', 'x'), apiError(400, { terminal_reason: reason })], failing).end).toBe(
        'context',
      )
    },
  )

  it('context: the output limit', () => {
    const events = [
      says('m1', 'x'),
      apiFailure('max_output_tokens', null),
      apiError(null, { api_error: 'max_output_tokens' }),
    ]
    expect(following(events, failing).end).toBe('context')
  })
})
