import type { Checkpoint, Event, RunFacts } from './event.ts'
import { type Hint, noHint, readHint } from './hint.ts'
import { nothingUsed, type SessionLimits, type Used } from './ledger.ts'
import { noProgress, type Progress, settle } from './progress.ts'
import type { SessionEnd, SessionResult } from './session.ts'
import type { Stop } from './stop.ts'
import type { TestCounts, Verdict } from './verdict.ts'

/** What was done last; it decides what may come next. */
export type Phase = 'new' | 'started' | 'ready' | 'begun' | 'worked' | 'saved' | 'settled' | 'stopped'

/** One session as reports show it. Several rows share an iteration when a session was replaced. */
export type IterationRow = {
  iteration: number
  attempt: number
  session: SessionResult | null
  checkpoint: Checkpoint | null
  before: TestCounts | null
  verdict: Verdict | null
}

/** What is known of one judged tree. `passes` counts passed verifications; `clean` that one of them was pristine. */
export type Known = { verdict: Verdict; passes: number; clean: boolean; flaky: boolean }

export type State = {
  phase: Phase
  run: RunFacts | null
  startedAt: number
  now: number
  used: Used
  goal: 'green' | 'change'
  baseline: Verdict | null
  /** The iteration in progress or last ended, counted from 1 within this run; 0 before the first. */
  iteration: number
  attempt: number
  limits: SessionLimits | null
  session: SessionResult | null
  hint: Hint
  checkpoint: Checkpoint | null
  /** The branch's tip as this run made or found it. */
  head: string
  /** The newest commit the remote has taken. */
  pushed: string | null
  pushFailure: { why: string; text: string; bundle: string } | null
  /** All judged trees. */
  known: ReadonlyMap<string, Known>
  /** Tree of the last commit that made the branch's tip J; null when none was needed. */
  sealed: string | null
  progress: Progress
  crashes: number
  outages: number
  /** The longest verification seen, in milliseconds. */
  longest: number
  rows: readonly IterationRow[]
  cancelled: string | null
  failed: { reason: Stop['reason']; text: string } | null
  stop: Stop | null
}

export const initialState: State = {
  phase: 'new',
  run: null,
  startedAt: 0,
  now: 0,
  used: nothingUsed,
  goal: 'green',
  baseline: null,
  iteration: 0,
  attempt: 0,
  limits: null,
  session: null,
  hint: noHint,
  checkpoint: null,
  head: '',
  pushed: null,
  pushFailure: null,
  known: new Map(),
  sealed: null,
  progress: noProgress,
  crashes: 0,
  outages: 0,
  longest: 0,
  rows: [],
  cancelled: null,
  failed: null,
  stop: null,
}

/** Sessions that count as no iteration: nothing was asked of the model, or a fresh session takes their place. */
const uncounted: ReadonlySet<SessionEnd> = new Set([
  'rate-limited',
  'unavailable',
  'auth',
  'refused',
  'cancelled',
  'crashed',
  'stalled',
])

/** What is known of the tree that is to be judged now; null when it has not been judged. */
export const current = (state: State): Known | null =>
  state.checkpoint === null ? null : (state.known.get(state.checkpoint.judgeTree) ?? null)

export const evolve = (previous: State, event: Event): State => {
  const started = event.type === 'run-started' ? event.at : previous.startedAt
  const state: State = {
    ...previous,
    startedAt: started,
    now: event.at,
    used: { ...previous.used, millis: Math.max(previous.used.millis, event.at - started) },
  }
  switch (event.type) {
    case 'run-started':
      return { ...state, phase: 'started', run: event.run, head: event.run.tip }
    case 'baseline-judged':
      return afterBaseline(state, event.verdict)
    case 'iteration-started':
      return {
        ...state,
        phase: 'begun',
        iteration: event.iteration,
        attempt: event.attempt,
        limits: event.limits,
        session: null,
        rows: [...state.rows, emptyRow(state, event.iteration, event.attempt)],
      }
    case 'session-ended':
      return afterSession(state, event.session)
    case 'checkpointed':
      return afterCheckpoint(state, event.checkpoint)
    case 'pushed':
      return { ...state, phase: 'settled', pushed: event.sha }
    case 'push-failed':
      return {
        ...state,
        phase: 'settled',
        pushFailure: { why: event.why, text: event.text, bundle: event.bundle },
      }
    case 'judged':
      return afterVerdict(state, event)
    case 'sealed':
      return { ...state, phase: 'saved', sealed: event.tree, head: event.commit }
    case 'waited':
      return { ...state, session: null, phase: 'settled' }
    case 'cancelled':
      return { ...state, cancelled: event.signal }
    case 'failed':
      return { ...state, failed: { reason: event.reason, text: event.text } }
    case 'stopped':
      return { ...state, phase: 'stopped', stop: event.stop }
    default:
      return event satisfies never
  }
}

const emptyRow = (state: State, iteration: number, attempt: number): IterationRow => ({
  iteration,
  attempt,
  session: null,
  checkpoint: null,
  before: (current(state)?.verdict ?? state.baseline)?.tests ?? null,
  verdict: null,
})

const afterBaseline = (state: State, verdict: Verdict): State => {
  const asked = state.run?.goal ?? 'auto'
  const known: Known = { verdict, passes: verdict.kind === 'pass' ? 1 : 0, clean: false, flaky: false }
  return {
    ...state,
    phase: 'ready',
    baseline: verdict,
    goal: asked === 'auto' ? (verdict.kind === 'pass' ? 'change' : 'green') : asked,
    known: new Map([[state.run?.baseTree ?? '', known]]),
    longest: verdict.millis,
    progress: { ...noProgress, fewest: verdict.kind === 'fail' ? (verdict.tests?.failed ?? null) : null },
  }
}

const afterSession = (state: State, session: SessionResult): State => {
  const reported = session.costUsd
  const counted = !uncounted.has(session.end)
  const failed = session.end === 'crashed' || session.end === 'stalled'
  return {
    ...state,
    phase: 'worked',
    session,
    hint: readHint(session.text),
    crashes: failed ? state.crashes + 1 : counted ? 0 : state.crashes,
    outages: session.end === 'unavailable' ? state.outages + 1 : counted ? 0 : state.outages,
    used: {
      ...state.used,
      iterations: state.used.iterations + (counted ? 1 : 0),
      turns: state.used.turns + session.turns,
      usd: state.used.usd + (reported ?? 0),
      // A session that reported nothing is charged what it could have spent, unless it made no turn at all.
      usdAtMost:
        state.used.usdAtMost + (reported === null && session.turns > 0 ? (state.limits?.usd ?? 0) : 0),
    },
    rows: withLast(state.rows, { session }),
  }
}

const afterCheckpoint = (state: State, checkpoint: Checkpoint): State => {
  const next: State = {
    ...state,
    phase: 'saved',
    checkpoint,
    head: checkpoint.commit ?? state.head,
    sealed: null,
    rows: withLast(state.rows, { checkpoint }),
  }
  const known = current(next)
  return known === null ? next : settled(next, known.verdict)
}

const afterVerdict = (state: State, event: Extract<Event, { type: 'judged' }>): State => {
  const before = state.known.get(event.tree)
  const { verdict } = event
  const known: Known =
    verdict.kind === 'pass'
      ? {
          verdict,
          passes: (before?.passes ?? 0) + 1,
          clean: event.pristine || (before?.clean ?? false),
          flaky: false,
        }
      : { verdict, passes: 0, clean: false, flaky: (before?.passes ?? 0) > 0 }
  const next: State = {
    ...state,
    phase: 'settled',
    known: new Map(state.known).set(event.tree, known),
    longest: Math.max(state.longest, verdict.millis),
  }
  return event.purpose === 'confirm' && verdict.kind === 'pass' ? next : settled(next, verdict)
}

const settled = (state: State, verdict: Verdict): State => {
  const counted = state.session !== null && !uncounted.has(state.session.end)
  return {
    ...state,
    rows: withLast(state.rows, { verdict }),
    progress:
      counted && state.checkpoint ? settle(state.progress, state.checkpoint, verdict) : state.progress,
  }
}

const withLast = (rows: readonly IterationRow[], change: Partial<IterationRow>): readonly IterationRow[] => {
  const last = rows.at(-1)
  return last === undefined ? rows : [...rows.slice(0, -1), { ...last, ...change }]
}
