import type { Event } from './event.ts'
import { evolve, initialState, type State } from './state.ts'
import { isStopReason } from './stop.ts'

/** Version of the journal's format; it stands in the first line. A journal of another version is not read. */
export const journalVersion = 1

/** What each event must hold beside its type and time, with the kind of each value. */
const shapes: {
  readonly [Type in Event['type']]: Readonly<Record<string, 'object' | 'string' | 'number' | 'boolean'>>
} = {
  'run-started': { run: 'object' },
  'baseline-judged': { verdict: 'object' },
  'iteration-started': { iteration: 'number', attempt: 'number', limits: 'object' },
  'session-ended': { session: 'object' },
  checkpointed: { checkpoint: 'object' },
  pushed: { sha: 'string' },
  'push-failed': { why: 'string', text: 'string', bundle: 'string' },
  judged: { purpose: 'string', pristine: 'boolean', tree: 'string', verdict: 'object' },
  sealed: { commit: 'string', tree: 'string' },
  waited: { millis: 'number', why: 'string' },
  cancelled: { signal: 'string' },
  failed: { reason: 'string', text: 'string' },
  stopped: { stop: 'object' },
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKind = (value: unknown, kind: string): boolean =>
  kind === 'object' ? isObject(value) : typeof value === kind

const hasReason = ({ reason, stop }: Record<string, unknown>): boolean => {
  const told = isObject(stop) ? stop.reason : reason
  return told === undefined || (typeof told === 'string' && isStopReason(told))
}

const isEvent = (value: unknown): value is Event => {
  if (!isObject(value) || typeof value.at !== 'number' || !Number.isFinite(value.at)) return false
  const shape = Object.entries(shapes).find(([type]) => type === value.type)?.[1]
  if (shape === undefined) return false
  const whole = Object.entries(shape).every(([name, kind]) => isKind(value[name], kind))
  return whole && hasReason(value)
}

export const journalHeader = (): string => `${JSON.stringify({ journal: journalVersion })}\n`

export const journalLine = (event: Event): string => `${JSON.stringify(event)}\n`

/**
 * Reads a journal. A last line without its line feed is a write that was cut off: it never happened.
 *
 * @throws Error naming the line when a complete line cannot be read, or the version is another.
 */
export const readJournal = (text: string): readonly Event[] => {
  const lines = text.split('\n')
  lines.pop()
  const [header, ...rest] = lines.map(parse)
  if (header === undefined) return []
  if (!isObject(header) || header.journal !== journalVersion) {
    const first = JSON.stringify(header).slice(0, 100)
    throw new Error(`The journal is not of version ${journalVersion}: its first line is ${first}.`)
  }
  return rest.map((value, index) => {
    if (!isEvent(value)) throw new Error(`Line ${index + 2} of the journal is no event.`)
    return value
  })
}

const parse = (line: string, index: number): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Error(`Line ${index + 1} of the journal is not JSON.`, { cause })
  }
}

/** The state after a history. */
export const fold = (events: readonly Event[]): State => events.reduce(evolve, initialState)
