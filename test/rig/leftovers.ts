import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Processes that outlived the steps of a job (Linux only).
 * Source: actions/runner JobExtension, "Cleaning up orphan processes".
 */
export type Leftover = { pid: number; name: string; command: string }

export type Leftovers = {
  /** Carried the job's RUNNER_TRACKING_ID: the runner kills these. */
  orphans: Leftover[]
  /**
   * Lost the id but work inside the job's folders: on a self-hosted runner these live on. Killed here all the same,
   * so that a test leaves nothing behind.
   */
  strays: Leftover[]
}

export type LeftoverSearch = {
  /** Processes that ran before the job; they are never looked at. */
  before: ReadonlySet<string>
  trackingId: string
  folders: readonly string[]
}

export const snapshotProcesses = (): ReadonlySet<string> => new Set(listPids().map(identity))

/**
 * Looks twice, a quarter of a second apart, since the runner too comes to this some moments after the last step: what
 * is just ending is no leftover.
 */
export const killLeftovers = async (search: LeftoverSearch): Promise<Leftovers> => {
  const early = find(search)
  if (early.orphans.length + early.strays.length === 0) return early
  await sleep(250)
  const found = find(search)
  for (const { pid } of [...found.orphans, ...found.strays]) kill(pid)
  return found
}

const find = ({ before, trackingId, folders }: LeftoverSearch): Leftovers => {
  const found: Leftovers = { orphans: [], strays: [] }
  for (const pid of listPids()) {
    if (pid === process.pid || before.has(identity(pid))) continue
    const kind = read(pid, 'environ').split('\0').includes(`RUNNER_TRACKING_ID=${trackingId}`)
      ? 'orphans'
      : parentOf(pid) !== process.pid && folders.some((folder) => worksIn(pid, folder))
        ? 'strays'
        : undefined
    if (kind !== undefined) found[kind].push({ pid, name: read(pid, 'comm').trim(), command: commandOf(pid) })
  }
  return found
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}

const listPids = (): number[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** With its start time, since a process id is used again. */
const identity = (pid: number): string => `${pid} ${statFields(pid)[19] ?? ''}`

const parentOf = (pid: number): number => Number(statFields(pid)[1])

/** The fields of /proc/…/stat after the command's name, which may hold blanks. */
const statFields = (pid: number): string[] => {
  const stat = read(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const commandOf = (pid: number): string => read(pid, 'cmdline').split('\0').join(' ').trim()

const worksIn = (pid: number, folder: string): boolean => {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    return cwd === folder || cwd.startsWith(`${folder}/`)
  } catch {
    return false
  }
}
