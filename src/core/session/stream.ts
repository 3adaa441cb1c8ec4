import * as z from 'zod/mini'
import type { Denial } from '../session.ts'
import { denialOf } from './denial.ts'

/** What the API refused, as the CLI's structured fields tell it. `error` is the CLI's word, such as `billing_error`. */
export type ApiFailure = { error: string; status: number | null; resetsAt: number | null }

/** A tool call as it was asked for. */
export type ToolCall = { id: string; call: Denial }

export type ResultEvent = {
  type: 'result'
  subtype: string
  /** True when the field is missing. */
  isError: boolean
  terminalReason: string
  status: number | null
  /** The CLI's word for an API error, such as `usage_limit_reached`; empty when there is none. */
  apiError: string
  text: string
  /** Null when missing or no amount of money. */
  costUsd: number | null
  /** The CLI's own count: not the number of turns, but 0 when nothing was done. */
  count: number
  denials: readonly Denial[]
  /** Size of the context window in tokens, by model. */
  windows: Readonly<Record<string, number>>
}

/** One event of the stream, reduced to what the loop needs. Events that are not needed are signs of life. */
export type StreamEvent =
  | { type: 'hook'; event: string; stderr: string }
  | { type: 'init'; model: string; version: string }
  | {
      type: 'reply'
      id: string
      /** Of the main conversation, by the model: what counts as a turn. */
      main: boolean
      /** Tokens in the context; null when not told. */
      tokens: number | null
      text: string
      calls: readonly ToolCall[]
      failure: ApiFailure | null
    }
  | { type: 'denied'; id: string; tool: string }
  | { type: 'retry'; status: number | null; error: string }
  | { type: 'limit'; resetsAt: number | null }
  | { type: 'fallback'; from: string; to: string }
  | ResultEvent
  | { type: 'life' }

/** A line read: its events (several for an array), or noise that is no event. */
export type Reading = { events: readonly StreamEvent[] } | { noise: string }

// Fields that are missing or of another kind than today read as nothing: the format moves between versions.
const text = z.catch(z.string(), '')
const number = z.catch(z.nullable(z.number()), null)
const list = z.catch(z.array(z.unknown()), [])
const limitInfo = z.catch(z.object({ status: text, resetsAt: number }), { status: '', resetsAt: null })

const typed = z.object({ type: z.string(), subtype: text })
const hook = z.object({ hook_event: text, stderr: text })
const init = z.object({ model: text, claude_code_version: text })
const denied = z.object({ tool_name: text, tool_use_id: text })
const retry = z.object({ error_status: number, error: text })
const limit = z.object({ rate_limit_info: limitInfo })
const fallback = z.object({ original_model: text, fallback_model: text })
const block = z.object({ type: text, text, id: text, name: text, input: z.optional(z.unknown()) })
const usage = z.object({
  input_tokens: z.number(),
  cache_read_input_tokens: z.catch(z.number(), 0),
  cache_creation_input_tokens: z.catch(z.number(), 0),
})
const assistant = z.object({
  parent_tool_use_id: z.catch(z.nullable(z.string()), null),
  error: text,
  api_error_status: number,
  api_error_params: z.catch(z.object({ rate_limit_info: limitInfo }), {
    rate_limit_info: { status: '', resetsAt: null },
  }),
  message: z.object({ id: text, model: text, content: list, usage: z.catch(z.nullable(usage), null) }),
})
const result = z.object({
  subtype: text,
  is_error: z.catch(z.boolean(), true),
  terminal_reason: text,
  api_error_status: number,
  api_error: text,
  result: text,
  total_cost_usd: z.catch(z.nullable(z.number().check(z.gte(0), z.lt(1e6))), null),
  num_turns: z.catch(z.number(), 0),
  permission_denials: list,
  modelUsage: z.catch(z.record(z.string(), z.unknown()), {}),
})
const denial = z.object({ tool_name: text, tool_input: z.optional(z.unknown()) })
const window = z.object({ contextWindow: z.number().check(z.gt(0)) })

/** All elements that fit, in their order. */
const fitting = <T>(schema: z.ZodMiniType<T>, values: readonly unknown[]): T[] =>
  values.flatMap((value) => {
    const read = schema.safeParse(value)
    return read.success ? [read.data] : []
  })

const life: StreamEvent = { type: 'life' }

const readReply = (value: unknown): StreamEvent => {
  const read = assistant.safeParse(value)
  if (!read.success) return life
  const { message, parent_tool_use_id, error, api_error_status, api_error_params } = read.data
  const blocks = fitting(block, message.content)
  const used = message.usage
  const failed = error !== ''
  return {
    type: 'reply',
    id: message.id,
    main: parent_tool_use_id === null && message.model !== '<synthetic>' && message.id !== '',
    tokens: used && used.input_tokens + used.cache_read_input_tokens + used.cache_creation_input_tokens,
    text: blocks.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: blocks
      .filter((part) => part.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, call: denialOf(name, input) })),
    failure: failed
      ? { error, status: api_error_status, resetsAt: api_error_params.rate_limit_info.resetsAt }
      : null,
  }
}

const readResult = (value: unknown): StreamEvent => {
  const read = result.parse(value)
  const windows = Object.entries(read.modelUsage).flatMap(([model, told]) =>
    fitting(window, [told]).map(({ contextWindow }): [string, number] => [model, contextWindow]),
  )
  return {
    type: 'result',
    subtype: read.subtype,
    isError: read.is_error,
    terminalReason: read.terminal_reason,
    status: read.api_error_status,
    apiError: read.api_error,
    text: read.result,
    costUsd: read.total_cost_usd,
    count: read.num_turns,
    denials: fitting(denial, read.permission_denials).map((told) =>
      denialOf(told.tool_name, told.tool_input),
    ),
    windows: Object.fromEntries(windows),
  }
}

const readSystem = (subtype: string, value: unknown): StreamEvent => {
  switch (subtype) {
    case 'hook_response': {
      const { hook_event, stderr } = hook.parse(value)
      return { type: 'hook', event: hook_event, stderr }
    }
    case 'init': {
      const { model, claude_code_version } = init.parse(value)
      return { type: 'init', model, version: claude_code_version }
    }
    case 'permission_denied': {
      const { tool_name, tool_use_id } = denied.parse(value)
      return { type: 'denied', id: tool_use_id, tool: tool_name }
    }
    case 'api_retry': {
      const { error_status, error } = retry.parse(value)
      return { type: 'retry', status: error_status, error }
    }
    case 'model_fallback': {
      const { original_model, fallback_model } = fallback.parse(value)
      return { type: 'fallback', from: original_model, to: fallback_model }
    }
    default:
      return life
  }
}

const readValue = (value: unknown): StreamEvent => {
  const read = typed.safeParse(value)
  if (!read.success) return life
  switch (read.data.type) {
    case 'system':
      return readSystem(read.data.subtype, value)
    case 'assistant':
      return readReply(value)
    case 'result':
      return readResult(value)
    case 'rate_limit_event': {
      const { status, resetsAt } = limit.parse(value).rate_limit_info
      return status === 'rejected' ? { type: 'limit', resetsAt } : life
    }
    default:
      return life
  }
}

/** Reads one line of `stream-json`. Never throws: what is no JSON object or array is noise. */
export const readLine = (line: string): Reading => {
  const trimmed = line.trim() // a byte order mark counts as a blank
  if (trimmed === '') return { events: [] }
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    return { noise: trimmed }
  }
  if (typeof value !== 'object' || value === null) return { noise: trimmed }
  return { events: Array.isArray(value) ? value.map(readValue) : [readValue(value)] }
}
