import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  errorKind,
  jsonPieces,
  type Piece,
  streamPieces,
  type WireMessage,
} from '../../src/core/scenario/messages-api.ts'
import type { Block } from '../../src/core/scenario/scenario.ts'

const message = (blocks: readonly Block[]): WireMessage => ({
  id: 'msg_1',
  model: 'claude-x',
  blocks,
  stopReason: 'end_turn',
  usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 },
})

type Wire = Record<string, unknown> & { type: string }

const eventsOf = (pieces: readonly Piece[]): Wire[] =>
  pieces.map(({ text }) => {
    const [, name, data = ''] = /^event: (\S+)\ndata: ([^\n]+)\n\n$/.exec(text) ?? []
    const parsed: Wire = JSON.parse(data)
    expect(parsed.type).toBe(name)
    return parsed
  })

/** Puts a stream together again as a client does. */
const assembled = (events: readonly Wire[]): unknown[] => {
  const blocks: Record<string, unknown>[] = []
  for (const event of events) {
    if (event.type === 'content_block_start') blocks.push({ ...(event.content_block as object), json: '' })
    const block = blocks[Number(event.index)]
    const delta = event.delta as Record<string, string> | undefined
    if (event.type !== 'content_block_delta' || !block || !delta) continue
    if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`
    if (delta.type === 'thinking_delta') block.thinking = `${block.thinking}${delta.thinking}`
    if (delta.type === 'signature_delta') block.signature = delta.signature
    if (delta.type === 'input_json_delta') block.json = `${block.json}${delta.partial_json}`
  }
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(String(json)) } : block,
  )
}

const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({ type: fc.constant('thinking' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({
    type: fc.constant('tool' as const),
    name: fc.string(),
    input: fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.string({ unit: 'binary' }),
    ),
  }),
)

test('a stream and a JSON body say the same', () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 4 }), (blocks) => {
      const body = JSON.parse(
        jsonPieces(message(blocks))
          .map(({ text }) => text)
          .join(''),
      )
      expect(assembled(eventsOf(streamPieces(message(blocks))))).toEqual(body.content)
    }),
  )
})

test('no piece ends inside a character', () => {
  const pieces = [...streamPieces(message([{ type: 'text', text: '😀😀😀' }]))]
  const deltas = eventsOf(pieces).flatMap(({ delta }) => (delta as { text?: string } | undefined)?.text ?? [])
  expect(deltas).toEqual(['😀😀', '😀'])
})

test('events come in the order of the API, with the usage at both ends', () => {
  const events = eventsOf(
    streamPieces(
      message([
        { type: 'text', text: 'ab' },
        { type: 'tool', name: 'Bash', input: { command: 'ls' } },
      ]),
    ),
  )
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
    ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
    'message_delta',
    'message_stop',
  ])
  const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 }
  expect(events[0]).toMatchObject({ message: { id: 'msg_1', usage: { ...usage, output_tokens: 1 } } })
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'end_turn' },
    usage: { ...usage, output_tokens: 20 },
  })
})

describe('a tool input given as text', () => {
  const pieces = message([{ type: 'tool', name: 'Write', input: '{"file_path": oops' }])

  test('is streamed as it stands', () => {
    const deltas = eventsOf(streamPieces(pieces)).flatMap(({ delta }) => {
      const { partial_json } = (delta ?? {}) as { partial_json?: string }
      return partial_json === undefined ? [] : [partial_json]
    })
    expect(deltas.join('')).toBe('{"file_path": oops')
  })

  test('is a string in a JSON body when it is no JSON', () => {
    const body = JSON.parse(
      jsonPieces(pieces)
        .map(({ text }) => text)
        .join(''),
    )
    expect(body.content[0].input).toBe('{"file_path": oops')
  })
})

test('every point is reached once, in its order and at its place', () => {
  const blocks: Block[] = [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
    { type: 'tool', name: 'A', input: {} },
    { type: 'tool', name: 'B', input: {} },
  ]
  const placed = streamPieces(message(blocks)).flatMap(({ text, reaches }) =>
    reaches.map((point) => [point, /^event: (\w+)/.exec(text)?.[1], /"index":(\d)/.exec(text)?.[1]]),
  )
  expect(placed).toEqual([
    ['after-start', 'message_start', undefined],
    ['mid-text', 'content_block_delta', '1'],
    ['after-text', 'content_block_stop', '2'],
    ['after-tool', 'content_block_stop', '4'],
  ])
  expect(jsonPieces(message(blocks)).flatMap(({ reaches }) => reaches)).toEqual(
    placed.map(([point]) => point),
  )
})

test.for([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
  [418, 'invalid_request_error'],
  [503, 'api_error'],
  [529, 'overloaded_error'],
] as const)('status %i is called %s', ([status, kind]) => {
  expect(errorKind(status)).toBe(kind)
})
