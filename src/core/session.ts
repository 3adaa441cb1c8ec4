/**
 * How a session ended, from structured fields only, never from text.
 *
 * - `completed`: exit 0, a result, not `is_error`, `terminal_reason` completed
 * - `turns`, `usd`, `minutes`: a planned end at that bound
 * - `context`: prompt too long, blocking limit or output limit; a fresh context is the cure
 * - `crashed`: the CLI ended without a usable result; `stalled`: ended by us after silence
 * - `auth`: 401, 403 or refused credit; `rate-limited`: 429; `unavailable`: 5xx, 529 or no connection
 * - `refused`: the CLI did not accept what it was given (model, flag, settings)
 * - `cancelled`: ended by us because the run was cancelled
 */
export type SessionEnd =
  | 'completed'
  | 'turns'
  | 'usd'
  | 'minutes'
  | 'context'
  | 'crashed'
  | 'stalled'
  | 'auth'
  | 'rate-limited'
  | 'unavailable'
  | 'refused'
  | 'cancelled'

/** A tool call that the permission rules denied. `input` is one line, at most 200 characters. */
export type Denial = { tool: string; input: string }

export type SessionResult = {
  end: SessionEnd
  /** One sentence for people: the limit and the count, the status and its meaning. Never empty. */
  detail: string
  /** Distinct message ids of the main conversation. */
  turns: number
  /** US dollars from the CLI's result; null when it reported none. */
  costUsd: number | null
  /** Wall time of the process, in milliseconds. */
  millis: number
  /** Share of the context window filled at the newest turn, 0 to 1; null when unknown. */
  contextFill: number | null
  denials: readonly Denial[]
  /** The agent's last text, whole. */
  text: string
  /** When the limit resets, epoch milliseconds, from the structured field; null when not told. */
  resetAt: number | null
  /** Things a person may want to know, each a sentence (a second result, a non-zero exit after a success). */
  warnings: readonly string[]
  /** The model the CLI reported at its start; empty when it did not start. */
  model: string
}
