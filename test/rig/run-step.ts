import { createInterpreter } from './command-interpreter.ts'
import {
  type ExpressionSite,
  evaluateCondition,
  evaluateTemplate,
  hashFilesFunction,
  type Status,
  statusFunctions,
} from './expressions.ts'
import { createFileCommands } from './file-commands.ts'
import { hashFiles } from './hash-files.ts'
import type { Job } from './job.ts'
import { runScript } from './run-script.ts'
import { runUses } from './run-uses.ts'
import type { Scope, Step, StepResult } from './step.ts'
import { openStepBook, type StepBook, type StepEnd } from './step-book.ts'
import { createStepToken, type StepToken } from './step-token.ts'

/**
 * Runs one step as the runner does: environment, condition, process or action, command files, `continue-on-error`.
 * Never raises: what goes wrong fails the step.
 * Source: actions/runner CompositeActionHandler and ActionRunner.
 */
export const runStep = async (job: Job, step: Step, scope: Scope): Promise<StepResult> => {
  const book = openStepBook(job)
  const base = { id: step.id, name: step.name ?? defaultName(step) }
  let ready: Ready
  try {
    ready = prepare(job, step, scope)
  } catch (error) {
    annotate(book, error)
    return book.close('failure', base)
  }

  const token = createStepToken(job, scope.deadline, () =>
    evaluateCondition(step.if, ready.site('cancelled')),
  )
  try {
    if (!evaluateCondition(step.if, ready.site(scope.status()))) {
      return book.close('skipped', { ...base, name: ready.name })
    }
    return await execute({ job, step, scope, book, token, ready })
  } catch (error) {
    annotate(book, error)
    return book.close('failure', { ...base, name: ready.name, fatal: true })
  } finally {
    token.release()
  }
}

type Ready = { name: string; env: Record<string, string>; site(status: Status): ExpressionSite }

/** Raises when the step's `env:` or `name:` cannot be evaluated. */
const prepare = (job: Job, step: Step, scope: Scope): Ready => {
  const contexts = scope.contexts()
  const siteWith = (env: Record<string, string>, status: Status): ExpressionSite => ({
    contexts: { ...contexts, github: { ...contexts.github, action_status: status }, env },
    functions: [
      ...statusFunctions({ scope: status, job: job.status }),
      hashFilesFunction((patterns) => hashFiles(job.workspace, patterns)),
    ],
  })
  const surrounding = { ...job.env, ...scope.env }
  const site = siteWith(surrounding, scope.status())
  const env = { ...surrounding, ...evaluateAll(step.env, site) }
  return {
    name: evaluateTemplate(step.name ?? defaultName(step), siteWith(env, scope.status())),
    env,
    site: (status) => siteWith(env, status),
  }
}

type Execution = { job: Job; step: Step; scope: Scope; book: StepBook; token: StepToken; ready: Ready }

const execute = async ({ job, step, scope, book, token, ready }: Execution): Promise<StepResult> => {
  const { log, effects } = book
  const { env, name } = ready
  const site = ready.site(scope.status())
  const output: string[] = []
  const interpreter = createInterpreter({
    log,
    masker: job.masker,
    effects,
    allowUnsecure: env.ACTIONS_ALLOW_UNSECURE_COMMANDS === 'true',
    echo: job.debug,
  })
  const read = (line: string): void => {
    output.push(line)
    job.observe.line?.({ id: step.id, name }, line)
    interpreter.read(line)
  }
  const files = createFileCommands(job.temp)
  const github = { ...scope.contexts().github, ...files.paths }
  const body: StepBody = { job, site, env, name, github, book, read, signal: token.signal }

  let end: StepEnd & { failed: boolean } = { failed: true }
  try {
    // The runner would start the process and interrupt it in the same moment: nothing of the script runs.
    if (!token.signal.aborted) {
      end = step.kind === 'run' ? await runScript(step, body) : await runUses(step, body, scope.uses)
    }
  } catch (error) {
    if (!token.signal.aborted) annotate(book, error)
  }
  const written = files.process({ log, masker: job.masker, effects })

  const broken = end.failed || written.failed || interpreter.failed
  const status = token.signal.aborted ? interrupted(job, book) : broken ? 'failure' : 'success'
  const { failed: _, ...details } = end
  return book.close(status === 'failure' && continues(step, site, book) ? 'success' : status, {
    ...details,
    id: step.id,
    name,
    outcome: status,
    output: output.join('\n'),
    summary: written.summary,
    commands: interpreter.seen,
  })
}

/** What the body of a step, a script or an action, has to work with. */
export type StepBody = {
  job: Job
  site: ExpressionSite
  env: Record<string, string>
  name: string
  github: ReturnType<Scope['contexts']>['github']
  book: StepBook
  /** Takes a line of output. */
  read(line: string): void
  signal: AbortSignal
}

export const evaluateAll = (
  templates: Record<string, string>,
  site: ExpressionSite,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(templates).map(([key, template]) => [key, evaluateTemplate(template, site)]),
  )

/** A cancel ends a step as cancelled, the caller's `timeout-minutes` as a failure. */
const interrupted = (job: Job, { log }: StepBook): Status => {
  log.annotate('error', job.cancelled.aborted ? 'The operation was canceled.' : 'The action has timed out.')
  return job.cancelled.aborted ? 'cancelled' : 'failure'
}

const continues = (step: Step, site: ExpressionSite, book: StepBook): boolean => {
  if (step.continueOnError === undefined) return false
  try {
    return evaluateTemplate(step.continueOnError, site) === 'true'
  } catch (error) {
    book.log.annotate(
      'error',
      'The step failed and an error occurred when attempting to determine whether to continue on error.',
    )
    annotate(book, error)
    return false
  }
}

const annotate = ({ log }: StepBook, error: unknown): void =>
  log.annotate('error', error instanceof Error ? error.message : String(error))

const defaultName = (step: Step): string =>
  `Run ${step.kind === 'run' ? (step.run.trimStart().split(/\r|\n/)[0] ?? '') : step.uses}`
