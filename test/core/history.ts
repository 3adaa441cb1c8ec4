import type { Checkpoint, Event, RunFacts } from '../../src/core/event.ts'
import { fold } from '../../src/core/journal.ts'
import { decide } from '../../src/core/loop.ts'
import type { SessionResult } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import type { Verdict } from '../../src/core/verdict.ts'

/** Builders of plain facts with overrides, so that a test states only what it is about. */

export const aRun = (more: Partial<RunFacts> = {}): RunFacts => ({
  id: '1-1-0',
  repository: 'org/repo',
  url: '',
  runUrl: '',
  task: 'Make the tests pass',
  title: 'Make the tests pass',
  branch: 'ralph/make-the-tests-pass-abc123',
  base: 'main',
  baseSha: 'base',
  baseTree: 'base-tree',
  found: null,
  tip: 'base',
  ahead: 0,
  remote: true,
  verifier: 'npm test',
  goal: 'auto',
  bounds: { iterations: 10, turnsPerIteration: 40, turns: 400, usd: 5, usdEnforced: true, millis: 3_600_000 },
  confirmations: 3,
  dryRun: false,
  failOn: null,
  model: '',
  cliVersion: '2.1.332',
  isolation: 'scrubbed',
  place: 'swapped',
  placeWhy: '',
  warnings: [],
  ...more,
})

export const aVerdict = (kind: Verdict['kind'], more: Partial<Verdict> = {}): Verdict => ({
  kind,
  cause: 'exit',
  exitCode: kind === 'pass' ? 0 : 1,
  millis: 1000,
  basis: 'counts',
  tests:
    kind === 'pass'
      ? { passed: 9, failed: 0, skipped: 0, total: 9 }
      : { passed: 7, failed: 2, skipped: 0, total: 9 },
  failing: kind === 'pass' ? [] : ['adds'],
  signature: kind === 'pass' ? '' : 'adds: expected 3',
  feedback: kind === 'pass' ? '' : 'not ok adds',
  log: 'logs/verify-1.log',
  ...more,
})

export const aSession = (more: Partial<SessionResult> = {}): SessionResult => ({
  end: 'completed',
  detail: 'The session ended by itself.',
  turns: 5,
  costUsd: 0.2,
  millis: 60_000,
  contextFill: 0.1,
  denials: [],
  text: 'Fixed it.',
  resetAt: null,
  warnings: [],
  model: 'claude-opus-5-5',
  ...more,
})

export const aCheckpoint = (tree: string, more: Partial<Checkpoint> = {}): Checkpoint => ({
  tree,
  commit: `commit-of-${tree}`,
  judgeTree: tree,
  restored: [],
  files: 1,
  insertions: 3,
  deletions: 1,
  leftOut: [],
  ...more,
})

/** An event without its time; `history` gives each the next minute. */
type Told = Event extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never

export const started = (more: Partial<RunFacts> = {}): Told => ({ type: 'run-started', run: aRun(more) })
export const baseline = (verdict: Verdict): Told => ({ type: 'baseline-judged', verdict })
export const begun = (iteration: number, attempt = 1): Told => ({
  type: 'iteration-started',
  iteration,
  attempt,
  limits: { turns: 40, usd: 2.5, millis: 600_000 },
})
export const worked = (more: Partial<SessionResult> = {}): Told => ({
  type: 'session-ended',
  session: aSession(more),
})
export const saved = (tree: string, more: Partial<Checkpoint> = {}): Told => ({
  type: 'checkpointed',
  checkpoint: aCheckpoint(tree, more),
})
export const unchanged = (tree: string): Told =>
  saved(tree, { commit: null, files: 0, insertions: 0, deletions: 0 })
export const pushed = (tree: string): Told => ({ type: 'pushed', sha: `commit-of-${tree}` })
export const judged = (tree: string, verdict: Verdict): Told => ({
  type: 'judged',
  purpose: 'verify',
  pristine: false,
  tree,
  verdict,
})
export const confirmed = (tree: string, verdict: Verdict, pristine = false): Told => ({
  type: 'judged',
  purpose: 'confirm',
  pristine,
  tree,
  verdict,
})

/** One whole iteration that changed something and was judged. */
export const iteration = (
  n: number,
  tree: string,
  verdict: Verdict,
  session: Partial<SessionResult> = {},
): Told[] => [begun(n), worked(session), saved(tree), pushed(tree), judged(tree, verdict)]

export const history = (...told: (Told | Told[])[]): Event[] =>
  told.flat().map((event, index) => ({ ...event, at: 1_700_000_000_000 + index * 1000 }) as Event)

export const after = (...told: (Told | Told[])[]): State => fold(history(...told))

/** What is decided after this history. */
export const decided = (...told: (Told | Told[])[]) => decide(after(...told))

/** The stop reason decided after this history; the decision's name when it is no stop. */
export const outcome = (...told: (Told | Told[])[]): string => {
  const decision = decided(...told)
  return decision.do === 'stop' ? decision.stop.reason : decision.do
}
