import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { line, parts } from './git.ts'
import { diffTrees, type Run } from './objects.ts'
import { commitTree, type Person, resolve, type Store } from './store.ts'

export type Adopted = {
  kind: 'adopted'
  /** The branch as it was found. */
  found: string
  /** Where the run goes on from: `found`, or our merge of the checkout's commit into it. */
  tip: string
  /** Commits of the branch beyond the checkout's; null when a shallow history does not tell. */
  ahead: number | null
  warnings: readonly string[]
}

/** `merged`: the branch holds nothing that the checkout does not hold. Null: there is no such branch. */
export type Adoption = Adopted | { kind: 'merged'; found: string } | null

/** What a merge of the checkout's commit into the branch says of itself. */
export type MergeWords = {
  /** What people call the checkout's commit: its branch. */
  base: string
  message: string
  author?: Person
}

export type AdoptRequest = {
  /** Git on the store, able to speak to the remote. */
  call: Run
  url: string
  /** The branch. */
  name: string
  words: MergeWords
}

/**
 * Fetches a branch of ours and lays its tree into the work tree, without a move of the checkout's HEAD. Where the
 * checkout has gone on since, its commit is merged into the branch first.
 *
 * @throws Error, with nothing changed, when the two do not merge or files that were changed before the start are in
 * the way.
 */
export const adopt = async (store: Store, request: AdoptRequest): Promise<Adoption> => {
  const { call, url, name } = request
  const { head } = store.start
  const fetched = await call([...fetching, '--', url, `+refs/heads/${name}:refs/ralph/adopted`], {
    accept: [0, 128],
  })
  if (fetched.code !== 0) {
    if (/couldn't find remote ref/.test(fetched.stderr)) return null
    throw new Error(`${name} cannot be fetched: ${fetched.stderr.trim()}`)
  }
  const found = await resolve(store, 'refs/ralph/adopted', 'commit')
  if (found === null) return null
  const fork = await mergeBase(store, request, head, found)
  if (fork === found || (await squashed(store, fork, found))) return { kind: 'merged', found }
  const { tip, warnings } =
    fork === head ? { tip: found, warnings: [] } : await merge(store, request, found, fork)
  const blocked = await inTheWay(store, head, tip)
  if (blocked.length > 0)
    throw new Error(
      `${name} changes files that were changed here already: ${listed(blocked)}. Commit them or put them aside.`,
    )
  await store.work(['update-index', '-q', '--refresh'], { accept: [0, 1] })
  await call(['read-tree', '-m', '-u', head, tip], { workTree: store.workspace }) // Git LFS may have to fetch
  const ahead =
    fork === null ? null : Number(line(await store.git(['rev-list', '--count', `${fork}..${found}`])))
  return { kind: 'adopted', found, tip, ahead, warnings }
}

const fetching = [
  'fetch',
  '-q',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--update-shallow',
]

const listed = (paths: readonly string[]): string => {
  const more = paths.length - 10
  return `${paths.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Tree and conflicts of a merge that touches no files; null when this git cannot do that. */
const mergeTree = async (
  { git }: Store,
  a: string,
  b: string,
): Promise<{ tree: string; conflicts: string[] } | null> => {
  const options = ['--write-tree', '--name-only', '--no-messages', '-z']
  const made = await git(['merge-tree', ...options, a, b], { accept: [0, 1, 129] })
  if (made.code === 129) return null
  const [tree = '', ...conflicts] = parts(made).map((bytes) => bytes.toString('utf8'))
  return { tree, conflicts: [...new Set(conflicts)] }
}

/** How far back a squash merge of the branch is looked for, in commits. */
const farthest = 100

/**
 * Whether the checkout took the branch in as a commit of its own: on top of that commit the branch changes nothing.
 * Only commits that touch the same paths can be it.
 */
const squashed = async (store: Store, fork: string | null, found: string): Promise<boolean> => {
  const { head } = store.start
  if (fork === null || fork === head) return false
  const changes = await diffTrees(store, fork, found)
  if (changes.length === 0) return true
  const listed = await store.git(['rev-list', '--first-parent', `--max-count=${farthest}`, '--stdin'], {
    input: [`${fork}..${head}`, '--', ...changes.map(({ path }) => path)].join('\n'),
    env: { GIT_LITERAL_PATHSPECS: '1' },
  })
  for (const commit of line(listed)
    .split('\n')
    .filter((id) => id !== '')) {
    const merged = await mergeTree(store, commit, found)
    if (merged === null) return false
    if (merged.tree === (await resolve(store, commit, 'tree'))) return true
  }
  return false
}

/** One commit of ours with both parents; the branch as it is, with a warning, when this git or history cannot merge. */
const merge = async (
  store: Store,
  { name, words }: AdoptRequest,
  found: string,
  fork: string | null,
): Promise<{ tip: string; warnings: string[] }> => {
  const { base, message, author } = words
  const { head } = store.start
  const merged = fork === null ? null : await mergeTree(store, found, head)
  if (merged === null) {
    const why = fork === null ? 'where the two parted is not known' : 'that needs git 2.38 or newer'
    return {
      tip: found,
      warnings: [
        `${name} does not have the newest commits of ${base}, and they are not merged into it: ${why}.`,
      ],
    }
  }
  if (merged.conflicts.length > 0)
    throw new Error(
      `${name} and ${base} change the same places in ${listed(merged.conflicts)}. Merge ${base} into ${name} and push it, or delete ${name}: then the run starts afresh.`,
    )
  const commit = { tree: merged.tree, parents: [found, head], message, ...(author && { author }) }
  return { tip: await commitTree(store, commit), warnings: [] }
}

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
  { call, url }: Pick<AdoptRequest, 'call' | 'url'>,
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
