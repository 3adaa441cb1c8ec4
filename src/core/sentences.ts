import { type Bounds, spent, type Used } from './ledger.ts'
import { standing } from './standing.ts'
import type { State } from './state.ts'
import type { Bound } from './stop.ts'
import type { TestCounts, Verdict } from './verdict.ts'

/** `$1.20`; below one cent with four decimals, so that a small run does not read as free. */
export const money = (usd: number): string => {
  if (usd === 0) return '$0.00'
  if (usd < 0.0001) return 'less than $0.0001'
  return `$${usd.toFixed(usd < 0.01 ? 4 : 2)}`
}

/** `0.4 s`, `42 s`, `3 min 5 s`, `1 h 2 min`. */
export const duration = (millis: number): string => {
  if (millis < 950) return `${(Math.max(0, millis) / 1000).toFixed(1)} s`
  const seconds = Math.round(millis / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

const two = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`

export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `2026-11-30 21:40 UTC`, from epoch milliseconds. */
export const utc = (millis: number): string =>
  `${new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' }).format(millis)} UTC`

/** `7 of 9 tests pass, 2 skipped`; empty when none was executed. */
const testsPhrase = (tests: TestCounts | null): string => {
  if (tests === null || tests.passed + tests.failed === 0) return ''
  const skipped = tests.skipped === 0 ? '' : `, ${tests.skipped} skipped`
  return `${tests.passed} of ${count(tests.passed + tests.failed, 'test')} pass${skipped}`
}

/** `exit code 1`, or how it ended without one. */
const exitPhrase = (exitCode: number | null): string =>
  exitCode === null ? 'without an exit code' : `with exit code ${exitCode}`

/** What a verdict says, as a clause: `7 of 9 tests pass`, `the verifier fails with exit code 1`. */
export const verdictPhrase = (verdict: Verdict): string => {
  const { kind, cause, tests, exitCode } = verdict
  if (kind === 'broken') return 'the verifier cannot judge'
  const numbers = testsPhrase(tests)
  if (kind === 'pass') return numbers === '' ? 'the verifier passes' : numbers
  switch (cause) {
    case 'timeout':
      return 'the verifier ran out of time'
    case 'killed':
      return 'the verifier was killed'
    case 'not started':
      return 'the verifier could not be started'
    case 'no report':
      return 'the verifier wrote no test report'
    case 'no tests':
      return 'no tests ran'
    case 'exit':
      if (numbers === '') return `the verifier fails ${exitPhrase(exitCode)}`
      return tests?.failed === 0 ? `the verifier fails ${exitPhrase(exitCode)}, though ${numbers}` : numbers
    default:
      return cause satisfies never
  }
}

/** What was spent, `at most` where no result confirmed a part of it. */
export const costPhrase = (used: Pick<Used, 'usd' | 'usdAtMost'>): string =>
  `${used.usdAtMost > 0 ? 'at most ' : ''}${money(used.usd + used.usdAtMost)}`

/** One sentence with what was used and what the last verdict says. */
export const figures = (state: State): string => {
  const { used, run } = state
  const known = standing(state)
  const estimate = run?.bounds.usdEnforced === false ? ' (estimate)' : ''
  const spending = [
    count(used.iterations, 'iteration'),
    count(used.turns, 'turn'),
    `${costPhrase(used)}${estimate}`,
    duration(used.millis),
  ].join(', ')
  return known === null ? `Used: ${spending}.` : `Used: ${spending}; ${verdictPhrase(known.verdict)}.`
}

/** Which budget is used up, with the figures of exactly that one. */
export const exhausted = (bounds: Bounds, used: Used, bound: Bound): string => {
  const figure = spent(bounds, used, bound)
  const turns = `${figure.used} of ${count(figure.of, 'turn')}`
  switch (bound) {
    case 'iterations':
      return figure.of === 1
        ? 'The only iteration is used.'
        : `All ${count(figure.of, 'iteration')} are used.`
    case 'turns':
      return figure.used < figure.of
        ? `${turns} are used, and what is left is too few for a session.`
        : `${turns} are used.`
    case 'usd':
      return `${capital(costPhrase(used))} of ${money(figure.of)} is used.`
    case 'minutes':
      return `${duration(used.millis)} of ${duration(bounds.millis)} are used, and what is left is too short for a session and its verification.`
    default:
      return bound satisfies never
  }
}
