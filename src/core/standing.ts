import { current, type State } from './state.ts'
import type { Verdict } from './verdict.ts'

/** The newest verdict there is, and what it is about: the work as it is, an earlier state of it, or the base. */
export type Standing = { verdict: Verdict; of: 'work' | 'earlier work' | 'base'; flaky: boolean }

/** Null before the baseline. */
export const standing = (state: State): Standing | null => {
  const known = current(state)
  if (known !== null) {
    const untouched = state.checkpoint?.judgeTree === state.run?.baseTree
    return { verdict: known.verdict, of: untouched ? 'base' : 'work', flaky: known.flaky }
  }
  const earlier = state.rows.findLast((row) => row.verdict !== null)?.verdict ?? null
  if (earlier !== null) return { verdict: earlier, of: 'earlier work', flaky: false }
  return state.baseline === null ? null : { verdict: state.baseline, of: 'base', flaky: false }
}

/** As many names of failing tests as a verdict keeps: with so many, one that is missing may have failed too. */
const allNames = 200

/** The failing tests of a verdict, by whether they failed on the base as well; null when not both are known by name. */
export const comparedWithBase = (
  { verdict, of }: Standing,
  baseline: Verdict | null,
): { broken: readonly string[]; old: readonly string[] } | null => {
  if (of === 'base' || baseline === null) return null
  if (![verdict, baseline].every(({ basis, failing }) => basis === 'names' && failing.length < allNames))
    return null
  const before = new Set(baseline.failing)
  return {
    broken: verdict.failing.filter((name) => !before.has(name)),
    old: verdict.failing.filter((name) => before.has(name)),
  }
}
