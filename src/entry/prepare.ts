import { randomBytes } from 'node:crypto'
import { readBaseFile } from '../adapters/base-file.ts'
import type { Store } from '../adapters/store.ts'
import type { Config } from '../core/inputs/config.ts'
import { Failure } from '../run.ts'

/** As long as a task given as text: 64 KiB. */
const taskCap = 65_536
/** Of the repository's own instructions no more is read than this, in bytes; the prompt cuts further. */
const instructionsCap = 1024 ** 2

/**
 * The task's text: as given, or from the file it names, as the base has it.
 *
 * @throws Failure SETUP_FAILED that names the file and the fix.
 */
export const readTask = async (config: Config, store: Store): Promise<string> => {
  if (config.task.kind === 'text') return config.task.text
  const { path } = config.task
  const file = await readBaseFile(store, path, taskCap)
  const text = 'text' in file ? file.text : ''
  if (text.trim() !== '') return text
  const why = 'text' in file ? 'is empty' : faults[file.missing]
  throw new Failure(
    'SETUP_FAILED',
    `task-file ${path} ${why}. Name a text file of at most ${taskCap / 1024} KiB that is committed on the base.`,
  )
}

const faults = {
  'not there': 'is not in the commit that is checked out',
  'not a file': 'is no regular file',
  'too large': `is larger than ${taskCap / 1024} KiB`,
  'not text': 'is no text',
} as const

/** First line of the task that says something, at most 72 characters. */
export const titleOf = (task: string): string => {
  const lines = task.split('\n').map((text) => text.replace(/^#+\s*/, '').trim())
  const line = lines.find((text) => text !== '') ?? 'task'
  const characters = Array.from(line)
  return characters.length <= 72 ? line : `${characters.slice(0, 71).join('')}…`
}

/** A word that nobody who wrote a task or a test can have known. */
export const newMarker = (): string => `DATA-${randomBytes(8).toString('hex')}`

/** The CLAUDE.md of the base; empty when there is none that can be read. */
export const readInstructions = async (store: Store): Promise<string> => {
  const file = await readBaseFile(store, 'CLAUDE.md', instructionsCap)
  return 'text' in file ? file.text : ''
}
