import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { createLineReader } from './line-reader.ts'

/**
 * Runs the one process the runner starts for a step, with its streams and its signals.
 * Source: actions/runner ProcessInvoker.
 */
export type EntryProcess = {
  file: string
  args: readonly string[]
  cwd: string
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>
  schedule: Schedule
  /** Aborted: the process is ended by the schedule. */
  signal: AbortSignal
  onStart(pid: number): void
  onLine(line: string): void
}

/** Milliseconds. */
export type Schedule = {
  /** From SIGINT to SIGTERM. */
  interrupt: number
  /** From SIGTERM to SIGKILL. */
  terminate: number
  /** How long the step waits for its streams after the entry process has exited. */
  streams: number
}

/** The runner's own values. */
export const runnerSchedule: Schedule = { interrupt: 7_500, terminate: 2_500, streams: 5_000 }

export type EntryExit = {
  /** 128 + the signal's number when a signal ended it. */
  exitCode: number
  /** What the runner sent, with milliseconds since the start of the process. */
  signals: { signal: NodeJS.Signals; at: number }[]
  /** Streams that another process still holds; the runner reads them no more and does not close them before the job's end. */
  held: Readable[]
}

/** Raises when the process cannot be started. */
export const runEntryProcess = async (entry: EntryProcess): Promise<EntryExit> => {
  const started = performance.now()
  const child = await start(entry)
  const over = watch(child, entry)
  const signals: EntryExit['signals'] = []
  const send = (signal: NodeJS.Signals): boolean => {
    const sent = child.kill(signal)
    if (sent) signals.push({ signal, at: Math.round(performance.now() - started) })
    return sent
  }

  const end = async (): Promise<void> => {
    if (send('SIGINT') && (await settles(over, entry.schedule.interrupt))) return
    if (send('SIGTERM') && (await settles(over, entry.schedule.terminate))) return
    send('SIGKILL')
  }
  let ending: Promise<void> | undefined
  const onAbort = (): void => {
    ending = end()
  }
  if (entry.signal.aborted) onAbort()
  else entry.signal.addEventListener('abort', onAbort, { once: true })

  const { exitCode, closed } = await over
  entry.signal.removeEventListener('abort', onAbort)
  await ending
  return { exitCode, signals, held: closed ? [] : [child.stdout, child.stderr] }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const start = ({ file, args, cwd, env, onStart }: EntryProcess): Promise<Child> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        new Error(
          `An error occurred trying to start process '${file}' with working directory '${cwd}'. ${reason(error)}`,
        ),
      )
    try {
      const child = spawn(file, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
      child.once('error', fail)
      child.once('spawn', () => {
        child.stdin.on('error', () => {})
        child.stdin.end()
        if (child.pid !== undefined) onStart(child.pid)
        resolve(child)
      })
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })

const reason = ({ code, message }: NodeJS.ErrnoException): string => {
  if (code === 'E2BIG') return 'Argument list too long'
  if (code === 'ENOENT') return 'No such file or directory'
  if (code === 'EACCES') return 'Permission denied'
  return message
}

type End = { exitCode: number; closed: boolean }

/** Over when the process has exited and its streams are closed, or the time for that has passed. */
const watch = (child: Child, entry: EntryProcess): Promise<End> =>
  new Promise((resolve) => {
    let reading = true
    for (const stream of [child.stdout, child.stderr]) {
      const reader = createLineReader((line) => {
        if (reading) entry.onLine(line)
      })
      stream.on('data', (chunk: Uint8Array) => reader.push(chunk))
      stream.once('end', () => reader.end())
    }
    child.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      const late = setTimeout(() => {
        reading = false
        resolve({ exitCode, closed: false })
      }, entry.schedule.streams)
      child.once('close', () => {
        clearTimeout(late)
        resolve({ exitCode, closed: true })
      })
    })
  })

const settles = async (promise: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const settled = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return settled
}
