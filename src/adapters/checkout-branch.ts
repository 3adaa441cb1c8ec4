import { join } from 'node:path'
import { type Adoption, adopt, type MergeWords } from './adopt.ts'
import { type Git, GitError, line } from './git.ts'
import type { Run } from './objects.ts'
import type { Store } from './store.ts'

/** The checkout's own branches, for a run without a remote. */
export type Branches = {
  names: readonly string[]
  adopt: (name: string, words: MergeWords) => Promise<Adoption>
}

/** Nothing that the checkout's settings name is run, and git takes its files for ours. */
const here = ({ dir, workspace }: Store): { cwd: string; env: Record<string, string> } => ({
  cwd: workspace,
  env: { GIT_CONFIG_GLOBAL: join(dir, 'owner') },
})

const quiet = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

export const checkoutBranches = async (git: Git, store: Store): Promise<Branches> => {
  const { cwd, env } = here(store)
  const listed = await git(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'], { cwd, env })
  const call: Run = (args, options) => store.git(args, { env, ...options })
  return {
    names: line(listed)
      .split('\n')
      .filter((name) => name !== ''),
    adopt: (name, words) => adopt(store, { call, url: cwd, name, words }),
  }
}

/**
 * Puts a commit of the store on a branch of the checkout, which may go forward only. Its HEAD, index and files stay
 * as they are, and none of its hooks is run. Answers with the reason when git refused, else with null.
 */
export const deliver = async (
  git: Git,
  store: Store,
  branch: string,
  commit: string,
): Promise<string | null> => {
  await store.git(['update-ref', 'refs/heads/ralph-work', commit])
  try {
    await git(
      [
        ...[...quiet, 'fetch', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
        ...['--update-shallow', '--', store.dir, `refs/heads/ralph-work:refs/heads/${branch}`],
      ],
      here(store),
    )
    return null
  } catch (error) {
    return error instanceof GitError ? error.result.stderr.replace(/^From .*\n/, '').trim() : String(error)
  }
}
