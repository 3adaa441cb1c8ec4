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
