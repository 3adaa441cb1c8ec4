import type { Decision, RunFacts } from './event.ts'
import { admit } from './ledger.ts'
import { exhausted, figures } from './sentences.ts'
import { current, type Known, type State } from './state.ts'
import type { Bound, Stop, StopReason } from './stop.ts'

/** A rate limit that resets later than this is not waited for: 10 minutes. */
const longestWait = 10 * 60_000
/** Outages in a row after which the run stops; each wait is twice the one before. */
const mostOutages = 3
const firstOutageWait = 30_000

/**
 * The next thing to do, from all that has happened. Success is asked before every limit, so that a green
 * verdict in the last allowed iteration is a success even when that iteration crossed a budget.
 */
export const decide = (state: State): Decision => {
  const { run } = state
  if (state.failed) return stop(state.failed.reason, state.failed.text)
  if (state.cancelled) return stop('CANCELLED', `Signal ${state.cancelled}. ${figures(state)}`)
  if (run === null) return { do: 'open' }
  switch (state.phase) {
    case 'new':
      return { do: 'open' }
    case 'started':
      return { do: 'judge-baseline' }
    case 'ready':
      return afterBaseline(state, run)
    case 'begun':
      return state.limits ? { do: 'session', limits: state.limits } : next(state, run)
    case 'worked':
      return { do: 'checkpoint' }
    case 'saved':
      return run.remote && state.head !== run.baseSha && state.pushed !== state.head
        ? { do: 'push', sha: state.head }
        : settled(state, run)
    case 'settled':
      return settled(state, run)
    case 'stopped':
      return {
        do: 'stop',
        stop: state.stop ?? { reason: 'AGENT_FAILED', detail: 'The journal ends without a reason.' },
      }
    default:
      return state.phase satisfies never
  }
}

const stop = (reason: StopReason, detail: string, more: Partial<Stop> = {}): Decision => ({
  do: 'stop',
  stop: { reason, detail, ...more },
})

const afterBaseline = (state: State, run: RunFacts): Decision => {
  const { baseline } = state
  if (baseline?.kind === 'broken')
    return stop('VERIFIER_BROKEN', `\`${run.verifier}\` ${couldNot(baseline.cause, baseline.exitCode)}.`)
  // A branch that already holds work is judged before anything is spent on it.
  if (run.tip !== run.baseSha && !run.dryRun) return { do: 'checkpoint' }
  if (state.goal === 'green' && baseline?.kind === 'pass')
    return stop('NOTHING_TO_DO', `\`${run.verifier}\` passes on ${run.base}.`)
  if (run.dryRun)
    return stop(
      'NOTHING_TO_DO',
      'This was a dry run: the inputs are valid, the verifier can judge, and no session was started.',
    )
  return next(state, run)
}

const couldNot = (cause: string, exitCode: number | null): string => {
  if (cause === 'timeout') return 'did not end within its time limit'
  if (cause === 'not started') return `could not be run (exit code ${exitCode ?? 'none'})`
  if (cause === 'killed') return 'was killed'
  if (cause === 'no report') return 'wrote no file that matches test-report'
  return cause === 'no tests' ? 'ran no tests' : `ended with exit code ${exitCode ?? 'none'}`
}

/** The candidate is saved: judge it if it has not been judged, else go by its verdict. */
const settled = (state: State, run: RunFacts): Decision => {
  if (state.pushFailure) return stop('PUSH_FAILED', `${state.pushFailure.text} ${figures(state)}`)
  const known = current(state)
  if (known === null && state.checkpoint !== null) return { do: 'judge', purpose: 'verify', pristine: false }
  if (known?.verdict.kind === 'broken') {
    return stop(
      'VERIFIER_BROKEN',
      `\`${run.verifier}\` ${couldNot(known.verdict.cause, known.verdict.exitCode)}, and the base cannot be judged now either.`,
    )
  }
  return known?.verdict.kind === 'pass' && goalMet(state, run) ? confirm(state, run, known) : next(state, run)
}

/** Green is enough when the base was red; otherwise something must have changed and the agent must say it is complete. */
const goalMet = (state: State, run: RunFacts): boolean =>
  state.goal === 'green' ? true : state.checkpoint?.judgeTree !== run.baseTree && state.hint.complete

/** Confirmations: the last one starts from the pristine copy; when time is short it is the only one. */
const confirm = (state: State, run: RunFacts, known: Known): Decision => {
  const asked = run.confirmations === 'auto' ? 3 : run.confirmations
  const left = asked - known.passes
  if (asked > 1 && !known.clean) {
    const fits =
      run.confirmations !== 'auto' || left * state.longest * 1.2 < run.bounds.millis - state.used.millis
    return { do: 'judge', purpose: 'confirm', pristine: left <= 1 || !fits }
  }
  const checkpoint = state.checkpoint
  if (checkpoint && checkpoint.judgeTree !== checkpoint.tree && state.sealed !== checkpoint.judgeTree)
    return { do: 'seal' }
  return stop('SUCCESS', `${known.passes} of ${known.passes} verifications passed. ${figures(state)}`)
}

/** Not there yet: why the run must end, else the next session. The order is the order of the valves, then progress, then the bounds. */
const next = (state: State, run: RunFacts): Decision => {
  const { session, progress, hint } = state
  const attempt = retry(state, run)
  if (attempt !== null) return attempt
  const green = current(state)?.verdict.kind === 'pass'
  if (hint.blocked && !green) return stop('BLOCKED', `The agent: “${hint.blocked}” ${figures(state)}`)
  if (progress.idle >= 2) {
    if (green && hint.complete)
      return stop('NOTHING_TO_DO', `The agent says that nothing is to be done, twice. ${figures(state)}`)
    return stop('NO_PROGRESS', `Two iterations in a row changed nothing.${denied(state)} ${figures(state)}`)
  }
  if (progress.circles >= 2)
    return stop('NO_PROGRESS', `The work goes in circles: the same states came back. ${figures(state)}`)
  if (progress.same >= 3)
    return stop('REPEATED_FAILURE', `Signature: ${progress.signature}. ${figures(state)}`)
  const room = admit(run.bounds, state.used, state.longest)
  if (typeof room === 'string') return outOf(state, run, room)
  const replaces = session?.end === 'crashed' || session?.end === 'stalled'
  return {
    do: 'begin',
    iteration: state.used.iterations + 1,
    attempt: replaces || state.iteration === state.used.iterations + 1 ? state.attempt + 1 : 1,
    limits: room,
  }
}

const outOf = (state: State, run: RunFacts, bound: Bound): Decision =>
  stop('BUDGET_EXHAUSTED', `${exhausted(run.bounds, state.used, bound)} ${figures(state)}`, { bound })

const denied = (state: State): string => {
  const tools = [
    ...new Set(state.rows.flatMap((row) => row.session?.denials.map((denial) => denial.tool) ?? [])),
  ]
  return tools.length === 0 ? '' : ` Denied tools: ${tools.join(', ')}.`
}

/** What the last session's failure asks for; null when the loop simply goes on. */
const retry = (state: State, run: RunFacts): Decision | null => {
  const { session } = state
  if (session === null) return null
  const left = run.bounds.millis - state.used.millis
  switch (session.end) {
    case 'auth':
      return stop('AUTH_FAILED', session.detail)
    case 'refused':
      return stop('SETUP_FAILED', session.detail)
    case 'cancelled':
      return stop('CANCELLED', `${session.detail} ${figures(state)}`)
    case 'rate-limited': {
      const wait = session.resetAt === null ? null : session.resetAt - state.now + 1000
      if (wait !== null && wait <= longestWait && wait < left)
        return { do: 'wait', millis: Math.max(wait, 1000), why: session.detail }
      const more = session.resetAt === null ? {} : { resumeAt: session.resetAt }
      return stop('RATE_LIMITED', `${session.detail} ${figures(state)}`, more)
    }
    case 'unavailable': {
      const wait = firstOutageWait * 2 ** (state.outages - 1)
      if (state.outages < mostOutages && wait < left) return { do: 'wait', millis: wait, why: session.detail }
      return stop('API_UNAVAILABLE', `${session.detail} ${figures(state)}`)
    }
    case 'crashed':
    case 'stalled':
      return state.crashes >= 2 ? stop('AGENT_FAILED', `${session.detail} ${figures(state)}`) : null
    case 'completed':
    case 'turns':
    case 'usd':
    case 'minutes':
    case 'context':
      return null
    default:
      return session.end satisfies never
  }
}
