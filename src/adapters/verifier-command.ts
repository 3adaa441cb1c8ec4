import type { VerifierRun } from '../core/judgement.ts'
import { captureOutput } from './output.ts'
import { start } from './process.ts'

export type CommandVerifier = {
  /** A shell command, run with `bash -eo pipefail`. */
  command: string
  cwd: string
  environment: Readonly<Record<string, string>>
  limitMillis: number
  /** Where the full output goes. */
  logFile: string
  /** The same, relative to the record. */
  log: string
  mark: string
  signal: AbortSignal
}

/** Runs the verifier's command once and ends everything it started. Its standard input is closed. */
export const runCommand = async (verifier: CommandVerifier): Promise<VerifierRun> => {
  const output = captureOutput(verifier.logFile)
  const end = await start({
    program: 'bash',
    args: ['--noprofile', '--norc', '-eo', 'pipefail', '-c', verifier.command],
    cwd: verifier.cwd,
    env: verifier.environment,
    stdin: 'closed',
    onStdout: output.write,
    onStderr: output.write,
    mark: verifier.mark,
    limitMillis: verifier.limitMillis,
    signal: verifier.signal,
    signals: ['SIGTERM', 'SIGKILL'],
  }).end
  return {
    how: end.how,
    exitCode: end.exitCode,
    signal: end.signal,
    millis: end.millis,
    output: output.end(),
    log: verifier.log,
  }
}
