import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import type { Event } from '../core/event.ts'
import { journalHeader, journalLine, readJournal } from '../core/journal.ts'

export type Journal = {
  /** What was in the file when it was opened. */
  events: readonly Event[]
  /** Returns when the event is on the disk. */
  append: (event: Event) => void
  close: () => void
}

/**
 * Opens the journal for appending, and makes it when it is not there. A line that a killed writer left half
 * written is cut off first.
 *
 * @throws Error when the file is there but no journal of this version.
 */
export const openJournal = (path: string): Journal => {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const events = readJournal(whole)
  if (whole.length !== text.length) truncateSync(path, Buffer.byteLength(whole))
  const file = openSync(path, 'a', 0o600)
  const write = (line: string) => {
    writeSync(file, line)
    fdatasyncSync(file)
  }
  if (whole === '') write(journalHeader())
  return { events, append: (event) => write(journalLine(event)), close: () => closeSync(file) }
}
