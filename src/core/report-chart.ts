import type { Bounds } from './ledger.ts'
import type { State } from './state.ts'

type Point = { label: string; passing: number; cost: number }

/**
 * A picture, drawn by GitHub from Mermaid: tests passing as a line and cost as bars, in percent of the tests that ran
 * and of the budget. Empty unless at least two iterations have numbers.
 */
export const chart = (state: State, bounds: Bounds): string => {
  const { baseline } = state
  let usd = 0
  const points: Point[] = []
  for (const { iteration, attempt, session, verdict } of state.rows) {
    usd += session?.costUsd ?? 0
    const passing = percent(verdict?.tests?.passed, verdict?.tests?.failed)
    if (passing === null) continue
    const cost = Math.min(100, Math.round((usd / bounds.usd) * 100))
    points.push({ label: attempt > 1 ? `${iteration}.${attempt}` : String(iteration), passing, cost })
  }
  if (points.length < 2) return ''
  const start = percent(baseline?.tests?.passed, baseline?.tests?.failed)
  const all = start === null ? points : [{ label: 'base', passing: start, cost: 0 }, ...points]
  return [
    '```mermaid',
    'xychart-beta',
    `    title "Tests passing (line)${bounds.usdEnforced ? ' and cost (bars)' : ''}, in percent"`,
    `    x-axis [${all.map(({ label }) => `"${label}"`).join(', ')}]`,
    '    y-axis 0 --> 100',
    ...(bounds.usdEnforced ? [`    bar [${all.map(({ cost }) => cost).join(', ')}]`] : []),
    `    line [${all.map(({ passing }) => passing).join(', ')}]`,
    '```',
  ].join('\n')
}

/** Rounded down, so that only all is 100. Null when nothing was executed. */
const percent = (passed = 0, failed = 0): number | null =>
  passed + failed === 0 ? null : Math.floor((passed / (passed + failed)) * 100)
