import { type Bounds, spent, type Used } from './ledger.ts'
import type { State } from './state.ts'
import { current } from './state.ts'
import type { Bound } from './stop.ts'
import type { Verdict } from './verdict.ts'

/** `$1.20`; four decimals below one cent, so that a small run does not read as free. */
export const money = (usd: number): string =>
  `$${usd !== 0 && Math.abs(usd) < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`

/** `42 s`, `3 min 5 s`, `1 h 2 min`. */
export const duration = (millis: number): string => {
  const seconds = Math.round(millis / 1000)
  if (millis < 1000) return `${(millis / 1000).toFixed(1)} s`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** `7 of 9 tests pass`, or what the exit code said. */
export const verdictPhrase = (verdict: Verdict): string => {
  const { tests } = verdict
  const numbers =
    tests === null || tests.total === 0 ? '' : `${tests.passed} of ${tests.passed + tests.failed} tests pass`
  switch (verdict.kind) {
    case 'pass':
      return numbers === '' ? 'the verifier passes' : numbers
    case 'fail':
      if (verdict.cause === 'timeout') return 'the verifier ran out of time'
      if (verdict.cause === 'no tests') return 'no tests ran'
      return numbers === '' ? `the verifier fails with exit code ${verdict.exitCode ?? 'none'}` : numbers
    case 'broken':
      return 'the verifier cannot judge'
    default:
      return verdict.kind satisfies never
  }
}

/** One sentence with what was used and where the tests stand. */
export const figures = (state: State): string => {
  const { used } = state
  const verdict = current(state)?.verdict ?? state.baseline
  const cost = `${money(used.usd)}${used.usdAtMost > 0 ? ` (at most ${money(used.usd + used.usdAtMost)})` : ''}`
  const spending = `${count(used.iterations, 'iteration')}, ${count(used.turns, 'turn')}, ${cost}, ${duration(used.millis)}`
  return verdict === null ? `Used: ${spending}.` : `Used: ${spending}; ${verdictPhrase(verdict)}.`
}

/** Which budget is used up, with the figures of exactly that one. */
export const exhausted = (bounds: Bounds, used: Used, bound: Bound): string => {
  const figure = spent(bounds, used, bound)
  switch (bound) {
    case 'iterations':
      return `All ${count(figure.of, 'iteration')} are used.`
    case 'turns':
      return `${figure.used} of ${count(figure.of, 'turn')} are used.`
    case 'usd':
      return `${money(figure.used)} of ${money(figure.of)} are used.`
    case 'minutes':
      return `${figure.used.toFixed(1)} of ${count(figure.of, 'minute')} are used, and what is left is too short for a session and its verification.`
    default:
      return bound satisfies never
  }
}
