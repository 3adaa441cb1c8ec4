/** Every way a run can end, as data: the sentence, the exit status of the step, and who acts next come from this one table. */
type Row = {
  /** The first sentence of every report. */
  sentence: string
  /** Whether the action's step passes. `fail-on` overrides it. */
  step: 'passes' | 'fails'
  /** Who acts next, as a clause that completes "Next: …". */
  next: string
  /** The annotation on the workflow run. */
  annotation: 'none' | 'notice' | 'warning' | 'error'
  /** The emoji of the headline. */
  mark: string
}

const table = {
  SUCCESS: {
    sentence: 'The verifier passed on exactly the tree that is on the branch, as often as asked.',
    step: 'passes',
    next: 'a person reviews the branch and merges it.',
    annotation: 'none',
    mark: '✅',
  },
  NOTHING_TO_DO: {
    sentence: 'There was nothing to do: the verifier passes on the base already.',
    step: 'passes',
    next: 'nobody. If you expected work, give a task whose tests fail today, or set `goal: change`.',
    annotation: 'notice',
    mark: '⚪',
  },
  BUDGET_EXHAUSTED: {
    sentence: 'A budget was used up before the verifier passed. The work so far is kept.',
    step: 'passes',
    next: 'the next run goes on from here, or a person raises the budget or narrows the task.',
    annotation: 'warning',
    mark: '🟡',
  },
  JUDGE_CHANGED: {
    sentence: 'The change passes only with its own edits to the tests or their wiring.',
    step: 'passes',
    next: 'a person looks at exactly those files.',
    annotation: 'warning',
    mark: '🟠',
  },
  CHECKPOINT: {
    sentence: 'The configured number of stories is done.',
    step: 'passes',
    next: 'a person looks at the work and lets the run go on.',
    annotation: 'notice',
    mark: '⏸️',
  },
  RATE_LIMITED: {
    sentence: "The model's rate limit was reached, and its reset is too far away to wait for.",
    step: 'passes',
    next: 'the next run, after the limit resets.',
    annotation: 'warning',
    mark: '⏳',
  },
  PAUSED: {
    sentence: 'The same stop came three runs in a row on the same commit, so runs are paused.',
    step: 'passes',
    next: 'a person changes the task, the code or the configuration.',
    annotation: 'notice',
    mark: '⏸️',
  },
  BRANCH_BUSY: {
    sentence: 'Another live run owns the branch.',
    step: 'passes',
    next: 'nobody: the other run goes on.',
    annotation: 'notice',
    mark: '⏸️',
  },
  CLOSED: {
    sentence: 'The pull request or the issue was closed or merged, or runs are switched off.',
    step: 'passes',
    next: 'nobody.',
    annotation: 'notice',
    mark: '⚪',
  },
  NO_PROGRESS: {
    sentence: 'The work stood still, so the run stopped before it spent more.',
    step: 'fails',
    next: 'a person makes the task smaller or clearer.',
    annotation: 'error',
    mark: '🔴',
  },
  BLOCKED: {
    sentence: 'The agent says that it needs a person.',
    step: 'fails',
    next: 'a person answers the question, then starts the run again.',
    annotation: 'error',
    mark: '🙋',
  },
  REPEATED_FAILURE: {
    sentence: 'The same failure came three times in a row.',
    step: 'fails',
    next: 'a person looks at the failing test or gives a hint in the task.',
    annotation: 'error',
    mark: '🔴',
  },
  BASELINE_RED: {
    sentence: 'All that still fails fails on the base as well, and the task is something else.',
    step: 'fails',
    next: 'a person mends the base or names those tests in `known-failures`.',
    annotation: 'error',
    mark: '🔴',
  },
  REVIEW_REJECTED: {
    sentence: 'The verifier passes, but the reviewer still says DO NOT MERGE.',
    step: 'fails',
    next: 'a person reads the findings and decides.',
    annotation: 'error',
    mark: '🔴',
  },
  VERIFIER_BROKEN: {
    sentence: 'The verifier cannot judge: it fails on the base too, before any change.',
    step: 'fails',
    next: 'a person makes the verifier run on the base.',
    annotation: 'error',
    mark: '🛠️',
  },
  VERIFIER_TAMPERED: {
    sentence: 'The verifier passes only because something was taken away from what it judges.',
    step: 'fails',
    next: 'a person looks at the named files.',
    annotation: 'error',
    mark: '🚫',
  },
  CHANGE_REFUSED: {
    sentence: 'The change may not be pushed.',
    step: 'fails',
    next: 'a person looks at the named files in the record.',
    annotation: 'error',
    mark: '🚫',
  },
  AUTH_FAILED: {
    sentence: 'The model refused the credential.',
    step: 'fails',
    next: 'a person checks the key, its rights and its credit.',
    annotation: 'error',
    mark: '🔑',
  },
  API_UNAVAILABLE: {
    sentence: "The model's service stayed unavailable through all retries.",
    step: 'fails',
    next: 'the next run goes on from here.',
    annotation: 'error',
    mark: '🔌',
  },
  AGENT_FAILED: {
    sentence: 'Claude Code crashed, hung or gave no result twice in a row.',
    step: 'fails',
    next: 'a person looks at the session in the record.',
    annotation: 'error',
    mark: '💥',
  },
  PUSH_FAILED: {
    sentence: 'The remote did not take the branch. The work is saved in the record.',
    step: 'fails',
    next: 'a person mends the cause; the record holds a bundle with the commits.',
    annotation: 'error',
    mark: '📦',
  },
  SETUP_FAILED: {
    sentence: 'Something that the run stands on failed: inputs, credentials, tools, git or the platform.',
    step: 'fails',
    next: 'a person mends what is named below.',
    annotation: 'error',
    mark: '🛠️',
  },
  CANCELLED: {
    sentence: 'The run was cancelled. The work so far is kept.',
    step: 'fails',
    next: 'the next run goes on from here.',
    annotation: 'error',
    mark: '⏹️',
  },
} as const satisfies Record<string, Row>

export type StopReason = keyof typeof table

/** The budget that a `BUDGET_EXHAUSTED` names. */
export type Bound = 'iterations' | 'turns' | 'usd' | 'minutes'

export type Stop = {
  reason: StopReason
  /** The figures, as one or more sentences; never empty. */
  detail: string
  bound?: Bound
  /** Epoch milliseconds at which a rate limit resets. */
  resumeAt?: number
}

export const stopReasons: readonly StopReason[] = Object.keys(table) as StopReason[]

export const stopRow = (reason: StopReason): Row => table[reason]

export const isStopReason = (name: string): name is StopReason => Object.hasOwn(table, name)

/**
 * Whether the step fails. `failOn` replaces the table's own column when it is given: exactly the named reasons fail.
 */
export const stepFails = (reason: StopReason, failOn: readonly StopReason[] | null): boolean =>
  failOn === null ? table[reason].step === 'fails' : failOn.includes(reason)
