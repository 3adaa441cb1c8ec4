import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessEnd } from '../core/session/process-end.ts'
import { checkMark, MARK, sweep } from './strays.ts'

export type { ProcessEnd } from '../core/session/process-end.ts'
export { sweep } from './strays.ts'

/** How long each signal of a ladder may take before the next one, in milliseconds: 3 s in all. */
const RUNGS = [2000, 700, 300] as const
const LADDER: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGKILL']

/** How long after its exit we wait for the rest of a process's output, in milliseconds: something may hold the pipe. */
const DRAIN_MILLIS = 500

export type ProcessRequest = {
  program: string
  args: readonly string[]
  cwd: string
  /** The whole environment; nothing of ours is added but the mark. */
  env: Readonly<Record<string, string>>
  /** Written and closed; `closed` reads as end of file at once. */
  stdin: string | Buffer | 'closed'
  /** Further pipes by number, from 3: each text is written and the pipe closed. For what must stand in no environment. */
  descriptors?: Readonly<Record<number, string>>
  onStdout?: (chunk: Buffer) => void
  onStderr?: (chunk: Buffer) => void
  /** By which descendants are found that left the process group. At least 8 characters, unique to this process. */
  mark: string
  /** Its own limit, in milliseconds. */
  limitMillis?: number
  /** Ends the tree when aborted; the signal's reason is told. */
  signal?: AbortSignal
  /** The ladder for the limit and the abort signal; SIGINT, SIGTERM, SIGKILL when not given. */
  signals?: readonly NodeJS.Signals[]
}

export type RunningProcess = {
  /** Null when it could not be started. */
  pid: number | null
  /** Resolves when the whole tree is gone and the output is read. Rejects only with what onStdout or onStderr threw. */
  end: Promise<ProcessEnd>
  /** Ends the whole tree, within some 4 s. The first reason stays; a second call with SIGKILL first makes haste. */
  stop: (reason: string, signals?: readonly NodeJS.Signals[]) => void
}

const signalGroup = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(-pid, signal)
  } catch {
    // gone already
  }
}

/** `error` of a pipe whose reader went away is no news: the end tells what happened. */
const give = (stream: Writable | null | undefined, text: string | Buffer) => {
  stream?.on('error', () => {})
  stream?.end(text)
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const reasonNotStarted = (request: ProcessRequest, error: unknown): string => {
  if (!isFolder(request.cwd)) return `${request.program} could not be started: ${request.cwd} is not a folder`
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return `${request.program} could not be started: ${code}`
}

const notStarted = (reason: string): RunningProcess => ({
  pid: null,
  end: Promise.resolve({ how: 'not started', exitCode: null, signal: null, millis: 0, reason }),
  stop: () => {},
})

const spawnDetached = (request: ProcessRequest): ChildProcess => {
  const descriptors = request.descriptors ?? {}
  const highest = Math.max(2, ...Object.keys(descriptors).map(Number))
  const extra = Array.from({ length: highest - 2 }, (_, i) =>
    descriptors[i + 3] === undefined ? 'ignore' : 'pipe',
  )
  const child = spawn(request.program, [...request.args], {
    cwd: request.cwd,
    env: { ...request.env, [MARK]: request.mark },
    detached: true,
    stdio: [request.stdin === 'closed' ? 'ignore' : 'pipe', 'pipe', 'pipe', ...extra],
  })
  for (const [fd, text] of Object.entries(descriptors)) {
    const pipe = child.stdio[Number(fd)]
    if (pipe && 'write' in pipe) give(pipe, text)
  }
  if (request.stdin !== 'closed') give(child.stdin, request.stdin)
  return child
}

/**
 * Starts a program in a process group of its own and, however it ends, ends its whole tree with it. It has
 * ended when it has exited and its output is read, not when the last holder of its pipes lets go.
 */
export const start = (request: ProcessRequest): RunningProcess => {
  checkMark(request.mark)
  if (request.signal?.aborted)
    return notStarted(`${request.program} was not started: ${request.signal.reason}`)
  const began = performance.now()
  let child: ChildProcess
  try {
    child = spawnDetached(request)
  } catch (error) {
    return notStarted(reasonNotStarted(request, error)) // an argument list too long, for one, is thrown
  }
  const { pid } = child
  const { promise, resolve, reject } = withResolvers<ProcessEnd>()
  const closed = new Promise((next) => child.once('close', next))
  let ended = false
  let cause: { how: 'killed' | 'timed out'; reason: string } | null = null
  let thrown: { error: unknown } | null = null
  let rung: NodeJS.Timeout | undefined

  const climb = ([signal, ...rest]: readonly NodeJS.Signals[], step: number) => {
    clearTimeout(rung)
    if (pid === undefined || ended) return
    if (signal === undefined) {
      void finish(null, null) // even SIGKILL does not reach it
      return
    }
    signalGroup(pid, signal)
    const millis = signal === 'SIGKILL' ? RUNGS[2] : (RUNGS[step] ?? RUNGS[2])
    rung = setTimeout(() => climb(rest, step + 1), millis)
  }
  const endBy = (how: 'killed' | 'timed out', reason: string, signals = request.signals ?? LADDER) => {
    if (cause === null || signals[0] === 'SIGKILL') climb(signals, 0)
    cause ??= { how, reason }
  }
  const onAbort = () => endBy('killed', String(request.signal?.reason))
  const limit = request.limitMillis
  const timer =
    limit === undefined
      ? undefined
      : setTimeout(() => endBy('timed out', `it ran into its limit of ${limit / 1000} s`), limit)
  request.signal?.addEventListener('abort', onAbort)
  const release = () => {
    clearTimeout(timer)
    clearTimeout(rung)
    request.signal?.removeEventListener('abort', onAbort)
  }

  const finish = async (exitCode: number | null, signal: NodeJS.Signals | null) => {
    if (ended) return
    ended = true
    release()
    const millis = performance.now() - began
    const { how, reason } = cause ?? { how: 'exited', reason: null }
    await sweep(request.mark, pid)
    await drained(child, closed)
    if (thrown !== null) reject(thrown.error)
    else resolve({ how, exitCode, signal, millis, reason })
  }
  const hear = (stream: Readable | null, listener: ((chunk: Buffer) => void) | undefined) => {
    stream?.on('error', () => {})
    stream?.on('data', (chunk: Buffer) => {
      try {
        if (thrown === null) listener?.(chunk)
      } catch (error) {
        thrown = { error }
        endBy('killed', 'its reader failed', ['SIGKILL'])
      }
    })
  }
  hear(child.stdout, request.onStdout)
  hear(child.stderr, request.onStderr)
  child.on('error', (error) => {
    if (pid !== undefined || ended) return
    ended = true
    release()
    resolve({
      how: 'not started',
      exitCode: null,
      signal: null,
      millis: 0,
      reason: reasonNotStarted(request, error),
    })
  })
  child.on('exit', finish)
  return { pid: pid ?? null, end: promise, stop: (reason, signals) => endBy('killed', reason, signals) }
}

/** Waits for the last output, then lets go of all pipes. */
const drained = async (child: ChildProcess, closed: Promise<unknown>): Promise<void> => {
  await Promise.race([closed, sleep(DRAIN_MILLIS, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
}

const withResolvers = <T>() => {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
