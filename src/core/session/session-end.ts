import { count, money, utc } from '../sentences.ts'
import type { SessionEnd, SessionResult } from '../session.ts'
import { oneLine } from './denial.ts'
import type { ProcessEnd } from './process-end.ts'
import { resetTime } from './reset.ts'
import type { Fold } from './session-fold.ts'
import type { ResultEvent } from './stream.ts'

/** What is known beside the stream when a session has ended. */
export type Surroundings = {
  ended: ProcessEnd
  limits: { turns: number; usd: number; millis: number }
  /** The last of standard error and of output lines that are no events. For people only; nothing is decided by it. */
  stderr: string
  noise: { count: number; last: string }
  /** The CLI had to be ended by us after its result. */
  lingered: boolean
  /** Epoch milliseconds. */
  now: number
}

type Told = { end: SessionEnd; detail: string }

/** How an API error can end a session. */
type ApiEnd = Extract<SessionEnd, 'auth' | 'rate-limited' | 'unavailable' | 'refused' | 'context' | 'crashed'>

/** The CLI's words for API errors, where they say more than the status. */
const byError: Readonly<Record<string, ApiEnd>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  rate_limit: 'rate-limited',
  overloaded: 'unavailable',
  server_error: 'unavailable',
  model_not_found: 'refused',
  max_output_tokens: 'context',
}

const byStatus = (status: number): ApiEnd | null => {
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'unavailable'
  if (status === 404) return 'refused'
  return status === 413 ? 'context' : null
}

/** Ends for which a fresh context is the cure. */
const fullContext = ['prompt_too_long', 'blocking_limit', 'image_error', 'rapid_refill_breaker']

const meanings: Readonly<Record<ApiEnd, string>> = {
  auth: 'The API refused the credential or its credit',
  'rate-limited': "The API's rate limit was reached",
  unavailable: 'The API could not be reached or did not answer as it should',
  refused: 'The API does not offer what was asked for',
  context: 'The context was full',
  crashed: 'The session ended with an error',
}

/** What was said, as the end of a sentence of ours. */
const quoted = (text: string): string => {
  if (text.trim() === '') return '.'
  const line = oneLine(text)
  return /[.!?…]$/.test(line) ? `: ${line}` : `: ${line}.`
}

/** An API error, by the CLI's word where it has one, else by the status. */
const apiError = (fold: Fold, result: ResultEvent): Told => {
  const status = result.status ?? fold.failure?.status ?? null
  const error = fold.failure?.error ?? result.apiError
  const end = byError[error] ?? (status === null ? null : byStatus(status)) ?? 'crashed'
  const shown = [status, error].filter((part) => part !== null && part !== '').join(' ')
  return { end, detail: `${meanings[end]}${shown === '' ? '' : ` (${shown})`}${quoted(result.text)}` }
}

const byResult = (fold: Fold, result: ResultEvent, { limits }: Surroundings): Told => {
  const made = count(fold.ids.length, 'turn')
  if (result.subtype === 'error_max_turns' || result.terminalReason === 'max_turns')
    return { end: 'turns', detail: `It stopped at its ${limits.turns}-turn limit, after ${made}.` }
  if (result.subtype === 'error_max_budget_usd' || result.terminalReason === 'budget_exhausted') {
    const cost = fold.costUsd === null ? '' : `, having used ${money(fold.costUsd)}`
    return { end: 'usd', detail: `It stopped at its limit of ${money(limits.usd)}${cost}, after ${made}.` }
  }
  if (fullContext.includes(result.terminalReason) || result.apiError === 'max_output_tokens')
    return { end: 'context', detail: `${meanings.context} after ${made}${quoted(result.text)}` }
  if (result.isError) {
    if (result.status !== null || result.terminalReason === 'api_error' || fold.failure !== null)
      return apiError(fold, result)
    return { end: 'crashed', detail: `${meanings.crashed} (${result.subtype || 'no type'}) after ${made}.` }
  }
  if (result.terminalReason !== 'completed')
    return {
      end: 'crashed',
      detail: `It ended for another reason than being done (${result.terminalReason || 'none told'}).`,
    }
  return { end: 'completed', detail: `It ended by itself after ${made}.` }
}

const exitText = ({ exitCode, signal }: ProcessEnd): string =>
  signal === null ? `exit status ${exitCode}` : `ended by ${signal}`

const withoutResult = (fold: Fold, { ended, stderr, noise }: Surroundings): Told => {
  if (ended.how === 'not started')
    return { end: 'refused', detail: `${ended.reason ?? 'It could not be started'}.` }
  const words = quoted(stderr || noise.last)
  // An ordinary failure before any event is how the CLI refuses a flag, a file or an incomplete installation.
  const { exitCode } = ended
  const silent = !fold.begun && !fold.proven && ended.how === 'exited'
  if (silent && exitCode !== null && exitCode > 0 && exitCode < 126)
    return { end: 'refused', detail: `The CLI did not start a session (${exitText(ended)})${words}` }
  return {
    end: 'crashed',
    detail: `The CLI ended without a result (${exitText(ended)}) after ${count(fold.ids.length, 'turn')}${words}`,
  }
}

const verdictOn = (fold: Fold, around: Surroundings): Told => {
  if (fold.cause !== null) return fold.cause
  return fold.result === null ? withoutResult(fold, around) : byResult(fold, fold.result, around)
}

const warningsOf = (fold: Fold, end: SessionEnd, around: Surroundings): string[] => {
  const { ended, noise, lingered } = around
  const warnings: string[] = []
  const worked = end === 'completed'
  if (worked && ended.how === 'exited' && ended.exitCode !== 0)
    warnings.push(`The CLI reported success and then failed (${exitText(ended)}).`)
  if (worked && fold.ids.length === 0)
    warnings.push('The session made no turn: nothing was asked of the model.')
  if (lingered) warnings.push('The CLI did not end by itself after its result and was ended.')
  if (fold.extraResults > 0)
    warnings.push('The CLI reported a further result after the first; it was not counted.')
  if (fold.result !== null && fold.costUsd === null) warnings.push('The CLI reported no cost.')
  if (fold.retries.count > 0) {
    const why = fold.retries.status === null ? 'no answer' : `status ${fold.retries.status}`
    warnings.push(`The CLI repeated ${count(fold.retries.count, 'request')} that failed (last: ${why}).`)
  }
  if (noise.count > 0) {
    const lines =
      noise.count === 1 ? '1 line that is no event' : `${noise.count} lines that are no events, the last`
    warnings.push(`The CLI printed ${lines}: ${oneLine(noise.last)}`)
  }
  return [...warnings, ...fold.fallbacks]
}

const fillOf = (fold: Fold): number | null => {
  if (fold.tokens === null || fold.result === null) return null
  const { windows } = fold.result
  const size = windows[fold.model] ?? Math.max(0, ...Object.values(windows))
  return size === 0 ? null : Math.min(1, fold.tokens / size)
}

/** The session's result, from what its stream told and how its process ended. */
export const sessionResult = (fold: Fold, around: Surroundings): SessionResult => {
  const { end, detail } = verdictOn(fold, around)
  const told = fold.result?.denials ?? []
  const answer = fold.result !== null && !fold.result.isError ? fold.result.text : ''
  const resetAt = end === 'rate-limited' ? resetTime(fold.resetsAt, around.now) : null
  return {
    end,
    detail: resetAt === null ? detail : `${detail} The limit resets at ${utc(resetAt)}.`,
    turns: fold.ids.length,
    costUsd: fold.costUsd,
    millis: Math.round(around.ended.millis),
    contextFill: fillOf(fold),
    denials: told.length > fold.denials.length ? told : fold.denials,
    text: answer.trim() === '' ? fold.said.text : answer,
    resetAt,
    warnings: warningsOf(fold, end, around),
    model: fold.model,
  }
}
