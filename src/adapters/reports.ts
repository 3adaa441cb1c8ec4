import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { junitReader, resultsOf, type TestResults } from '../core/results.ts'

/** Folders that hold no report of this repository and may be huge. */
const skipped = new Set(['.git', 'node_modules'])
const chunkBytes = 256 * 1024

/**
 * The JUnit reports that a verification wrote: regular files below `folder` that match and that changed since `since`,
 * in epoch milliseconds. Null when there are none.
 */
export const readReports = (folder: string, pattern: string, since: number): TestResults | null => {
  const matches = picomatch(pattern, { dot: true })
  const paths = filesBelow(folder, '').filter((path) => matches(path) && isNew(join(folder, path), since))
  return paths.length === 0 ? null : resultsOf(paths.map((path) => readReport(folder, path)))
}

const filesBelow = (folder: string, prefix: string): string[] =>
  entries(join(folder, prefix)).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(folder, path)
    return entry.isFile() ? [path] : []
  })

const entries = (path: string): Dirent[] => {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return [] // gone meanwhile, or not ours to read
  }
}

/** Files carry the time of their writing in parts of a millisecond; a report of the same instant is new. */
const isNew = (path: string, since: number): boolean => lstatSync(path).mtimeMs >= Math.floor(since) - 1

const readReport = (folder: string, path: string) => {
  const reader = junitReader(path)
  const decoder = new TextDecoder()
  const file = openSync(join(folder, path), 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    for (;;) {
      const length = readSync(file, chunk)
      if (length === 0) break
      reader.push(decoder.decode(chunk.subarray(0, length), { stream: true }))
    }
    return reader.end()
  } finally {
    closeSync(file)
  }
}
