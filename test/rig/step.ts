import type { SeenCommand } from './command-interpreter.ts'
import type { Context } from './contexts.ts'
import type { EntryExit } from './entry-process.ts'
import type { Json, Status } from './expressions.ts'
import type { Annotation } from './step-log.ts'

/** A step as the file has it, with its expressions. */
export type Step = RunStep | UsesStep
export type RunStep = StepBase & {
  kind: 'run'
  run: string
  shell: string | undefined
  workingDirectory: string | undefined
}
export type UsesStep = StepBase & { kind: 'uses'; uses: string; with: Record<string, string> }
type StepBase = {
  /** `__run`, `__run_2`, … for a step without one; such a step is not in the `steps` context. */
  id: string
  name: string | undefined
  if: string | undefined
  env: Record<string, string>
  continueOnError: string | undefined
}

/** Where steps stand: the contexts they see and the status `success()` asks for. */
export type Scope = {
  /** All but `env`, at this moment. */
  contexts(): Record<string, Json> & { github: Context }
  status(): Status
  /** The caller's environment, laid over the job's. */
  env: Record<string, string>
  /** Epoch milliseconds; after it nothing starts and what runs is ended. */
  deadline: number | undefined
  uses: UsesStubs
}

/** By the beginning of what stands after `uses:`, as `actions/upload-artifact@`; the longest that fits is taken. */
export type UsesStubs = Record<string, UsesStub>
/** An error raised fails the step with its message. */
// biome-ignore lint/suspicious/noConfusingVoidType: a stub that has nothing to say returns nothing.
export type UsesStub = (call: UsesCall) => UsesAnswer | void | Promise<UsesAnswer | void>
export type UsesCall = {
  uses: string
  with: Record<string, string>
  env: Record<string, string>
  github: Context
  workspace: string
  temp: string
  /** Aborted when the step is cancelled or out of time. */
  signal: AbortSignal
}
/** `log` lines are read for workflow commands, as those of any action. */
export type UsesAnswer = {
  failed?: boolean
  outputs?: Record<string, string>
  env?: Record<string, string>
  path?: string[]
  summary?: string
  log?: string[]
}

export type Conclusion = Status | 'skipped'

export type StepResult = {
  id: string
  name: string
  /** Before and after `continue-on-error`. */
  outcome: Conclusion
  conclusion: Conclusion
  /** Of the entry process; undefined when none ran. */
  exitCode: number | undefined
  signals: EntryExit['signals']
  outputs: Record<string, string>
  /** Both streams as they came: no command read, nothing masked. */
  output: string
  /** What the runner wrote, masked. */
  log: string
  /** Masked; empty when it was too large. */
  summary: string
  annotations: Annotation[]
  commands: readonly SeenCommand[]
  /** The environment of the entry process, or what a `uses:` step got. */
  env: Record<string, string>
  milliseconds: number
  /** `if:` could not be evaluated: no later step runs, `always()` or not. */
  fatal: boolean
}
