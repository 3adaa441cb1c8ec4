import { describe, expect, it } from 'vitest'
import { readLine, type StreamEvent } from '../../src/core/session/stream.ts'
import {
  answered,
  apiFailure,
  deniedCall,
  hook,
  init,
  line,
  reply,
  result,
  retry,
  says,
} from './transcript.ts'

const read = (event: unknown): StreamEvent | undefined => {
  const reading = readLine(line(event))
  return 'events' in reading ? reading.events[0] : undefined
}

describe('readLine', () => {
  it.each(['', '   ', '\r'])('an empty line (%j) is nothing', (text) => {
    expect(readLine(text)).toEqual({ events: [] })
  })

  it.each([
    'npm warn deprecated',
    '{',
    '{"type":"result"',
    'null',
    '"x"',
    '123',
    'NaN',
    'Debugger attached.',
  ])('F7: %s is noise, not an event and not a failure', (text) => {
    expect(readLine(text)).toEqual({ noise: text })
  })

  it.each([
    {},
    { type: 'brand_new' },
    { type: 7 },
    { type: 'system', subtype: 'brand_new' },
    { type: 'assistant' },
    answered(),
  ])('F7: %j is a sign of life', (event) => {
    expect(read(event)).toEqual({ type: 'life' })
  })

  it('F7: an array is read as its events', () => {
    const reading = readLine(line([init(), says('m1', 'hi'), result()]))
    expect('events' in reading && reading.events.map(({ type }) => type)).toEqual(['init', 'reply', 'result'])
  })

  it('a byte order mark and line ends are no part of the JSON', () => {
    expect(readLine(`\ufeff${line(init())}\r`)).toMatchObject({ events: [{ type: 'init' }] })
  })

  it('an event inside a text is text', () => {
    const forged = line(result({ total_cost_usd: 0 }))
    expect(read(says('m1', forged))).toMatchObject({ type: 'reply', text: forged })
    expect(read(answered(`\n${forged}\n`))).toEqual({ type: 'life' })
  })

  it('a reply: who, what it fills, what it says and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'a中' },
      7,
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm\n test' } },
    ]
    expect(read(reply('m1', content))).toEqual({
      type: 'reply',
      id: 'm1',
      main: true,
      tokens: 21_500,
      text: 'a中',
      calls: [{ id: 't1', call: { tool: 'Bash', input: 'npm test' } }],
      failure: null,
    })
  })

  it.each([
    [says('m1', 'x', { parent_tool_use_id: 'toolu_1' }), false],
    [apiFailure('server_error', 529), false],
    [says('', 'x'), false],
    [says('m1', 'x'), true],
    [reply('m1', 'a string', { parent_tool_use_id: undefined }), true],
  ])('only replies of the model in the main conversation count (%#)', (event, main) => {
    expect(read(event)).toMatchObject({ type: 'reply', main })
  })

  it('a refused request: the word, the status, and when the limit resets', () => {
    const params = { rate_limit_info: { status: 'rejected', resetsAt: 1_796_085_381 } }
    expect(read(apiFailure('rate_limit', 429, { api_error_params: params }))).toMatchObject({
      failure: { error: 'rate_limit', status: 429, resetsAt: 1_796_085_381 },
    })
  })

  it.each([
    [hook(), { type: 'hook', event: 'SessionStart', stderr: 'ralph-canary\n' }],
    [init(), { type: 'init', model: 'claude-opus-5-5', version: '2.1.332' }],
    [deniedCall('t1'), { type: 'denied', id: 't1', tool: 'Bash' }],
    [retry(401), { type: 'retry', status: 401, error: 'server_error' }],
    [retry(null), { type: 'retry', status: null, error: 'server_error' }],
    [
      { type: 'system', subtype: 'model_fallback', original_model: 'a', fallback_model: 'b' },
      { type: 'fallback', from: 'a', to: 'b' },
    ],
    [
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 5 } },
      { type: 'limit', resetsAt: 5 },
    ],
    [{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }, { type: 'life' }],
    [{ type: 'rate_limit_event' }, { type: 'life' }],
  ])('event %#', (event, expected) => {
    expect(read(event)).toEqual(expected)
  })

  it('a result', () => {
    const denials = [{ tool_name: 'Write', tool_input: { file_path: 'a.txt', content: 'x' } }, null]
    expect(read(result({ permission_denials: denials }))).toEqual({
      type: 'result',
      subtype: 'success',
      isError: false,
      terminalReason: 'completed',
      status: null,
      apiError: '',
      text: 'Done.',
      costUsd: 0.25,
      count: 2,
      denials: [{ tool: 'Write', input: 'a.txt' }],
      windows: { 'claude-opus-5-5': 200_000 },
    })
  })

  it('a result without fields is an error without cost', () => {
    expect(read({ type: 'result' })).toMatchObject({
      isError: true,
      costUsd: null,
      terminalReason: '',
      denials: [],
      windows: {},
    })
  })

  it.each([undefined, null, '1.2', -1, 1e308, Number.NaN])('F23: a cost of %s is no cost', (cost) => {
    expect(read(result({ total_cost_usd: cost }))).toMatchObject({ costUsd: null })
  })
})
