/** How many tests a run of the verifier executed, and how they ended. `total` counts executed and skipped ones. */
export type TestCounts = { passed: number; failed: number; skipped: number; total: number }

/** What the verdict rests on: tests known by name, numbers of tests only, or nothing but the exit code. */
export type Basis = 'names' | 'counts' | 'exit code'

/** Why one run of the verifier ended as it did. All but `exit` mean that it could not judge. */
export type Cause = 'exit' | 'timeout' | 'not started' | 'killed' | 'no tests' | 'no report'

/** What one run of the verifier showed, before anything else was asked. `unable` is neither pass nor fail. */
export type Judgement = {
  outcome: 'pass' | 'fail' | 'unable'
  cause: Cause
  exitCode: number | null
  /** Wall time of the verifier, in milliseconds. */
  millis: number
  basis: Basis
  tests: TestCounts | null
  /** Names of failing tests, as the runner prints them; empty when unknown. At most 200. */
  failing: readonly string[]
  /** The failure reduced to what stays the same when it is the same failure; empty on a pass. */
  signature: string
  /** The informative part of the output, stripped of terminal codes. At most 8 KiB. */
  feedback: string
  /** Path of the full output, relative to the record. */
  log: string
}

/**
 * The verdict on one tree: what its run showed and, where that run could not judge, what the control run
 * on the base said. `broken`: the base cannot be judged either.
 */
export type Verdict = Omit<Judgement, 'outcome'> & { kind: 'pass' | 'fail' | 'broken' }

/**
 * Turns a judgement into a verdict. `control` is the judgement of the base, asked only when the first is `unable`.
 */
export const verdictOf = (judgement: Judgement, control: Judgement | null): Verdict => {
  const { outcome, ...facts } = judgement
  if (outcome !== 'unable') return { ...facts, kind: outcome }
  return { ...facts, kind: control === null || control.outcome === 'unable' ? 'broken' : 'fail' }
}
