import { posix } from 'node:path'
import type { Store } from './store.ts'

/** A file of the base commit as text, or why there is none. */
export type BaseFile = { text: string } | { missing: 'not there' | 'not a file' | 'too large' | 'not text' }

/**
 * Reads a file as the base commit has it, whatever lies in the work tree. A symbolic link is followed once and only
 * within the repository. `path` is relative to its root; `most` in bytes.
 */
export const readBaseFile = async (
  store: Store,
  path: string,
  most: number,
  followed = false,
): Promise<BaseFile> => {
  const listed = await store.git(['ls-tree', '-l', '-z', '--full-tree', store.start.head, '--', path])
  const [, mode, size] = /^(\d+) blob \S+ +(\d+)\t/.exec(listed.stdout.toString('utf8')) ?? []
  if (listed.stdout.length === 0) return { missing: 'not there' }
  if (mode === undefined || size === undefined) return { missing: 'not a file' }
  if (Number(size) > most) return { missing: 'too large' }
  const { stdout } = await store.git(['cat-file', 'blob', `${store.start.head}:${path}`])
  if (mode === '120000') {
    const target = posix.normalize(posix.join(posix.dirname(path), stdout.toString('utf8')))
    return followed || target.startsWith('..') || posix.isAbsolute(target)
      ? { missing: 'not a file' }
      : readBaseFile(store, target, most, true)
  }
  return stdout.includes(0)
    ? { missing: 'not text' }
    : { text: new TextDecoder().decode(stdout).replace(/\r\n?/g, '\n') }
}
