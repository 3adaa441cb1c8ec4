import { loopBranch } from './inputs/git-kinds.ts'

/** Longest name of a branch of ours, in characters. */
const longest = 60

/** Longest readable part of it. */
const longestSlug = 40

/** A few words of a title, in plain letters and digits; empty when there is none. */
export const slug = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, '')

/** What a run works on, as far as the name of its branch tells. */
export type Work = { issue: number } | { title: string; digest: string }

/** Git keeps branches as files: `ralph` and `ralph/7` cannot both be. */
const clash = (name: string, branch: string): boolean =>
  branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`)

/**
 * The loop's branch: `ralph/issue-7`, `ralph/fix-the-parser-3f9a0c` (the first six digits of the task's digest), with
 * `-2` and so on once a branch of that name was merged; flat (`ralph-issue-7`) where the remote's branches leave
 * no room for a folder.
 */
export const branchName = (
  work: Work,
  branches: readonly string[],
  merged: readonly string[] = [],
): string => {
  const name =
    'issue' in work
      ? `issue-${work.issue}`
      : [slug(work.title), work.digest.slice(0, 6)].filter((part) => part !== '').join('-')
  const folder = branches.some((branch) => clash(`ralph/${name}`, branch)) ? 'ralph-' : 'ralph/'
  for (let n = 1; ; n++) {
    const full = `${folder}${name}${n === 1 ? '' : `-${n}`}`.slice(0, longest)
    if (!merged.includes(full)) return full
  }
}

/** Why a branch may not be pushed to; null when it may. Never the default branch, in any spelling. */
export const branchFault = (name: string, defaultBranch: string | null): string | null => {
  if (name.toLowerCase() === defaultBranch?.toLowerCase()) return `${name} is the default branch.`
  const parsed = loopBranch.parse(name)
  return parsed.ok ? null : `${name} ${parsed.wrong}.`
}
