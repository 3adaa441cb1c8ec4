import { createHash } from 'node:crypto'
import type { Adoption, MergeWords } from '../adapters/adopt.ts'
import type { Start } from '../adapters/store.ts'
import { branchName } from '../core/branch.ts'
import type { RunFacts } from '../core/event.ts'
import type { Config } from '../core/inputs/config.ts'
import { mergeMessage } from '../core/messages.ts'
import { Failure } from '../run.ts'
import type { Context } from './context.ts'
import { titleOf } from './prepare.ts'

/** The loop's branch and where the work on it goes on from. */
export type Branch = Pick<RunFacts, 'branch' | 'found' | 'tip' | 'ahead' | 'warnings'>

/** Where branches are: the remote, or the checkout itself when there is none. */
export type Source = {
  defaultBranch: string | null
  names: readonly string[]
  adopt: (name: string, words: MergeWords) => Promise<Adoption>
}

/**
 * The branch that the work starts from.
 *
 * @throws Failure SETUP_FAILED when the checkout is at none, or at the merge commit of a pull request.
 */
export const baseBranch = (context: Context, config: Config, start: Start): string => {
  const { GITHUB_EVENT_NAME: event = '', GITHUB_REF: ref = '', GITHUB_SHA: sha } = context.environment
  if (start.branch === null && ref.startsWith('refs/pull/') && start.head === sha)
    throw new Failure(
      'SETUP_FAILED',
      `The checkout is at ${ref}, the merge commit that GitHub made for this ${event === '' ? 'pull_request' : event} event: work on it would belong to no branch. Check out the branch of the pull request: give actions/checkout \`ref: \${{ github.head_ref }}\`.`,
    )
  const base = config.git.base ?? start.branch
  if (base === null)
    throw new Failure(
      'SETUP_FAILED',
      `The checkout is at ${ref.startsWith('refs/tags/') ? `the tag ${ref.slice(10)}` : 'a single commit'}, not at a branch. Check out the branch that the work starts from: give actions/checkout a \`ref\`, for example \`ref: main\`. Or name it by \`base\`.`,
    )
  return base
}

/**
 * Takes over the branch of an earlier run of the same task, or a name that is free. A branch that was merged is not
 * gone on with: the next name is taken, or, when the branch was named by `branch`, it is moved forward from the base.
 *
 * @throws Failure SETUP_FAILED when it is the base or the default branch, Error when it cannot be taken over.
 */
export const takeBranch = async (request: {
  config: Config
  source: Source
  task: string
  base: string
  runId: string
  head: string
}): Promise<Branch> => {
  const { config, source, task, base, head, runId } = request
  const work = { title: titleOf(task), digest: createHash('sha256').update(task).digest('hex') }
  const merged: string[] = []
  for (;;) {
    const branch = config.git.branch ?? branchName(work, source.names, merged)
    refuse(branch, base, source.defaultBranch)
    const message = mergeMessage({ id: runId, base, baseSha: head }, branch)
    const adoption = await source.adopt(branch, { base, message, author: config.git.author })
    if (adoption?.kind === 'adopted') {
      const { found, tip, ahead, warnings } = adoption
      return { branch, found, tip, ahead: ahead ?? 0, warnings }
    }
    if (adoption === null || config.git.branch !== null)
      return { branch, found: adoption?.found ?? null, tip: head, ahead: 0, warnings: [] }
    merged.push(branch)
  }
}

const refuse = (branch: string, base: string, defaultBranch: string | null): void => {
  if ([base, defaultBranch].every((name) => name?.toLowerCase() !== branch.toLowerCase())) return
  throw new Failure(
    'SETUP_FAILED',
    `branch is ${branch}, which is the ${branch === base ? 'base' : 'default branch'}. It is never touched: choose another name.`,
  )
}
