import { describe, expect, it } from 'vitest'
import { noRest, splitLines } from '../../src/core/session/lines.ts'
import {
  type Cause,
  causeIn,
  causeOfSilence,
  ending,
  heard,
  nothingHeard,
} from '../../src/core/session/session-fold.ts'
import { readLine } from '../../src/core/session/stream.ts'
import { begun, fold, told } from './heard-session.ts'
import {
  answered,
  calls,
  canary,
  deniedCall,
  failed,
  hook,
  init,
  line,
  result,
  retry,
  says,
} from './transcript.ts'

describe('what we end', () => {
  const cause: Cause = { end: 'minutes', detail: 'Time is up.' }

  it('the cause decides when it came before the result, and the result still gives cost and context', () => {
    const ended = fold(
      [failed('error_during_execution', 'aborted_tools')],
      ending(fold([...begun, says('m1', 'x')]), cause),
    )
    expect(told(ended, { how: 'killed' })).toMatchObject({
      end: 'minutes',
      detail: 'Time is up.',
      costUsd: 0.25,
    })
  })

  it('a result that came first decides, and of two causes the first', () => {
    expect(told(ending(fold([...begun, says('m1', 'x'), result()]), cause)).end).toBe('completed')
    const late: Cause = { end: 'cancelled', detail: 'x' }
    expect(told(ending(ending(fold(begun), cause), late)).end).toBe('minutes')
  })

  const causeAfter = (events: readonly unknown[], turns = 5) => {
    const state = fold(events)
    const reading = readLine(line(events.at(-1)))
    const [event] = 'events' in reading ? reading.events : []
    return event === undefined ? null : causeIn(state, event, turns)
  }

  it('D4: a start without the answer of our hook is refused', () => {
    expect(causeAfter([init()])).toMatchObject({ end: 'refused' })
    expect(causeAfter([hook({ stderr: 'other' }), init()])).toMatchObject({ end: 'refused' })
    expect(causeAfter([hook({ hook_event: 'Stop' }), init()])).toMatchObject({ end: 'refused' })
    expect(causeAfter([hook(), init()])).toBeNull()
  })

  it.each([401, 403])('R15: a repeated request with status %s is ended at once', (status) => {
    expect(causeAfter([...begun, retry(status)])).toMatchObject({ end: 'auth' })
  })

  it.each([429, 500, 529, null])('a repeated request with status %s is left to the CLI', (status) => {
    expect(causeAfter([...begun, retry(status)])).toBeNull()
  })

  it('F3: a CLI that ignores its turn limit is ended two turns above it', () => {
    const turns = Array.from({ length: 7 }, (_, i) => says(`m${i}`, 'x'))
    expect(causeAfter([...begun, ...turns.slice(0, 6)])).toBeNull()
    expect(causeAfter([...begun, ...turns])).toMatchObject({ end: 'turns' })
  })

  it.each([
    [[says('m1', 'x')], 'stalled'],
    [[], 'stalled'],
    [[retry(null)], 'unavailable'],
    [[retry(529)], 'unavailable'],
    [[retry(429)], 'rate-limited'],
    [[retry(529), says('m1', 'x')], 'stalled'],
  ])('F29: what silence means (%#)', (events, end) => {
    const silence = causeOfSilence(fold([...begun, ...events]), 720_000)
    expect(silence.end).toBe(end)
    expect(silence.detail).toContain('12 min')
  })
})

describe('a transcript of 20 lines', () => {
  const lines = [
    'npm warn deprecated é',
    '',
    line(hook()),
    line(init()),
    line({ type: 'brand_new', x: '中' }),
    line(says('m1', 'Grüße 中😀 — begin')),
    `${line(calls('m1', 'Bash', { command: 'echo "😀"' }, 't1'))}\r`,
    line(answered('::error::x\n中')),
    line(calls('m2', 'Write', { file_path: 'ä.txt' }, 't2')),
    line(deniedCall('t2', 'Write')),
    line(answered('denied')),
    line(retry(529, 'overloaded')),
    line(says('s1', 'sub', { parent_tool_use_id: 't' })),
    '{"type":"assistant"',
    'null',
    line(says('m3', 'Ende 中')),
    line(says('m3', '文😀.')),
    line({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }),
    line(
      result({
        result: 'Ende 中文😀.',
        permission_denials: [{ tool_name: 'Write', tool_input: { file_path: 'ä.txt' } }],
      }),
    ),
    line(failed('error_during_execution', 'api_error', { num_turns: 0, total_cost_usd: 0 })),
  ]
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)

  const linesOf = (chunks: readonly Uint8Array[]): string[] => {
    const decoder = new TextDecoder()
    let rest = noRest
    return chunks.flatMap((chunk) => {
      const read = splitLines(rest, decoder.decode(chunk, { stream: true }))
      rest = read.rest
      return read.lines
    })
  }

  it('is read as a session', () => {
    let noise = 0
    const state = linesOf([bytes]).reduce((each, text) => {
      const reading = readLine(text)
      if ('events' in reading) return reading.events.reduce((one, event) => heard(one, event, canary), each)
      noise += 1
      return each
    }, nothingHeard)
    expect(noise).toBe(3)
    expect(told(state)).toMatchObject({ end: 'completed', turns: 3, text: 'Ende 中文😀.', costUsd: 0.25 })
    expect(told(state).denials).toEqual([{ tool: 'Write', input: 'ä.txt' }])
  })

  it('F6, R35: gives the same lines whatever the byte at which it is cut', () => {
    const whole = lines.map((text) => text.replace(/\r$/, ''))
    const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [
      bytes.subarray(0, at),
      bytes.subarray(at),
    ])
    const different = cuts.filter((cut) => linesOf(cut).join('\n') !== whole.join('\n'))
    expect(cuts.length).toBeGreaterThan(3000)
    expect(different.length).toBe(0)
    expect(linesOf([bytes])).toEqual(whole)
  })

  it('F6: and byte by byte', () => {
    const pieces = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))
    expect(linesOf(pieces)).toEqual(linesOf([bytes]))
  })
})
