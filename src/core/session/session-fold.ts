import { count, duration } from '../sentences.ts'
import type { Denial, SessionEnd } from '../session.ts'
import type { ApiFailure, ResultEvent, StreamEvent, ToolCall } from './stream.ts'

/** Why we ended a session. `detail` is a sentence for people. */
export type Cause = {
  end: Exclude<SessionEnd, 'completed' | 'usd' | 'context' | 'crashed'>
  detail: string
}

/** What a session's stream has told so far. */
export type Fold = {
  /** Our settings took: the hook that they carry has answered. */
  proven: boolean
  /** Empty until the session has begun. */
  model: string
  begun: boolean
  /** Distinct message ids of the main conversation. */
  ids: readonly string[]
  /** Tokens in the context at the newest turn. */
  tokens: number | null
  /** The newest reply of the main conversation that says something. */
  said: { id: string; text: string }
  /** Calls of the newest turns, so that a denial can be told with what was asked. */
  calls: readonly ToolCall[]
  denials: readonly Denial[]
  /** The failure that the CLI told last; null again once the model has answered. */
  failure: ApiFailure | null
  resetsAt: number | null
  /** Requests that the CLI repeated, the status of the last, and whether nothing has come of it yet. */
  retries: { count: number; status: number | null; open: boolean }
  fallbacks: readonly string[]
  /** The first result that did work, else the first. */
  result: ResultEvent | null
  /** The most any result reported: the CLI adds up over results. */
  costUsd: number | null
  extraResults: number
  /** The first cause that came before a result. */
  cause: Cause | null
}

export const nothingHeard: Fold = {
  proven: false,
  model: '',
  begun: false,
  ids: [],
  tokens: null,
  said: { id: '', text: '' },
  calls: [],
  denials: [],
  failure: null,
  resetsAt: null,
  retries: { count: 0, status: null, open: false },
  fallbacks: [],
  result: null,
  costUsd: null,
  extraResults: 0,
  cause: null,
}

/** How many calls are remembered: more than a reply holds. */
const mostCalls = 100
/** How many denials are kept: beyond that the next ones tell nothing new. */
const mostDenials = 200

type Reply = Extract<StreamEvent, { type: 'reply' }>

const withReply = (fold: Fold, reply: Reply): Fold => {
  const told = reply.failure === null ? fold : withFailure(fold, reply.failure)
  const calls = reply.calls.length === 0 ? fold.calls : [...fold.calls, ...reply.calls].slice(-mostCalls)
  if (!reply.main) return { ...told, calls }
  const { id, text, tokens } = reply
  return {
    ...told,
    calls,
    failure: reply.failure,
    retries: { ...fold.retries, open: false },
    ids: fold.ids.includes(id) ? fold.ids : [...fold.ids, id],
    tokens: tokens ?? fold.tokens,
    said: text === '' ? fold.said : { id, text: fold.said.id === id ? fold.said.text + text : text },
  }
}

const withFailure = (fold: Fold, failure: ApiFailure): Fold => ({
  ...fold,
  failure,
  resetsAt: failure.resetsAt ?? fold.resetsAt,
})

/** Late notices come as a result without turns and without cost; such a one is no word on the session. */
const didWork = (result: ResultEvent): boolean =>
  !result.isError || result.count > 0 || (result.costUsd ?? 0) > 0

const withResult = (fold: Fold, result: ResultEvent): Fold => {
  const costs = [fold.costUsd, result.costUsd].filter((cost) => cost !== null)
  const costUsd = costs.length === 0 ? null : Math.max(...costs)
  if (fold.result === null) return { ...fold, costUsd, result }
  const better = !didWork(fold.result) && didWork(result)
  return { ...fold, costUsd, result: better ? result : fold.result, extraResults: fold.extraResults + 1 }
}

/** One event of the stream. */
export const heard = (fold: Fold, event: StreamEvent, canary: string): Fold => {
  switch (event.type) {
    case 'hook':
      return {
        ...fold,
        proven: fold.proven || (event.event === 'SessionStart' && event.stderr.includes(canary)),
      }
    case 'init':
      return { ...fold, begun: true, model: fold.model || event.model }
    case 'reply':
      return withReply(fold, event)
    case 'denied': {
      const call = fold.calls.find(({ id }) => id === event.id)?.call ?? { tool: event.tool, input: '' }
      return { ...fold, denials: [...fold.denials, call].slice(0, mostDenials) }
    }
    case 'retry':
      return { ...fold, retries: { count: fold.retries.count + 1, status: event.status, open: true } }
    case 'limit':
      return { ...fold, resetsAt: event.resetsAt ?? fold.resetsAt }
    case 'fallback':
      return {
        ...fold,
        fallbacks: [...fold.fallbacks, `${event.from} was not available; the CLI went on with ${event.to}.`],
      }
    case 'result':
      return withResult(fold, event)
    case 'life':
      return fold
    default:
      return event satisfies never
  }
}

/** We end the session. The first cause stays, and none counts after a result: what came first decides. */
export const ending = (fold: Fold, cause: Cause): Fold =>
  fold.cause !== null || fold.result !== null ? fold : { ...fold, cause }

/** Statuses that no repetition cures: the credential is refused. */
const refusedCredential = [401, 403]

/**
 * What the newest event asks for: null, or the cause for which the session is to be ended at once.
 * The CLI repeats a refused credential for three minutes, and its own turn limit is watched over.
 */
export const causeIn = (fold: Fold, event: StreamEvent, turns: number): Cause | null => {
  if (event.type === 'init' && !fold.proven)
    return {
      end: 'refused',
      detail: 'The CLI did not take the settings it was given; it was ended before it sent anything.',
    }
  if (event.type === 'retry' && event.status !== null && refusedCredential.includes(event.status))
    return { end: 'auth', detail: `The API refused the credential (${event.status}).` }
  if (fold.ids.length >= turns + 2)
    return {
      end: 'turns',
      detail: `The CLI went past the ${turns}-turn limit and was ended after ${count(fold.ids.length, 'turn')}.`,
    }
  return null
}

/** The CLI has said nothing for the idle limit, but that it repeats a request: what that means. */
export const causeOfSilence = (fold: Fold, idleMillis: number): Cause => {
  const { open, status, count: attempts } = fold.retries
  const after = `for ${duration(idleMillis)}`
  const turns = count(fold.ids.length, 'turn')
  if (!open)
    return { end: 'stalled', detail: `It gave no sign of life ${after} and was ended after ${turns}.` }
  const why = status === null ? 'no answer' : `status ${status}`
  return {
    end: status === 429 ? 'rate-limited' : 'unavailable',
    detail: `No request to the API succeeded ${after}, with ${count(attempts, 'repetition')} (last: ${why}); the session was ended after ${turns}.`,
  }
}
