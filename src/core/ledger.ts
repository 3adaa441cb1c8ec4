import type { Bound } from './stop.ts'

/** The four bounds of a run. Every one is finite. `turnsPerIteration` bounds one session. */
export type Bounds = {
  iterations: number
  turnsPerIteration: number
  turns: number
  usd: number
  /** With a subscription token costs are estimates: shown, but not a bound (D21). */
  usdEnforced: boolean
  millis: number
}

/** What has been used of each bound. `usdAtMost` is the part that no result confirmed. */
export type Used = { iterations: number; turns: number; usd: number; usdAtMost: number; millis: number }

export const nothingUsed: Used = { iterations: 0, turns: 0, usd: 0, usdAtMost: 0, millis: 0 }

/** What one session may use. `millis` is its wall time. */
export type SessionLimits = { turns: number; usd: number; millis: number }

/** A session shorter than this cannot do anything useful: 30 seconds. */
const shortestSession = 30_000
/** Fewest turns of a session: with one it ends before the agent can read the result of its first tool call. */
const fewestTurns = 2
/** The smallest budget the CLI is started with, in US dollars: one small reply. */
const smallestUsd = 0.01
/** Above this, a session that is not the last gets half of what is left: one that dies without a result is charged its whole limit. */
const smallestSplit = 0.5
/** What saving, judging and reporting need beside the verifier's own time: 10 seconds. */
const overhead = 10_000

/**
 * What the next session may use, or the bound that leaves no room for one.
 *
 * `verifier` is the longest verification seen, in milliseconds: the session must leave time for one more.
 * The order of the bounds is the order in which they are named when several are used up.
 */
export const admit = (bounds: Bounds, used: Used, verifier: number): SessionLimits | Bound => {
  if (used.iterations >= bounds.iterations) return 'iterations'
  const turns = Math.min(bounds.turnsPerIteration, bounds.turns - used.turns)
  if (turns < fewestTurns) return 'turns'
  const usd = remainingUsd(bounds, used)
  if (usd < smallestUsd) return 'usd'
  const millis = bounds.millis - used.millis - Math.ceil(verifier * 1.2) - overhead
  if (millis < Math.min(shortestSession, bounds.millis / 4)) return 'minutes'
  const last = bounds.iterations - used.iterations === 1 || usd < smallestSplit
  return { turns, usd: last ? usd : usd / 2, millis }
}

/**
 * How long one verification may take, in milliseconds: its own limit, but no more than the run has left. One that is
 * only somewhat slower than the longest so far is not cut off for that: its session was admitted with it in mind.
 */
export const verifierLimit = (bounds: Bounds, used: Used, longest: number, own: number): number =>
  Math.min(own, Math.max(bounds.millis - used.millis, 2 * longest + overhead))

/** US dollars left; without enforcement, the whole bound for each session: a backstop against a runaway. */
const remainingUsd = (bounds: Bounds, used: Used): number =>
  bounds.usdEnforced ? bounds.usd - used.usd - used.usdAtMost : bounds.usd

/** `used` of one bound and the bound itself, in the bound's own unit (minutes for `minutes`). */
export const spent = (bounds: Bounds, used: Used, bound: Bound): { used: number; of: number } => {
  switch (bound) {
    case 'iterations':
      return { used: used.iterations, of: bounds.iterations }
    case 'turns':
      return { used: used.turns, of: bounds.turns }
    case 'usd':
      return { used: used.usd + used.usdAtMost, of: bounds.usd }
    case 'minutes':
      return { used: used.millis / 60_000, of: bounds.millis / 60_000 }
    default:
      return bound satisfies never
  }
}
