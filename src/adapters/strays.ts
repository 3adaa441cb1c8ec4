import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Every process that we start carries this variable; its value, the mark, is one of ours alone. */
export const MARK = 'RALPH_MARK'

/** How long a stray may take to end by itself after SIGTERM, and how long we insist with SIGKILL, in milliseconds. */
const TERM_MILLIS = 400
const KILL_MILLIS = 800

/** A short mark would find processes of others. */
export const checkMark = (mark: string) => {
  if (!/^[\w.-]{8,}$/.test(mark)) throw new Error(`"${mark}" is too short or too odd for a mark`)
}

type Row = { pid: number; parent: number; group: number; began: string }

const read = (path: string): Buffer | null => {
  try {
    return readFileSync(path)
  } catch {
    return null // ended meanwhile, or not ours to read
  }
}

const pids = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid))

const carries = (pid: number, mark: string): boolean => {
  const environ = read(`/proc/${pid}/environ`)
  const at = environ?.indexOf(`${MARK}=${mark}\0`) ?? -1
  return at === 0 || (at > 0 && environ?.[at - 1] === 0)
}

/** One row of the process table; null for a process that is gone or a zombie. */
const rowOf = (pid: number): Row | null => {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1')
  if (stat === undefined) return null
  // The name in brackets may itself hold blanks and brackets: the fields start after the last one.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), group: Number(group), began: rest[16] ?? '' }
}

const processTable = (): Map<number, Row> => {
  const rows = pids().map(rowOf)
  return new Map(rows.filter((row) => row !== null).map((row) => [row.pid, row]))
}

/** Ourselves and everything above us: never ended, whatever they carry. */
const untouchable = (rows: Map<number, Row>): Set<number> => {
  const ours = new Set([0, 1])
  let pid: number | undefined = process.pid
  while (pid !== undefined && !ours.has(pid)) {
    ours.add(pid)
    pid = rows.get(pid)?.parent
  }
  return ours
}

const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** The group as one target, when anyone is left in it. Elsewhere than on Linux, without /proc, that is all there is. */
const groupOnly = (group: number | null): number[] => (group !== null && send(-group, 0) ? [-group] : [])

/**
 * Adds to `known` what has to be ended: processes with the mark, those of the group, and the children of both
 * (a child started with an emptied environment has no mark). A known process stays so after its parent is gone.
 * Returns those still there.
 */
const find = (mark: string, group: number | null, known: Map<number, string>): number[] => {
  const marked = new Set(pids().filter((pid) => carries(pid, mark)))
  if (marked.size === 0 && known.size === 0 && groupOnly(group).length === 0) return []
  const rows = processTable()
  const spared = untouchable(rows)
  const found = new Set<number>()
  const isMine = ({ pid, parent, began, ...row }: Row) =>
    marked.has(pid) || row.group === group || found.has(parent) || known.get(pid) === began
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const row of rows.values()) if (!spared.has(row.pid) && isMine(row)) found.add(row.pid)
  }
  for (const pid of found) known.set(pid, rows.get(pid)?.began ?? '')
  return [...found]
}

/**
 * Ends every process that carries `mark` in its environment, their children, and the members of `group`, also
 * those that left the group by setsid, nohup or a double fork: SIGTERM, then SIGKILL. Takes a few milliseconds
 * when there is none, at most 1.3 s when they resist. Linux; elsewhere the group only.
 * Also serves a later process, after ours was killed. Returns how many were found and how many are still there.
 */
export const sweep = async (
  mark: string,
  group: number | null = null,
): Promise<{ found: number; left: number }> => {
  checkMark(mark)
  const known = new Map<number, string>()
  const look = process.platform === 'linux' ? () => find(mark, group, known) : () => groupOnly(group)
  const began = performance.now()
  let left = look()
  let most = left.length
  for (let sent: NodeJS.Signals | null = null; left.length > 0; ) {
    const millis = performance.now() - began
    if (millis > TERM_MILLIS + KILL_MILLIS) break
    const signal = millis < TERM_MILLIS ? 'SIGTERM' : 'SIGKILL'
    // SIGTERM once, lest a handler that takes a moment is hurried by a second one; SIGKILL until nothing is left.
    if (signal !== sent || signal === 'SIGKILL') for (const pid of left) send(pid, signal)
    sent = signal
    await sleep(10)
    left = look()
    most = Math.max(most, known.size, left.length)
  }
  return { found: most, left: left.length }
}
