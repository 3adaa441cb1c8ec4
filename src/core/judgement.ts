import { feedback } from './feedback.ts'
import { plain } from './plain.ts'
import { failing, parseResults, type TestResults } from './results.ts'
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
 * What one run shows. Exit code 0 is a pass only when no summary says that nothing was executed, that something failed
 * or that it must not be believed; 126 and 127 (not executable, not found), a time-out and a kill are no judgement at all.
 *
 * `reported`: what the JUnit reports say, which then counts instead of the output; `none` when reports were asked for and
 * there are none; null when none were asked for.
 */
export const judgementOf = (run: VerifierRun, reported: TestResults | 'none' | null): Judgement => {
  const output = plain(run.output)
  const results = reported === 'none' ? null : (reported ?? parseResults(output))
  const cause = causeOf(run, reported === 'none', results)
  const sound = results === null || (results.counts.failed === 0 && results.problems.length === 0)
  const green = cause === 'exit' && run.exitCode === 0 && sound
  const outcome = cause !== 'exit' ? 'unable' : green ? 'pass' : 'fail'
  // A verifier that says nothing does not say that it is the same failure again.
  const silent = results === null && output.trim() === ''
  return {
    outcome,
    cause,
    exitCode: run.exitCode,
    millis: run.millis,
    basis: results?.basis ?? 'exit code',
    tests: results?.counts ?? null,
    failing: results === null ? [] : failing(results).slice(0, namesCap),
    signature: green ? '' : cause !== 'exit' ? cause : silent ? '' : signature(results, output),
    feedback: green ? '' : feedback(results, output, feedbackCap),
    log: run.log,
  }
}

const causeOf = (run: VerifierRun, unreported: boolean, results: TestResults | null): Cause => {
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
      if (unreported) return 'no report'
      return results !== null && results.counts.passed + results.counts.failed === 0 ? 'no tests' : 'exit'
    default:
      return run.how satisfies never
  }
}
