import type { Event } from './event.ts'
import { evolve, initialState, type State } from './state.ts'

/** Version of the journal's format; it stands in the first line. A journal of another version is not read. */
export const journalVersion = 1

const types: ReadonlySet<string> = new Set<Event['type']>([
  'run-started',
  'baseline-judged',
  'iteration-started',
  'session-ended',
  'checkpointed',
  'pushed',
  'push-failed',
  'judged',
  'sealed',
  'waited',
  'cancelled',
  'failed',
  'stopped',
])

const isEvent = (value: unknown): value is Event =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  types.has(value.type) &&
  'at' in value &&
  typeof value.at === 'number' &&
  Number.isFinite(value.at)

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
  if (
    typeof header !== 'object' ||
    header === null ||
    !('journal' in header) ||
    header.journal !== journalVersion
  ) {
    throw new Error(
      `The journal is not of version ${journalVersion}: its first line is ${JSON.stringify(header)}.`,
    )
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
