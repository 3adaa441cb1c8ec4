import { resolve } from 'node:path'
import { type CompositeAction, readAction } from './action-file.ts'
import { type ExpressionSite, evaluateTemplate, hashFilesFunction, type Status } from './expressions.ts'
import { hashFiles } from './hash-files.ts'
import type { Job } from './job.ts'
import { writeMapping } from './run-script.ts'
import { runStep } from './run-step.ts'
import type { Scope, StepResult, UsesStubs } from './step.ts'
import { openStepBook } from './step-book.ts'
import { type Annotation, keptAnnotations, type StepLog } from './step-log.ts'

/**
 * Runs a composite action as one step of a job.
 * Source: actions/runner ActionRunner (inputs) and CompositeActionHandler (steps, outputs).
 */
export type CompositeCall = {
  /** The folder with action.yml. */
  action: string
  /** As evaluated by the caller's workflow. */
  with: Record<string, string>
  /** The caller's `env:` on the step. */
  env?: Record<string, string>
  uses?: UsesStubs
  /** The caller's `timeout-minutes`; fractions are for tests. */
  timeoutMinutes?: number
}

export type CompositeEnd = {
  conclusion: Status
  outputs: Record<string, string>
  steps: StepResult[]
  /** The first ten of each kind, as GitHub shows them for the whole action. */
  annotations: Annotation[]
  /** Those of the steps, one after the other. */
  summary: string
}

/** Raises only for an action.yml that GitHub would refuse. */
export const runCompositeStep = async (job: Job, call: CompositeCall): Promise<CompositeEnd> => {
  const folder = resolve(call.action)
  const action = readAction(folder)
  const deadline = call.timeoutMinutes === undefined ? undefined : Date.now() + call.timeoutMinutes * 60_000
  const { log } = openStepBook(job)
  const inputs = completeInputs(job, action, call.with, log)
  const callerEnv = { ...job.env, ...call.env }
  log.write(`##[group]Run ${call.action}`)
  writeMapping(log, 'with', Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== '')))
  writeMapping(log, 'env', callerEnv)
  log.write('##[endgroup]')

  const steps: StepResult[] = []
  let status: Status = 'success'
  const scope: Scope = {
    contexts: () => ({
      ...jobContexts(job),
      github: { ...job.github, action_path: folder },
      inputs,
      steps: stepsContext(steps),
    }),
    status: () => status,
    env: callerEnv,
    deadline,
    uses: call.uses ?? {},
  }
  for (const step of action.steps) {
    const result = await runStep(job, step, scope)
    steps.push(result)
    if (result.conclusion !== 'skipped') status = worse(status, result.conclusion)
    if (job.cancelled.aborted) status = 'cancelled'
    if (result.fatal) break
  }

  const outputs = evaluateOutputs(
    action,
    { contexts: { ...scope.contexts(), env: callerEnv }, functions: [] },
    log,
  )
  if (outputs === undefined) status = worse(status, 'failure')
  return {
    conclusion: status,
    outputs: outputs ?? {},
    steps,
    annotations: keptAnnotations([...log.annotations, ...steps.flatMap((step) => step.annotations)]),
    summary: steps.map((step) => step.summary).join(''),
  }
}

/** The caller's, spelled as the caller did and unknown ones too, then the defaults. `required` is not enforced. */
const completeInputs = (
  job: Job,
  action: CompositeAction,
  given: Record<string, string>,
  log: StepLog,
): Record<string, string> => {
  const inputs = { ...given }
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const valid = Object.keys(action.inputs)
  const site: ExpressionSite = {
    contexts: jobContexts(job),
    functions: [hashFilesFunction((patterns) => hashFiles(job.workspace, patterns))],
  }
  for (const [name, input] of Object.entries(action.inputs)) {
    const isGiven = names.has(name.toLowerCase())
    if (!isGiven) inputs[name] = evaluateTemplate(input.default, site)
    else if (input.deprecationMessage !== undefined) {
      log.annotate('warning', `Input '${name}' has been deprecated with message: ${input.deprecationMessage}`)
    }
  }
  const unexpected = Object.keys(given).filter(
    (name) => !valid.some((one) => one.toLowerCase() === name.toLowerCase()),
  )
  if (unexpected.length > 0) {
    log.annotate(
      'warning',
      `Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${valid.join("', '")}']`,
    )
  }
  return inputs
}

const jobContexts = (job: Job): ExpressionSite['contexts'] => ({
  ...job.contexts,
  github: job.github,
  job: { ...job.contexts.job, status: job.status },
  runner: job.runner,
})

const stepsContext = (steps: readonly StepResult[]): ExpressionSite['contexts'] =>
  Object.fromEntries(
    steps
      .filter(({ id }) => !id.startsWith('__'))
      .map(({ id, outputs, outcome, conclusion }) => [id, { outputs, outcome, conclusion }]),
  )

/** Undefined when one cannot be evaluated; the action has failed then. */
const evaluateOutputs = (
  action: CompositeAction,
  site: ExpressionSite,
  log: StepLog,
): Record<string, string> | undefined => {
  try {
    return Object.fromEntries(
      Object.entries(action.outputs).map(([name, template]) => [name, evaluateTemplate(template, site)]),
    )
  } catch (error) {
    log.annotate('error', error instanceof Error ? error.message : String(error))
    return undefined
  }
}

const worse = (a: Status, b: Status): Status => {
  const order: readonly Status[] = ['success', 'failure', 'cancelled']
  return order.indexOf(a) >= order.indexOf(b) ? a : b
}
