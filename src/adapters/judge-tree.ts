import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type JudgeRules, judgeEdits } from '../core/judge-files.ts'
import { type Change, type IndexEdit, indexInfo, type Side } from '../core/tree-diff.ts'
import { line } from './git.ts'
import { diffTrees, readBlobs } from './objects.ts'
import { resolve, type Store } from './store.ts'

/**
 * Says what a file of which both sides own a part is in J. Null for a side that has no such file. The answer
 * null takes the file out; undefined means that this merge has no say.
 */
export type Merge = (path: string, base: Buffer | null, candidate: Buffer | null) => Buffer | null | undefined

export type JudgeTree = {
  tree: string
  /** Whether J is another tree than the candidate's. */
  differs: boolean
  /** Paths that are not as the candidate has them, sorted. */
  restored: readonly string[]
}

export type JudgeTreeRequest = JudgeRules & {
  /** Commits or trees. */
  candidate: string
  base: string
  /** Asked in order for every changed path that no rule has decided and `merges` lists. */
  merges?: readonly { matches: (path: string) => boolean; merge: Merge }[]
}

/** Makes J: the candidate's tree with the base's judge files. */
export const judgeTree = async (store: Store, request: JudgeTreeRequest): Promise<JudgeTree> => {
  const { candidate, base } = request
  const changes = await diffTrees(store, base, candidate)
  const { edits, restored } = judgeEdits(changes, request)
  const decided = new Set(restored)
  const merged = await mergeEdits(
    store,
    changes.filter(({ path }) => !decided.has(path)),
    request.merges ?? [],
  )
  const all = [...edits, ...merged.map(({ edit }) => edit)]
  const tree = await (all.length === 0 ? resolve(store, candidate, 'tree') : editTree(store, candidate, all))
  if (tree === null) throw new Error(`The store has no ${candidate}.`)
  return {
    tree,
    differs: all.length > 0,
    restored: [...restored, ...merged.map(({ path }) => path)].sort(),
  }
}

/** A tree with some paths edited, made in an index apart. */
export const editTree = async (store: Store, from: string, edits: readonly IndexEdit[]): Promise<string> => {
  const index = join(store.dir, 'index.judge')
  rmSync(index, { force: true })
  await store.git(['read-tree', from], { index })
  await store.git(['update-index', '-z', '--index-info'], {
    index,
    input: indexInfo(edits, store.start.head.length),
  })
  return line(await store.git(['write-tree'], { index }))
}

const mergeEdits = async (
  store: Store,
  changes: readonly Change[],
  merges: NonNullable<JudgeTreeRequest['merges']>,
): Promise<{ path: string; edit: IndexEdit }[]> => {
  const open = changes.filter(({ path }) => merges.some(({ matches }) => matches(path)))
  const blobs = await readBlobs(
    store,
    open.flatMap(({ old, new: now }) => [old, now].flatMap((side) => (side === null ? [] : [side.id]))),
  )
  const blobOf = (side: Side | null) => (side === null ? null : (blobs.get(side.id) ?? null))
  const made: { path: string; edit: IndexEdit }[] = []
  for (const change of open) {
    const { path, bytes, old, new: now } = change
    const merge = merges.find(({ matches }) => matches(path))?.merge
    const content = merge?.(path, blobOf(old), blobOf(now))
    if (content === undefined) continue
    const mode = (now ?? old)?.mode ?? '100644'
    const to =
      content === null
        ? null
        : { mode, id: line(await store.git(['hash-object', '-w', '--stdin'], { input: content })) }
    if (to?.id !== now?.id) made.push({ path, edit: { bytes, to } })
  }
  return made
}
