import type { Job } from './job.ts'

/** Ends one step: by the caller's deadline, or by a cancel of the job under which the step's condition does not hold. */
export type StepToken = { signal: AbortSignal; release(): void }

/**
 * A step that starts after the cancel is not ended by it, else `always()` steps could never run.
 * @param holdsWhenCancelled the step's condition, asked again at the moment of the cancel
 */
export const createStepToken = (
  job: Job,
  deadline: number | undefined,
  holdsWhenCancelled: () => boolean,
): StepToken => {
  const controller = new AbortController()
  const onCancel = (): void => {
    if (!holdsSafely(holdsWhenCancelled)) controller.abort()
  }
  if (!job.cancelled.aborted) job.cancelled.addEventListener('abort', onCancel, { once: true })

  let timer: NodeJS.Timeout | undefined
  if (deadline !== undefined) {
    const left = deadline - Date.now()
    if (left <= 0) controller.abort()
    else timer = setTimeout(() => controller.abort(), left)
  }
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer)
      job.cancelled.removeEventListener('abort', onCancel)
    },
  }
}

const holdsSafely = (condition: () => boolean): boolean => {
  try {
    return condition()
  } catch {
    return false
  }
}
