import type { CommandEffects } from './command-interpreter.ts'
import type { Job } from './job.ts'
import type { Conclusion, StepResult } from './step.ts'
import { createStepLog, keptAnnotations, type StepLog } from './step-log.ts'

/** What one step leaves: its log, its outputs, and what it does to the job's environment. */
export type StepBook = {
  log: StepLog
  effects: CommandEffects
  close(conclusion: Conclusion, more: StepEnd & { id: string; name: string }): StepResult
}

export type StepEnd = Partial<
  Omit<StepResult, 'conclusion' | 'outputs' | 'log' | 'annotations' | 'milliseconds'>
>

export const openStepBook = (job: Job): StepBook => {
  const started = performance.now()
  const outputs: Record<string, string> = {}
  const log = createStepLog({
    masker: job.masker,
    workspace: job.workspace,
    showDebug: job.debug,
    onLine: (line) => job.log.push(line),
  })
  return {
    log,
    effects: {
      setOutput: (name, value) => {
        outputs[name] = value
      },
      setEnv: (name, value) => {
        job.env[name] = value
      },
      addPath: (folder) => {
        job.path.splice(0, job.path.length, ...job.path.filter((known) => known !== folder), folder)
      },
    },
    close: (conclusion, more) => ({
      outcome: conclusion,
      exitCode: undefined,
      signals: [],
      output: '',
      summary: '',
      commands: [],
      env: {},
      fatal: false,
      ...more,
      conclusion,
      outputs,
      log: log.lines.join('\n'),
      annotations: keptAnnotations(log.annotations),
      milliseconds: Math.round(performance.now() - started),
    }),
  }
}
