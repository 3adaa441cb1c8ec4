/** Tokens that a reply reports as used. */
export type Usage = { input: number; output: number; cacheRead: number; cacheWrite: number }

/** What a reply reports when neither it nor the scenario says otherwise: small and the same in every request. */
export const defaultUsage: Usage = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0 }

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** One block of a reply's content. A tool's `input` given as text is sent as it stands, so that it may be no JSON. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool'; name: string; input: { readonly [key: string]: Json } | string }

/** Places in an answer where it can stop. Without streaming the last three lie inside the body. */
export const points = ['before-headers', 'after-start', 'mid-text', 'after-text', 'after-tool'] as const
export type Point = (typeof points)[number]

/** A fault: the connection is dropped at that place, or nothing more comes for `millis` (null: ever). */
export type Fault = { type: 'cut'; at: Point } | { type: 'hang'; at: Point; millis: number | null }

export type Headers = Readonly<Record<string, string>>

/** What one request is answered with. `stopReason` null: `tool_use` when there is a tool, else `end_turn`. */
export type Answer =
  | { type: 'message'; blocks: readonly Block[]; stopReason: string | null; usage: Usage | null }
  | { type: 'error'; status: number; kind: string; message: string; headers: Headers }
  | { type: 'raw'; status: number; contentType: string | null; body: string; headers: Headers }

export type Reply = {
  answer: Answer
  /** Milliseconds before anything is sent. */
  delayMillis: number
  fault: Fault | null
}

/** A reply and how many requests in a row it serves; null: all that follow. */
export type ScriptedReply = Reply & { times: number | null }

/** Where a rule looks: in the newest user message (tool results included), the session's prompt, the system
 * prompt (system messages included), or everywhere. */
export const places = ['last-user', 'prompt', 'system', 'any'] as const
export type Place = (typeof places)[number]

/** All that is not null must hold. `session` and `reply` count from 1. */
export type Condition = {
  contains: string | null
  matches: string | null
  in: Place
  toolResultContains: string | null
  session: number | null
  reply: number | null
  model: string | null
  stream: boolean | null
}

/** `times`: how often the rule answers at most; null: without limit. */
export type Rule = { when: Condition; times: number | null; reply: Reply }

/** What the scripted model plays. `after`: what sessions beyond the list get, its last entry or a plain end. */
export type Scenario = {
  usage: Usage
  sessions: readonly { replies: readonly ScriptedReply[] }[]
  after: 'repeat' | 'end'
  rules: readonly Rule[]
}
