import { feedback } from './feedback.ts'
import { plain } from './plain.ts'
import { failing, parseResults } from './results.ts'
import { signature } from './signature.ts'
import type { Cause, Judgement } from './verdict.ts'

/** What came back from one run of the verifier. `output` is the head and the tail of what it printed. */
export type VerifierRun = {
  how: 'exited' | 'killed' | 'timed out' | 'not started'
  exitCode: number | null
  /** The signal that ended it; null when it ended by itself. */
  signal: string | null
  millis: number
  output: string
  /** Path of the full output, relative to the record. */
  log: string
}

/** Most bytes of feedback for the next prompt: 8 KiB. */
const feedbackCap = 8192
/** Most names of failing tests that are kept. */
const namesCap = 200

/**
 * What one run shows. Exit code 0 alone is a pass only when no summary says that nothing was executed or that
 * something failed; 126 and 127 (not executable, not found), a time-out and a kill are no judgement at all.
 */
export const judgementOf = (run: VerifierRun): Judgement => {
  const output = plain(run.output)
  const results = parseResults(output)
  const cause = causeOf(run, results?.counts.total === 0 || executed(results) === 0)
  const green = cause === 'exit' && run.exitCode === 0 && (results?.counts.failed ?? 0) === 0
  const outcome = cause !== 'exit' ? 'unable' : green ? 'pass' : 'fail'
  return {
    outcome,
    cause,
    exitCode: run.exitCode,
    millis: run.millis,
    basis: results?.basis ?? 'exit code',
    tests: results?.counts ?? null,
    failing: results === null ? [] : failing(results).slice(0, namesCap),
    signature: green ? '' : cause === 'exit' ? signature(results, output) : cause,
    feedback: green ? '' : feedback(results, output, feedbackCap),
    log: run.log,
  }
}

const executed = (results: { counts: { passed: number; failed: number } } | null): number | null =>
  results === null ? null : results.counts.passed + results.counts.failed

const causeOf = (run: VerifierRun, nothingRan: boolean): Cause => {
  switch (run.how) {
    case 'not started':
      return 'not started'
    case 'timed out':
      return 'timeout'
    case 'killed':
      return 'killed'
    case 'exited':
      if (run.signal !== null) return 'killed'
      if (run.exitCode === 126 || run.exitCode === 127) return 'not started'
      return nothingRan ? 'no tests' : 'exit'
    default:
      return run.how satisfies never
  }
}
