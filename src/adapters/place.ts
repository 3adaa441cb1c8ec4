import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { copyFolder, copyPaths, diskUse, freeSpace, uncommitted } from './copy.ts'
import type { Git } from './git.ts'
import { judgeInPlace, restoreInPlace } from './in-place.ts'
import { type JudgeHead, writeRepository } from './judge-repository.ts'
import type { Run } from './objects.ts'
import { commitTree, type Store } from './store.ts'
import { agentSeat, identityOf, type PlaceFacts, readFacts, swapBack, swapIn, writeFacts } from './swap.ts'

/** From this size of uncommitted files on the work tree itself is judged, in bytes. */
const mostCopied = 4 * 1024 ** 3

/** Runs something with J at the workspace's path. */
export type Judge = <T>(
  /** J. */
  tree: string,
  run: (path: string) => Promise<T>,
  /** `pristine`: with the ignored files as they were before the first session. */
  options?: { pristine?: boolean },
) => Promise<T>

export type JudgePlace = {
  /** Judged in a folder that is swapped into the workspace's path, or in the work tree itself. */
  readonly mode: 'swapped' | 'in place'
  /** Why in place; empty otherwise. */
  readonly why: string
  /** What the copy of ignored files took. */
  copied: { bytes: number; millis: number }
  /** Sentences a person should read. */
  warnings: readonly string[]
  judge: Judge
}

export type PlaceRequest = {
  store: Store
  /** A folder of ours on the workspace's file system, one for each run. */
  dir: string
  /** The base commit. */
  base: string
  /** The name of its branch; the one that was checked out when not given. */
  baseName?: string
  /** Most bytes of ignored files that are copied; 4 GiB when not given. */
  mostCopied?: number
}

type Place = {
  store: Store
  dir: string
  head: Omit<JudgeHead, 'commit' | 'index'>
  facts: PlaceFacts
  copied: { bytes: number; millis: number }
  warnings: string[]
}

/**
 * Opens the judge's place, before the first session: copies what no commit holds, and tries the swap once. Taken
 * up again with the same folder, it first puts right what a killed run left and keeps the copy.
 */
export const openPlace = async (request: PlaceRequest): Promise<JudgePlace> => {
  const { store, dir } = request
  const { workspace } = store
  if (`${dir}${sep}`.startsWith(`${workspace}${sep}`)) throw new Error(`${dir} lies in the work tree.`)
  await recover(store.git, dir)
  const tags = await store.git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'])
  const name = request.baseName ?? store.start.branch
  const place: Place = {
    store,
    dir,
    head: { base: { commit: request.base, name }, tags: tags.stdout.toString('utf8') },
    facts: readFacts(dir) ?? blank(store),
    copied: { bytes: 0, millis: 0 },
    warnings: [],
  }
  if (!place.facts.ready || place.facts.agent !== identityOf(workspace)) {
    await prepare(place, request.mostCopied ?? mostCopied)
  }
  return {
    get mode() {
      return place.facts.mode
    },
    get why() {
      return place.facts.why
    },
    copied: place.copied,
    warnings: place.warnings,
    judge: (tree, run, options) => judge(place, tree, run, options?.pristine ?? false),
  }
}

const prepare = async (place: Place, most: number) => {
  const { store, dir } = place
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  place.facts = blank(store)
  writeFacts(dir, place.facts)
  const why = trySwap(place) ?? (await makeCopy(place, most))
  place.facts.ready = true
  if (why === null) writeFacts(dir, place.facts)
  else judgeInPlaceFrom(place, why)
}

const blank = ({ workspace, dir }: Store): PlaceFacts => ({
  version: 1,
  workspace,
  agent: identityOf(workspace) ?? '',
  store: dir,
  ready: false,
  mode: 'swapped',
  why: '',
  judging: '',
})

const judgeInPlaceFrom = ({ dir, facts }: Place, why: string) => {
  facts.mode = 'in place'
  facts.why = why
  writeFacts(dir, facts)
}

/** Whether the workspace can be moved at all; null when it can. */
const trySwap = ({ dir, facts }: Place): string | null => {
  try {
    renameSync(facts.workspace, agentSeat(dir))
  } catch (error) {
    return whyNoSwap(error)
  }
  swapBack(dir, facts, null)
  return null
}

const whyNoSwap = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const known: Record<string, string> = {
    EBUSY: 'the workspace is a mount point',
    EXDEV: 'the workspace shares no file system with a folder of ours',
    EACCES: 'the folder above the workspace cannot be written',
    EPERM: 'the folder above the workspace cannot be written',
  }
  return known[code] ?? `the workspace cannot be moved (${code})`
}

const makeCopy = async ({ store, dir, copied, warnings }: Place, most: number): Promise<string | null> => {
  const began = performance.now()
  const paths = await uncommitted(store)
  copied.bytes = await diskUse(store.workspace, paths)
  if (copied.bytes > most)
    return `the ignored files take ${gigabytes(copied.bytes)}, more than ${gigabytes(most)}`
  if (3 * copied.bytes > (await freeSpace(dir)))
    return 'there is no room on the disk for copies of the ignored files'
  const told = await copyPaths(store, paths, pristine(dir))
  copied.millis = Math.round(performance.now() - began)
  if (told !== '') warnings.push(`Some ignored files could not be copied: ${told.slice(0, 500)}`)
  return null
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const pristine = (dir: string) => join(dir, 'pristine')

/** Lays J out, swaps it in, runs, and swaps back, whatever happens. */
const judge = async <T>(
  place: Place,
  tree: string,
  run: (path: string) => Promise<T>,
  clean: boolean,
): Promise<T> => {
  const { store, dir, facts } = place
  const head = { ...place.head, commit: await commitOf(place, tree) }
  if (facts.mode === 'swapped') {
    const folder = join(dir, clean ? 'clean' : 'tree')
    const index = await layOut(place, folder, tree)
    writeRepository(store, folder, { ...head, index })
    if (moveIn(place, folder)) {
      try {
        return await run(facts.workspace)
      } finally {
        swapBack(dir, facts, folder)
        if (clean) discard(folder)
      }
    }
  }
  return judgeInPlace(store, dir, facts, { ...head, tree }, run)
}

const moveIn = (place: Place, folder: string): boolean => {
  try {
    swapIn(place.dir, place.facts, folder)
    return true
  } catch (error) {
    judgeInPlaceFrom(place, whyNoSwap(error))
    return false
  }
}

/** A commit of which J is the tree: one that we made, else one on the base that is always the same. */
const commitOf = async ({ store, head }: Place, tree: string): Promise<string> => {
  const known = [...store.trees].findLast(([, its]) => its === tree)
  if (known !== undefined) return known[0]
  const message = 'The tree that is judged\n'
  return commitTree(store, { tree, parents: [head.base.commit], message, date: 0 })
}

/** Writes what differs from J into a folder, and takes out what is neither J's nor ignored. */
const layOut = async ({ store, dir }: Place, folder: string, tree: string): Promise<string> => {
  const index = `${folder}.index`
  const known = existsSync(folder)
  if (!known) {
    rmSync(index, { force: true })
    await copyFolder(pristine(dir), folder)
    if (store.start.sparse) copyFileSync(join(store.dir, 'index'), index) // knows which paths stay out
  }
  rmSync(`${index}.lock`, { force: true }) // of a run that was killed
  const options = { workTree: folder, index }
  await store.git(['read-tree', '--reset', '-u', tree], options)
  if (known) await store.git(['clean', '-ffdq'], options)
  return index
}

/** Deleting may take a while, and nobody waits for it. */
const discard = (folder: string) => {
  const away = `${folder}.${Date.now()}`
  renameSync(folder, away)
  void rm(away, { recursive: true, force: true }).catch(() => {})
}

/** Puts the workspace back after a kill at any instant of a judging. Does nothing when there is nothing to do. */
export const recoverPlace = async (git: Git, dir: string): Promise<void> => {
  const gitDir = readFacts(dir)?.store
  if (gitDir !== undefined) await recover((args, options) => git(args, { gitDir, ...options }), dir)
}

const recover = async (git: Run, dir: string): Promise<void> => {
  const facts = readFacts(dir)
  if (facts === null) return
  if (facts.judging === '') swapBack(dir, facts, null)
  else await restoreInPlace(git, dir, facts)
}
