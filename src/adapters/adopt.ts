import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { line } from './git.ts'
import { diffTrees, type Run } from './objects.ts'
import { resolve, type Store } from './store.ts'

export type Adopted = {
  tip: string
  /** Commits beyond the checkout's; null when a shallow history does not tell. */
  ahead: number | null
}

export type AdoptRequest = {
  /** Git on the store, able to speak to the remote. */
  call: Run
  url: string
  /** The branch. */
  name: string
}

/**
 * Fetches a branch of ours and lays its tree into the work tree, without a move of the checkout's HEAD. Null when
 * the remote has no such branch.
 *
 * @throws Error, with nothing changed, when files that were changed before the start are in the way.
 */
export const adopt = async (store: Store, request: AdoptRequest): Promise<Adopted | null> => {
  const { call, url, name } = request
  const fetched = await call([...fetching, '--', url, `+refs/heads/${name}:refs/ralph/adopted`], {
    accept: [0, 128],
  })
  if (fetched.code !== 0) {
    if (/couldn't find remote ref/.test(fetched.stderr)) return null
    throw new Error(`${name} cannot be fetched: ${fetched.stderr.trim()}`)
  }
  const tip = await resolve(store, 'refs/ralph/adopted', 'commit')
  if (tip === null) return null
  const { head } = store.start
  const blocked = await inTheWay(store, head, tip)
  if (blocked.length > 0)
    throw new Error(
      `${name} changes files that were changed here already: ${blocked.slice(0, 10).join(', ')}. Commit them or put them aside.`,
    )
  await store.work(['update-index', '-q', '--refresh'], { accept: [0, 1] })
  await call(['read-tree', '-m', '-u', head, tip], { workTree: store.workspace }) // Git LFS may have to fetch
  const base = await mergeBase(store, request, head, tip)
  return {
    tip,
    ahead: base === null ? null : Number(line(await store.git(['rev-list', '--count', `${base}..${tip}`]))),
  }
}

const fetching = [
  'fetch',
  '-q',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--update-shallow',
]

/** Paths that the branch changes and that are not as the checkout's commit has them. */
const inTheWay = async ({ git, workspace, start }: Store, head: string, tip: string): Promise<string[]> => {
  const dirty = new Set(start.dirty.map(({ path }) => path))
  const changes = await diffTrees({ git }, head, tip)
  return changes
    .filter(({ path, old }) => {
      const there = lstatSync(join(workspace, path), { throwIfNoEntry: false }) !== undefined
      return dirty.has(path) || (old === null ? there : !there && !start.sparse)
    })
    .map(({ path }) => path)
}

/** How much further a shallow history is fetched, step by step, before it is fetched whole; in commits. */
const steps = [50, 500]

/** Where two commits part; null when nobody knows. A whole history is never cut, a shallow one fetched further. */
export const mergeBase = async (
  store: Store,
  { call, url }: AdoptRequest,
  a: string,
  b: string,
): Promise<string | null> => {
  const { dir, git, start } = store
  const find = async () => {
    const found = await git(['merge-base', a, b], { accept: [0, 1] })
    return found.code === 0 ? line(found) : null
  }
  const ref = start.branch === null ? 'HEAD' : `refs/heads/${start.branch}`
  for (const deeper of [...steps.map((step) => `--deepen=${step}`), '--unshallow']) {
    const base = await find()
    if (base !== null || !existsSync(join(dir, 'shallow'))) return base
    await call(['fetch', '-q', '--no-tags', '--no-write-fetch-head', deeper, '--', url, ref], {
      accept: 'any',
    })
  }
  return find()
}
