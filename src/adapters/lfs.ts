import type { GitResult } from './git.ts'
import { blobSizes, diffTrees, type Run, readBlobs } from './objects.ts'
import type { Store } from './store.ts'

/** No pointer is longer, in bytes. */
const longestPointer = 1024

/** Ids of the large files to which pointers were added or moved. */
const added = async (store: Store, from: string, to: string): Promise<string[]> => {
  const changes = await diffTrees(store, from, to)
  const ids = changes.flatMap((change) =>
    change.new === null || !change.new.mode.startsWith('100') ? [] : [change.new.id],
  )
  const sizes = await blobSizes(store, ids)
  const blobs = await readBlobs(
    store,
    ids.filter((id) => (sizes.get(id) ?? 0) <= longestPointer),
  )
  return [...blobs.values()].flatMap(
    (blob) => /^oid sha256:([0-9a-f]{64})$/m.exec(blob.toString('utf8'))?.[1] ?? [],
  )
}

/**
 * Sends large files ahead of the commits that point at them, as git-lfs's own hook would. Null when there is
 * nothing to send. `call`: git on the store, able to speak to the remote.
 */
export const pushLarge = async (
  store: Store,
  call: Run,
  url: string,
  commit: string,
): Promise<GitResult | null> => {
  const program = store.start.lfs
  if (program === null) return null
  const ids = await added(store, store.start.head, commit)
  if (ids.length === 0) return null
  const alias = `alias.ralph-lfs=!'${program.replaceAll("'", "'\\''")}'`
  return call(['-c', alias, 'ralph-lfs', 'push', '--object-id', url, ...ids], { accept: 'any' })
}
