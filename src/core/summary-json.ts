import { spent } from './ledger.ts'
import { current, type State } from './state.ts'
import { type Stop, stopRow } from './stop.ts'

/** Version of the summary in JSON. It rises when a field changes its meaning or goes away. */
export const summaryVersion = 1

/** The run as data, for other tools. Money in US dollars, times in epoch milliseconds, durations in milliseconds. */
export const summaryJson = (state: State, stop: Stop) => {
  const { run } = state
  const verdict = current(state)?.verdict ?? state.baseline
  return {
    schema: summaryVersion,
    success: stop.reason === 'SUCCESS',
    stopReason: stop.reason,
    sentence: stopRow(stop.reason).sentence,
    detail: stop.detail,
    next: stopRow(stop.reason).next,
    bound: stop.bound ?? null,
    resumeAt: stop.resumeAt ?? null,
    task: run?.title ?? null,
    repository: run?.repository ?? null,
    branch: run?.branch ?? null,
    base: run === null ? null : { branch: run.base, sha: run.baseSha },
    head: run === null || state.head === run.baseSha ? null : state.head,
    pushed: state.pushed,
    budgets:
      run === null
        ? null
        : Object.fromEntries(
            (['iterations', 'turns', 'usd', 'minutes'] as const).map((bound) => [
              bound,
              spent(run.bounds, state.used, bound),
            ]),
          ),
    costIsEstimate: run === null ? null : !run.bounds.usdEnforced,
    verdict:
      verdict === null
        ? null
        : { kind: verdict.kind, basis: verdict.basis, tests: verdict.tests, failing: verdict.failing },
    baseline:
      state.baseline === null
        ? null
        : { kind: state.baseline.kind, tests: state.baseline.tests, failing: state.baseline.failing },
    iterations: state.rows.map(({ iteration, attempt, session, checkpoint, verdict: judged }) => ({
      iteration,
      attempt,
      end: session?.end ?? null,
      turns: session?.turns ?? null,
      costUsd: session?.costUsd ?? null,
      millis: session?.millis ?? null,
      denials: session?.denials ?? [],
      commit: checkpoint?.commit ?? null,
      verdict: judged?.kind ?? null,
      tests: judged?.tests ?? null,
    })),
  }
}

/** The action's outputs: short facts and names, never a text of the agent. Empty where there is nothing to say. */
export const outputs = (state: State, stop: Stop): Record<string, string> => {
  const { run, used } = state
  const verdict = current(state)?.verdict ?? state.baseline
  const tests = verdict?.tests ?? null
  const held = run !== null && state.head !== run.baseSha
  return {
    success: String(stop.reason === 'SUCCESS'),
    'stop-reason': stop.reason,
    iterations: String(used.iterations),
    turns: String(used.turns),
    'cost-usd': String(Number(used.usd.toFixed(6))),
    verdict: verdict?.kind ?? '',
    'tests-passed': tests === null ? '' : String(tests.passed),
    'tests-total': tests === null ? '' : String(tests.passed + tests.failed),
    branch: held ? run.branch : '',
    'head-sha': held ? state.head : '',
  }
}
