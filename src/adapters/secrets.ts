import type { Change } from '../core/tree-diff.ts'
import type { Run } from './objects.ts'

/** Says whether any of the words stands in what it is fed, also across the ends of chunks. */
const finder = (words: readonly string[]): { feed: (chunk: Buffer) => void; found: () => boolean } => {
  const wanted = words.map((word) => Buffer.from(word))
  const overlap = Math.max(...wanted.map((word) => word.length)) - 1
  let tail = Buffer.alloc(0)
  let found = false
  return {
    feed: (chunk) => {
      const text = Buffer.concat([tail, chunk])
      found ||= wanted.some((word) => text.includes(word))
      tail = text.subarray(Math.max(0, text.length - overlap))
    },
    found: () => found,
  }
}

/** The changed paths whose new content holds one of the secrets. No file is held in memory. */
export const pathsWithSecrets = async (
  git: Run,
  changes: readonly Change[],
  secrets: readonly string[],
): Promise<Set<string>> => {
  const blobs = changes.flatMap(({ path, new: now }) =>
    now === null || now.mode === '160000' ? [] : [{ path, id: now.id }],
  )
  if (secrets.length === 0 || blobs.length === 0) return new Set()
  const holds = async (ids: readonly string[]): Promise<boolean> => {
    const { feed, found } = finder(secrets)
    await git(['cat-file', '--batch'], { input: `${ids.join('\n')}\n`, onStdout: feed })
    return found()
  }
  const paths = new Set<string>()
  if (!(await holds(blobs.map(({ id }) => id)))) return paths
  for (const { path, id } of blobs) if (await holds([id])) paths.add(path)
  return paths
}
