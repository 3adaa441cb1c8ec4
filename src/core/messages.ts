import { disarm, shorten } from './clean.ts'
import type { RunFacts } from './event.ts'
import type { State } from './state.ts'

/** Longest first line, in characters: what tools show of it. */
const longestSubject = 72
const longestDetail = 300

/** Words that keep GitHub from running checks when they stand in square brackets. */
const skips = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi

/** Text of others inside a commit message: one line, without what GitHub would act on. */
const quiet = (text: string): string => disarm(text).replace(/\s+/g, ' ').trim().replace(skips, '($1)')

/** `wip: ` and so on, with as much of the text as the line holds. */
const subject = (before: string, text: string, after: string): string =>
  `${before}${shorten(text, longestSubject - before.length - after.length)}${after}`

const trailers = (run: Pick<RunFacts, 'id' | 'baseSha'>, more: readonly string[] = []): string =>
  `${[`Ralph-Run: ${run.id}`, ...more, `Ralph-Base: ${run.baseSha}`].join('\n')}\n`

/**
 * The checkpoint's commit: marked as work in progress, since its verdict comes later. No line begins with a text of
 * others, and the last paragraph is ours, so that no trailer can be forged.
 */
export const commitMessage = (run: RunFacts, state: State): string => {
  const how =
    state.session === null ? '' : `Session: ${shorten(quiet(state.session.detail), longestDetail)}\n\n`
  const first = subject('wip: ', quiet(run.title), ` (iteration ${state.iteration})`)
  return `${first}\n\n${how}${trailers(run, [`Ralph-Iteration: ${state.iteration}`])}`
}

/** The commit that makes the branch's tip exactly the tree that was judged. */
export const sealMessage = (run: RunFacts): string =>
  `${subject("Restore the judge's files as on ", quiet(run.base), '')}\n\nThe verifier passed with these files.\n\n${trailers(run)}`

/** The commit that brings the base's newest commits into a branch of an earlier run. */
export const mergeMessage = (run: Pick<RunFacts, 'id' | 'base' | 'baseSha'>, branch: string): string =>
  `${subject('Merge ', quiet(run.base), ` into ${branch}`)}\n\n${trailers(run)}`
