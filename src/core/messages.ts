import type { RunFacts } from './event.ts'
import type { State } from './state.ts'

/** Words in a commit message that keep GitHub from running checks; ours never hold them. */
const skips = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi

/** Text of others inside a commit message: one line, without what GitHub or git would act on. */
const quiet = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(skips, '')
    .replace(/([@#])(?=\w)/g, '$1\u200b')
    .replace(/\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=[\s:]+(?:\S+#|#|https?:))/gi, '$1\u200b')
    .trim()

const trailers = (run: RunFacts, iteration: number): string =>
  `Ralph-Run: ${run.id}\nRalph-Iteration: ${iteration}\nRalph-Base: ${run.baseSha}\n`

/** The checkpoint's commit: marked as work in progress, since its verdict comes later. */
export const commitMessage = (run: RunFacts, state: State): string => {
  const how = state.session === null ? '' : `\n\n${quiet(state.session.detail)}`
  return `wip: ${quiet(run.title)} (iteration ${state.iteration})${how}\n\n${trailers(run, state.iteration)}`
}

/** The commit that makes the branch's tip exactly the tree that was judged. */
export const sealMessage = (run: RunFacts): string =>
  `Restore the judge's files as they are on ${quiet(run.base)}\n\nThe verifier passed with these files.\n\n${trailers(run, 0)}`
