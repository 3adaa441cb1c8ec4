import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve as resolvePath } from 'node:path'
import type { Config } from '../core/config.ts'
import { Failure } from '../run.ts'

/** The task's text: given, or read from the file it names.
 *
 * @throws Failure SETUP_FAILED that names the file and the fix.
 */
export const readTask = (config: Config, workspace: string): string => {
  if (config.task.kind === 'text') return config.task.text
  const { path } = config.task
  const file = resolvePath(workspace, path)
  const inside = relative(workspace, file)
  const problem = (what: string) => new Failure('SETUP_FAILED', `task-file ${path} ${what}.`)
  if (inside.startsWith('..') || isAbsolute(inside)) throw problem('lies outside the repository')
  if (!existsSync(file))
    throw problem('does not exist in the checkout. Check the path, relative to the repository’s root')
  if (!statSync(file).isFile()) throw problem('is no regular file')
  const bytes = readFileSync(file)
  if (bytes.length > taskCap) throw problem(`is larger than ${taskCap / 1024} KiB`)
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes)
  if (text.includes('\0')) throw problem('is no text')
  if (text.trim() === '') throw problem('is empty')
  return text.replace(/\r\n?/g, '\n')
}

/** As long as a task given as text: 64 KiB. */
const taskCap = 65_536

/** First line of the task that says something, at most 72 characters. */
export const titleOf = (task: string): string => {
  const line =
    task
      .split('\n')
      .map((text) => text.replace(/^#+\s*/, '').trim())
      .find((text) => text !== '') ?? 'task'
  const characters = Array.from(line)
  return characters.length <= 72 ? line : `${characters.slice(0, 71).join('')}…`
}

/** A word that nobody who wrote a task or a test can have known. */
export const newMarker = (): string => `DATA-${randomBytes(8).toString('hex')}`

/** The CLAUDE.md of the checkout as it is before any session; empty when there is none. */
export const readInstructions = (workspace: string): string => {
  const file = join(workspace, 'CLAUDE.md')
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
}
