import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Journal, openJournal } from '../adapters/journal.ts'

/** Where a run keeps its files: the record is uploaded, the rest is not. */
export type Place = {
  root: string
  record: string
  /** The store, the judge's place, the sessions' own files. */
  work: string
  journalFile: string
  /** By which everything that the run started is found. */
  mark: string
}

const placeAt = (root: string): Place => ({
  root,
  record: join(root, 'record'),
  work: join(root, 'work'),
  journalFile: join(root, 'record', 'journal.ndjson'),
  mark: basename(root),
})

/** A new place below `temp`, readable by us alone. */
export const makePlace = (temp: string): Place => {
  mkdirSync(temp, { recursive: true })
  const place = placeAt(mkdtempSync(join(temp, 'ralph-'), 'utf8'))
  for (const folder of [join(place.record, 'logs'), place.work])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  return place
}

/** The place that an earlier step made; null when there is none. */
export const findPlace = (root: string): Place | null =>
  root !== '' && existsSync(root) ? placeAt(root) : null

export const journalOf = (place: Place): Journal => openJournal(place.journalFile)
