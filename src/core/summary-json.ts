import type { RunFacts } from './event.ts'
import { spent, type Used } from './ledger.ts'
import { standing } from './standing.ts'
import type { IterationRow, State } from './state.ts'
import { type Bound, type Stop, stopRow } from './stop.ts'
import type { Verdict } from './verdict.ts'

/** Version of the summary in JSON. It rises when a field changes its meaning or goes away. */
export const summaryVersion = 1

const allBounds: readonly Bound[] = ['iterations', 'turns', 'usd', 'minutes']

/**
 * The run as data, for other tools: the same fields for every stop reason, null where there is nothing to say. Money
 * in US dollars, times in epoch milliseconds, durations in milliseconds. It holds texts of agent and verifier: a
 * program that reads it must treat them as data.
 */
export const summaryJson = (state: State, stop: Stop) => {
  const { run, used, baseline } = state
  const { sentence, next } = stopRow(stop.reason)
  const known = standing(state)
  return {
    schema: summaryVersion,
    success: stop.reason === 'SUCCESS',
    stopReason: stop.reason,
    sentence,
    detail: stop.detail,
    next,
    bound: stop.bound ?? null,
    resumeAt: stop.resumeAt ?? null,
    task: run?.title ?? null,
    repository: run?.repository ?? null,
    branch: run?.branch ?? null,
    base: run === null ? null : { branch: run.base, sha: run.baseSha },
    head: headOf(state),
    pushed: state.pushed,
    bundle: state.pushFailure?.bundle ?? null,
    budgets:
      run === null ? null : Object.fromEntries(allBounds.map((bound) => [bound, budget(run, used, bound)])),
    /** The part of the cost that no result confirmed. */
    costAtMost: used.usdAtMost,
    costIsEstimate: run === null ? null : !run.bounds.usdEnforced,
    verdict: known === null ? null : { of: known.of, flaky: known.flaky, ...judged(known.verdict) },
    baseline: baseline === null ? null : judged(baseline),
    iterations: state.rows.map(iterationOf),
  }
}

/** Rounded: more digits would only be noise of the addition. */
const budget = (run: RunFacts, used: Used, bound: Bound) => {
  const figure = spent(run.bounds, used, bound)
  return { used: Number(figure.used.toFixed(4)), of: Number(figure.of.toFixed(4)) }
}

const judged = ({ kind, cause, exitCode, basis, tests, failing, log }: Verdict) => ({
  kind,
  cause,
  exitCode,
  basis,
  tests,
  failing,
  log,
})

const iterationOf = ({ iteration, attempt, session, checkpoint, verdict }: IterationRow) => ({
  iteration,
  attempt,
  end: session?.end ?? null,
  turns: session?.turns ?? null,
  costUsd: session?.costUsd ?? null,
  millis: session?.millis ?? null,
  denials: session?.denials ?? [],
  commit: checkpoint?.commit ?? null,
  leftOut: checkpoint?.leftOut ?? [],
  restored: checkpoint?.restored ?? [],
  verdict: verdict?.kind ?? null,
  tests: verdict?.tests ?? null,
})

/** The branch's tip; null when it holds nothing beyond the base. */
const headOf = ({ run, head }: State): string | null => (run === null || head === run.baseSha ? null : head)

/** The action's outputs: short facts and names, never a text of the agent. Empty where there is nothing to say. */
export const outputs = (state: State, stop: Stop): Record<string, string> => {
  const { run, used } = state
  const verdict = standing(state)?.verdict ?? null
  const tests = verdict?.tests ?? null
  const head = headOf(state)
  return {
    success: String(stop.reason === 'SUCCESS'),
    'stop-reason': stop.reason,
    iterations: String(used.iterations),
    turns: String(used.turns),
    'cost-usd': String(Number(used.usd.toFixed(6))),
    verdict: verdict?.kind ?? '',
    'tests-passed': tests === null ? '' : String(tests.passed),
    'tests-total': tests === null ? '' : String(tests.passed + tests.failed),
    branch: head === null ? '' : (run?.branch ?? ''),
    'head-sha': head ?? '',
  }
}
