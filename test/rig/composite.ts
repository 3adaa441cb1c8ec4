import { type CompositeCall, type CompositeEnd, runCompositeStep } from './composite-step.ts'
import { createJob, type Job, type JobOptions, type Observer, type StepName } from './job.ts'
import type { Leftovers } from './leftovers.ts'

/**
 * A test rig that runs a composite action as GitHub's runner does: real shells, real files, real signals.
 *
 *     const run = await runComposite({
 *       action: root,                        // the folder with action.yml
 *       with: { task: 'Make it green' },     // defaults come from action.yml; nothing is exported as INPUT_…
 *       workspace, temp,                     // the checkout and RUNNER_TEMP, each a folder of the test's own
 *       github: { repository: 'octo/demo', event: { issue: { number: 7 } } },
 *       uses: { 'actions/upload-artifact@': (call) => { uploads.push(call.with) } },
 *       cancelAt: { step: 'loop', line: /iteration 2/ },
 *     })
 *     expect(run.conclusion).toBe('cancelled')
 *     expect(run.step('finish').outcome).toBe('success')
 *     expect(run.outputs['stop-reason']).toBe('CANCELLED')
 *     expect(run.leftovers).toEqual({ orphans: [], strays: [] })
 *
 * A step's environment holds what the runner gives and nothing of this process; PATH, HOME and the like are set by
 * `host`. `step.output` is what its processes printed, `step.log` what the runner made of it, masked; `step.commands`
 * the workflow commands the runner saw, wherever they came from. Cancelling takes the runner's real times unless
 * `schedule` says otherwise.
 *
 * A workflow simulator builds on the parts: `createJob`, `runStep` and `runCompositeStep` for each step, `job.cancel()`,
 * `job.finish()`.
 *
 * Not played: containers, `pre` and `post`, problem matchers, other systems than Linux (no leftovers elsewhere).
 */
export const runComposite = async (options: CompositeOptions): Promise<CompositeResult> => {
  const { cancelAt, observe = {}, ...rest } = options
  const trigger = cancelAt === undefined ? undefined : createTrigger(cancelAt, () => job.cancel())
  const job: Job = createJob({ ...rest, env: rest.jobEnv ?? {}, observe: both(observe, trigger?.observer) })
  try {
    const end = await runCompositeStep(job, rest)
    if (trigger !== undefined && !job.cancelled.aborted) throw new Error(neverCancelled(cancelAt))
    return result(job, end, await job.finish())
  } catch (error) {
    await job.finish()
    throw error
  } finally {
    trigger?.stop()
  }
}

export type CompositeOptions = Omit<JobOptions, 'env'> &
  CompositeCall & {
    /** The workflow's and the job's `env:`; `env` is that of the calling step. */
    jobEnv?: Record<string, string>
    /** Cancels the job once. The run raises when that moment never comes. */
    cancelAt?: CancelAt
  }

/** `after` milliseconds (0) from the first line of `step` that has `line` in it, or from the start of its process. */
export type CancelAt = { step?: string; line?: string | RegExp; after?: number }

export type CompositeResult = CompositeEnd & {
  /** The step with this id or name; raises when there is none. */
  step(name: string): CompositeEnd['steps'][number]
  /** The whole log, masked. */
  log: string
  commands: CompositeEnd['steps'][number]['commands']
  /** Every value that is masked: secrets, the token, `add-mask`. */
  masks: string[]
  /** What later steps of the job inherit: the job's `env:` with GITHUB_ENV, and GITHUB_PATH. */
  env: Record<string, string>
  path: string[]
  leftovers: Leftovers
}

const result = (job: Job, end: CompositeEnd, leftovers: Leftovers): CompositeResult => ({
  ...end,
  step: (name) => {
    const found = end.steps.find((step) => step.id === name || step.name === name)
    if (found === undefined)
      throw new Error(`no step '${name}' among ${end.steps.map((step) => step.id).join(', ')}`)
    return found
  },
  log: job.log.join('\n'),
  commands: end.steps.flatMap((step) => step.commands),
  masks: job.masker.values(),
  env: job.env,
  path: job.path,
  leftovers,
})

type Trigger = { observer: Observer; stop(): void }

const createTrigger = ({ step, line, after = 0 }: CancelAt, cancel: () => void): Trigger => {
  let timer: NodeJS.Timeout | undefined
  const fire = (): void => {
    if (after === 0) cancel()
    else timer ??= setTimeout(cancel, after)
  }
  const concerns = ({ id, name }: StepName): boolean => step === undefined || step === id || step === name
  return {
    observer: {
      started: (name) => {
        if (line === undefined && concerns(name)) fire()
      },
      line: (name, text) => {
        if (
          line !== undefined &&
          concerns(name) &&
          (typeof line === 'string' ? text.includes(line) : line.test(text))
        )
          fire()
      },
    },
    stop: () => clearTimeout(timer),
  }
}

const both = (first: Observer, second: Observer = {}): Observer => ({
  started: (step, pid) => {
    first.started?.(step, pid)
    second.started?.(step, pid)
  },
  line: (step, line) => {
    first.line?.(step, line)
    second.line?.(step, line)
  },
})

const neverCancelled = (at: CancelAt | undefined): string =>
  `cancelAt ${JSON.stringify(at, (_, value) => (value instanceof RegExp ? String(value) : value))} never came`
