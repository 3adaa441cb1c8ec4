import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOut } from '../core/event.ts'
import { isLink, sift } from '../core/left-out.ts'
import { type Change, decodePath, indexInfo } from '../core/tree-diff.ts'
import { line, parts } from './git.ts'
import { changesOf, readBlobs } from './objects.ts'
import { pathsWithSecrets } from './secrets.ts'
import { commitTree, type Person, resolve, type Store } from './store.ts'

export type Candidate = {
  tree: string
  /** Null when nothing differs from the parent's tree. */
  commit: string | null
  changed: boolean
  files: number
  insertions: number
  deletions: number
  leftOut: readonly LeftOut[]
}

export type CheckpointRequest = {
  /** Object id of the commit that the new one follows. */
  parent: string
  message: string
  author?: Person
  /** Values that no commit may hold. */
  secrets?: readonly string[]
}

/**
 * Takes in the agent's work tree and makes one commit of it on `parent`, whatever the agent did to its own
 * repository. What may not be committed keeps the parent's version and is named.
 *
 * @throws GitError when the work tree cannot be read or the disk is full.
 */
export const checkpoint = async (store: Store, request: CheckpointRequest): Promise<Candidate> => {
  const { parent, message, author, secrets = [] } = request
  const added = await store.work(['add', '-A', '--ignore-errors', '--sparse'], { accept: [0, 1] })
  const changes = await changesOf(store.git, [
    ...['diff-index', '--cached', '--raw', '--numstat', '-z', '--no-renames', parent],
  ])
  const { keep, undo, leftOut } = sift(changes, {
    all: changes.some(({ old }) => old === null) ? await allPaths(store) : [],
    targets: await linkTargets(store, changes),
    silent: silence(store),
    dirty: new Map(store.start.dirty.map(({ path, mode, id }) => [path, { mode, id }])),
    filtered: await filtered(store, changes),
    secret: await pathsWithSecrets(store.git, changes, secrets),
  })
  if (added.code !== 0) leftOut.push(...(await unread(store, added.stderr)))
  if (store.start.submodules.length > 0) leftOut.push(...(await movedSubmodules(store)))
  if (undo.length > 0) {
    const edits = undo.map(({ bytes, old }) => ({ bytes, to: old }))
    await store.git(['update-index', '-z', '--index-info'], { input: indexInfo(edits, parent.length) })
  }
  if (keep.length === 0) {
    const tree = await resolve(store, parent, 'tree')
    if (tree === null) throw new Error(`The store has no commit ${parent}.`)
    return { tree, commit: null, changed: false, files: 0, insertions: 0, deletions: 0, leftOut }
  }
  const tree = line(await store.git(['write-tree']))
  const commit = await commitTree(store, { tree, parents: [parent], message, ...(author && { author }) })
  return {
    tree,
    commit,
    changed: true,
    files: keep.length,
    insertions: keep.reduce((sum, change) => sum + change.insertions, 0),
    deletions: keep.reduce((sum, change) => sum + change.deletions, 0),
    leftOut,
  }
}

const allPaths = async (store: Store): Promise<string[]> =>
  parts(await store.git(['ls-files', '-z'])).map((bytes) => decodePath(bytes).path)

const linkTargets = async (store: Store, changes: readonly Change[]): Promise<Map<string, string>> => {
  const links = changes.flatMap(({ path, new: now }) =>
    now !== null && isLink(now.mode) ? [{ path, id: now.id }] : [],
  )
  const blobs = await readBlobs(
    store,
    links.map(({ id }) => id),
  )
  return new Map(links.map(({ path, id }) => [path, blobs.get(id)?.toString('utf8') ?? '/']))
}

/** An agent's `.gitignore` outranks our exclude file, so what may not get in is asked once more. */
const silence = ({ start }: Store): ((path: string) => boolean) => {
  const files = new Set(start.untracked)
  const folders = [...start.ours, ...start.untracked].filter((path) => path.endsWith('/'))
  return (path) =>
    files.has(path) || start.ours.includes(path) || folders.some((folder) => `${path}/`.startsWith(folder))
}

/** Changed paths with a filter that the checkout defines and that is not run here. */
const filtered = async (store: Store, changes: readonly Change[]): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  if (store.start.filters.length === 0 || changes.length === 0) return found
  const input = Buffer.concat(changes.flatMap(({ bytes }) => [bytes, Buffer.of(0)]))
  const told = parts(await store.work(['check-attr', '-z', '--stdin', 'filter'], { input }))
  for (let at = 0; at + 2 < told.length; at += 3) {
    const [path, , name] = told.slice(at, at + 3).map((bytes) => decodePath(bytes).path)
    if (path !== undefined && name !== undefined && store.start.filters.includes(name)) found.set(path, name)
  }
  return found
}

/** What `git add` could not take: paths it still sees as new or changed. */
const unread = async (store: Store, stderr: string): Promise<LeftOut[]> => {
  const args = ['ls-files', '-o', '-m', '-z', '--exclude-standard']
  const paths = new Set(parts(await store.work(args)).map((bytes) => decodePath(bytes).path))
  return [...paths].map((path) => ({
    path,
    why:
      path.endsWith('/') || stderr.includes(`'${path}/' does not have a commit`)
        ? 'a nested repository'
        : 'it could not be read',
  }))
}

/** Submodules of which the agent moved the commit. Asked in an index apart: the store's own leaves them alone. */
const movedSubmodules = async (store: Store): Promise<LeftOut[]> => {
  const present = store.start.submodules.filter(({ path }) => existsSync(join(store.workspace, path, '.git')))
  const index = join(store.dir, 'index.submodules')
  rmSync(index, { force: true })
  if (present.length === 0) return []
  const input = present.map(({ path }) => `${path}\0`).join('')
  await store.work(['update-index', '--add', '-z', '--stdin'], { index, input, accept: 'any' })
  const told = parts(await store.git(['ls-files', '-s', '-z'], { index })).map((record) =>
    record.toString('utf8'),
  )
  return present
    .filter(({ path, id }) =>
      told.some((record) => record.endsWith(`\t${path}`) && !record.includes(` ${id} `)),
    )
    .map(({ path }) => ({ path, why: 'a submodule' }))
}
