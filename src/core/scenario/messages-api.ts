import type { Block, Json, Point, Usage } from './scenario.ts'

/** One message of the model, ready to be put on the wire. */
export type WireMessage = {
  id: string
  model: string
  blocks: readonly Block[]
  stopReason: string
  usage: Usage
}

/** A part of an answer's body, and the places that are reached once it is sent. */
export type Piece = { text: string; reaches: readonly Point[] }

const wireUsage = ({ input, output, cacheRead, cacheWrite }: Usage) => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  output_tokens: output,
})

const inputValue = (input: Readonly<Record<string, Json>> | string): Json => {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

const toolId = (messageId: string, index: number): string => `${messageId.replace('msg_', 'toolu_')}_${index}`

const wireBlock = (block: Block, id: string): Json => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: 'scripted' }
    case 'tool':
      return { type: 'tool_use', id, name: block.name, input: inputValue(block.input) }
    default:
      return block satisfies never
  }
}

const emptyBlock = (block: Block, id: string): Json => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool':
      return { type: 'tool_use', id, name: block.name, input: {} }
    default:
      return block satisfies never
  }
}

/** Two halves, never through the middle of a character; one piece when there is nothing to halve. */
const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  const code = text.charCodeAt(middle)
  const cut = code >= 0xdc00 && code <= 0xdfff ? middle + 1 : middle
  return text.length < 2 || cut >= text.length ? [text] : [text.slice(0, cut), text.slice(cut)]
}

const deltas = (block: Block): Json[] => {
  switch (block.type) {
    case 'text':
      return halves(block.text).map((text) => ({ type: 'text_delta', text }))
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.text },
        { type: 'signature_delta', signature: 'scripted' },
      ]
    case 'tool': {
      const json = typeof block.input === 'string' ? block.input : JSON.stringify(block.input)
      return halves(json).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    }
    default:
      return block satisfies never
  }
}

const event = (type: string, fields: Readonly<Record<string, Json>>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const lastIndex = (blocks: readonly Block[], type: Block['type']): number =>
  blocks.findLastIndex((block) => block.type === type)

const blockPieces = (message: WireMessage, block: Block, index: number): Piece[] => {
  const middle = index === message.blocks.findIndex(({ type }) => type !== 'thinking')
  const stopped: Point[] = [
    ...(index === lastIndex(message.blocks, 'text') ? (['after-text'] as const) : []),
    ...(index === lastIndex(message.blocks, 'tool') ? (['after-tool'] as const) : []),
  ]
  const content_block = emptyBlock(block, toolId(message.id, index))
  return [
    { text: event('content_block_start', { index, content_block }), reaches: [] },
    ...deltas(block).map((delta, nth): Piece => {
      const text = event('content_block_delta', { index, delta })
      return { text, reaches: middle && nth === 0 ? ['mid-text'] : [] }
    }),
    { text: event('content_block_stop', { index }), reaches: stopped },
  ]
}

const frame = ({ id, model, usage }: WireMessage) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: wireUsage(usage),
})

/** The message as server-sent events, in the API's order. */
export const streamPieces = (message: WireMessage): Piece[] => {
  const start = frame({ ...message, usage: { ...message.usage, output: Math.min(1, message.usage.output) } })
  const delta = { stop_reason: message.stopReason, stop_sequence: null }
  return [
    { text: event('message_start', { message: start }), reaches: ['after-start'] },
    ...message.blocks.flatMap((block, index) => blockPieces(message, block, index)),
    { text: event('message_delta', { delta, usage: wireUsage(message.usage) }), reaches: [] },
    { text: event('message_stop', {}), reaches: [] },
  ]
}

/** The message as one JSON body, cut where a fault may come: at its middle and before its last character. */
export const jsonPieces = (message: WireMessage): Piece[] => {
  const content = message.blocks.map((block, index) => wireBlock(block, toolId(message.id, index)))
  const body = JSON.stringify({ ...frame(message), content, stop_reason: message.stopReason })
  const [first = '', second = ''] = halves(body)
  return [
    { text: '', reaches: ['after-start'] },
    { text: first, reaches: ['mid-text'] },
    { text: second.slice(0, -1), reaches: ['after-text', 'after-tool'] },
    { text: second.slice(-1), reaches: [] },
  ]
}

/** The API's error types by HTTP status, as its documentation lists them. */
const errorKinds: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export const errorKind = (status: number): string =>
  errorKinds[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

export const errorBody = (kind: string, message: string, requestId: string): string =>
  JSON.stringify({ type: 'error', error: { type: kind, message }, request_id: requestId })
