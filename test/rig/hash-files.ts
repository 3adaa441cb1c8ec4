import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import picomatch from 'picomatch'

/**
 * `hashFiles()`: SHA-256 over the SHA-256 of each file under the workspace that matches, in the order they are found;
 * empty when none does. A pattern with `!` in front takes files out again.
 * Source: actions/runner HashFilesFunction and actions/glob.
 */
export const hashFiles = (workspace: string, patterns: readonly string[]): string => {
  const rules = patterns
    .flatMap((pattern) => pattern.split('\n'))
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '' && !pattern.startsWith('#'))
    .map((pattern) => {
      const take = !pattern.startsWith('!')
      return { take, matches: picomatch(take ? pattern : pattern.slice(1), { dot: true }) }
    })
  const isTaken = (path: string): boolean =>
    rules.reduce((taken, rule) => (rule.matches(path) ? rule.take : taken), false)

  const total = createHash('sha256')
  let found = false
  for (const file of walk(workspace)) {
    if (!isTaken(relative(workspace, file))) continue
    found = true
    total.update(createHash('sha256').update(readFileSync(file)).digest())
  }
  return found ? total.digest('hex') : ''
}

function* walk(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) yield* walk(path)
    else if (stat?.isFile()) yield path
  }
}
