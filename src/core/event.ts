import type { Bounds, SessionLimits } from './ledger.ts'
import type { SessionResult } from './session.ts'
import type { Stop, StopReason } from './stop.ts'
import type { Verdict } from './verdict.ts'

/** What is fixed before the first verification. Everything a report needs, so that the journal alone suffices. */
export type RunFacts = {
  /** Unique for one attempt of one job. */
  id: string
  /** `owner/name`, or the folder's name outside GitHub. */
  repository: string
  /** Address of the repository's pages, without a trailing slash; empty outside GitHub. */
  url: string
  /** Address of this run's log; empty outside GitHub. */
  runUrl: string
  task: string
  /** First line of the task, at most 72 characters. */
  title: string
  branch: string
  base: string
  baseSha: string
  baseTree: string
  /** What the branch was on the remote at the start; null when it was not there. */
  found: string | null
  /** Where the work goes on from: `found`, our merge of the base into it, or `baseSha` when nothing is to be kept. */
  tip: string
  /** How many commits the branch already had, beyond the base. */
  ahead: number
  /** Whether there is a remote to push to. */
  remote: boolean
  /** The verifier as people name it: its command. */
  verifier: string
  goal: 'auto' | 'green' | 'change'
  bounds: Bounds
  /** Verifications of the same tree that must pass in all, or `auto`: three when they fit the time. */
  confirmations: number | 'auto'
  dryRun: boolean
  failOn: readonly StopReason[] | null
  model: string
  cliVersion: string
  isolation: string
  /** Where the verifier runs; `in place` says why in `placeWhy`. */
  place: 'swapped' | 'in place'
  placeWhy: string
  /** Sentences a person should read: about inputs, credentials, the checkout. */
  warnings: readonly string[]
}

/** A path that stayed out of the commit, and why. */
export type LeftOut = { path: string; why: string }

export type Checkpoint = {
  tree: string
  /** The commit made; null when the tree is that of the branch's tip. */
  commit: string | null
  /** J: the tree that is judged. */
  judgeTree: string
  /** Paths where J has the base's version instead of the candidate's. */
  restored: readonly string[]
  files: number
  insertions: number
  deletions: number
  leftOut: readonly LeftOut[]
}

/** What happened, in the order in which it happened. Every event carries its time in epoch milliseconds. */
export type Event = { at: number } & (
  | { type: 'run-started'; run: RunFacts }
  | { type: 'baseline-judged'; verdict: Verdict }
  | { type: 'iteration-started'; iteration: number; attempt: number; limits: SessionLimits }
  | { type: 'session-ended'; session: SessionResult }
  | { type: 'checkpointed'; checkpoint: Checkpoint }
  | { type: 'pushed'; sha: string }
  | { type: 'push-failed'; why: string; text: string; bundle: string }
  | { type: 'judged'; purpose: 'verify' | 'confirm'; pristine: boolean; tree: string; verdict: Verdict }
  | { type: 'sealed'; commit: string; tree: string }
  | { type: 'waited'; millis: number; why: string }
  | { type: 'cancelled'; signal: string }
  | { type: 'failed'; reason: StopReason; text: string }
  | { type: 'stopped'; stop: Stop }
)

/** What is to be done next. `run.ts` performs it and answers with the event that says what happened. */
export type Decision =
  | { do: 'open' }
  | { do: 'judge-baseline' }
  | { do: 'begin'; iteration: number; attempt: number; limits: SessionLimits }
  | { do: 'session'; limits: SessionLimits }
  | { do: 'checkpoint' }
  | { do: 'push'; sha: string }
  | { do: 'judge'; purpose: 'verify' | 'confirm'; pristine: boolean }
  | { do: 'seal' }
  | { do: 'wait'; millis: number; why: string }
  | { do: 'stop'; stop: Stop }
