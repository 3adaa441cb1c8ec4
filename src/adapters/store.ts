import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Git, line } from './git.ts'
import type { Run } from './objects.ts'
import { importStart } from './store-start.ts'

const entry = z.object({ path: z.string(), mode: z.string(), id: z.string() })

const startShape = z.object({
  version: z.literal(1),
  /** The work tree, absolute, without symbolic links. */
  workspace: z.string(),
  /** The commit that was checked out, and its tree. */
  head: z.string(),
  headTree: z.string(),
  /** The branch that was checked out; null when HEAD was detached. */
  branch: z.nullable(z.string()),
  /** The tracked files as they lay in the work tree; the same as `headTree` when nothing was changed. */
  tree: z.string(),
  /** Tracked files that were changed already. */
  dirty: z.array(entry),
  /** Paths that were there, neither tracked nor ignored; folders end with a slash. */
  untracked: z.array(z.string()),
  /** Paths of ours in the work tree, from its root; folders end with a slash. */
  ours: z.array(z.string()),
  submodules: z.array(z.object({ path: z.string(), id: z.string() })),
  /** Filters that the checkout defines and that are not run here. */
  filters: z.array(z.string()),
  /** The program that runs Git LFS, where it is used; null when it is not used or not installed. */
  lfs: z.nullable(z.string()),
  /** The address of `origin`, without credentials; empty when there is none. */
  remote: z.string(),
  /** Whether a credential stood in the checkout's settings, where an agent can read it. */
  credential: z.boolean(),
  /** Whether the checkout left paths out on purpose. */
  sparse: z.boolean(),
  /** Settings, as text of a git configuration, by which files are read and written here as in the checkout. */
  reading: z.string(),
  /** Sentences a person should read. */
  warnings: z.array(z.string()),
})

/** What was so before any agent ran. */
export type Start = z.infer<typeof startShape>

export type Store = {
  /** The bare repository, outside the work tree. */
  dir: string
  workspace: string
  start: Start
  /** The token that stood in the address of `origin`; null when there was none or the store is taken up again. */
  token: string | null
  /** Trees of commits that are known already. */
  trees: Map<string, string>
  /** Git on the store. */
  git: Run
  /** Git on the store and the agent's work tree, with the store's index. */
  work: Run
}

export type StoreRequest = {
  git: Git
  /** Made when it is not there; taken up again when it is. On no account inside the work tree. */
  dir: string
  workspace: string
  /** Paths of ours in the work tree that no commit may hold unless the repository tracks them (`.harness/loop/`). */
  exclude: readonly string[]
  /** Absolute path of git-lfs; null when there is none. */
  lfs: string | null
}

/**
 * Opens the store: the repository of ours in which everything is kept that the agent does. The first time it takes
 * in the history of the checkout and the state of its work tree.
 *
 * @throws Error when the workspace is no repository, has no commit, or its files cannot be read whole.
 */
export const openStore = async (request: StoreRequest): Promise<Store> => {
  const { dir, git } = request
  const file = join(dir, 'start.json')
  const token = existsSync(file) ? null : await importStart(request, file)
  rmSync(join(dir, 'index.lock'), { force: true }) // of a run that was killed
  const start = startShape.parse(JSON.parse(readFileSync(file, 'utf8')))
  return {
    dir,
    workspace: start.workspace,
    start,
    token,
    trees: new Map([[start.head, start.headTree]]),
    git: (args, options) => git(args, { gitDir: dir, ...options }),
    work: (args, options) => git(args, { gitDir: dir, workTree: start.workspace, ...options }),
  }
}

export type Person = { name: string; email: string }

export const bot: Person = {
  name: 'github-actions[bot]',
  email: '41898282+github-actions[bot]@users.noreply.github.com',
}

export type CommitRequest = {
  tree: string
  /** None for a root commit. */
  parents: readonly string[]
  message: string
  author?: Person
  /** Epoch seconds; now when not given. */
  date?: number
}

/** Makes a commit object; no ref points at it. */
export const commitTree = async (store: Store, request: CommitRequest): Promise<string> => {
  const { name, email } = request.author ?? bot
  const date = request.date === undefined ? {} : dates(`@${request.date} +0000`)
  const made = await store.git(
    ['commit-tree', request.tree, ...request.parents.flatMap((parent) => ['-p', parent])],
    {
      input: request.message,
      env: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        ...date,
      },
    },
  )
  const commit = line(made)
  store.trees.set(commit, request.tree)
  return commit
}

const dates = (date: string) => ({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })

/** The object id that `rev` means, or null. `type` peels: a commit's tree, a tag's commit. */
export const resolve = async (store: Store, rev: string, type: 'commit' | 'tree'): Promise<string | null> => {
  const known = type === 'tree' ? store.trees.get(rev) : undefined
  if (known !== undefined) return known
  const found = await store.git(['rev-parse', '--verify', '-q', '--end-of-options', `${rev}^{${type}}`], {
    accept: [0, 1, 128],
  })
  return found.code === 0 ? line(found) : null
}
