import { type Change, treeDiffParser } from '../core/tree-diff.ts'
import type { GitOptions, GitResult } from './git.ts'

/** Git on one repository, whichever. */
export type Run = (args: readonly string[], options?: GitOptions) => Promise<GitResult>

/** Runs a git command that prints `--raw -z`, and reads it as it comes. */
export const changesOf = async (
  run: Run,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Change[]> => {
  const parser = treeDiffParser()
  await run(args, { ...options, onStdout: parser.feed })
  return parser.end()
}

/** What differs between two trees or commits, renames as a removal and an addition. `lines` counts them, and costs. */
export const diffTrees = (
  { git }: { git: Run },
  from: string,
  to: string,
  lines = false,
): Promise<Change[]> =>
  changesOf(git, [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    ...(lines ? ['--numstat'] : []),
    '--no-renames',
    from,
    to,
  ])

/** Contents of blobs by id, each once. Missing ones are left out. */
export const readBlobs = async (
  { git }: { git: Run },
  ids: readonly string[],
): Promise<Map<string, Buffer>> => {
  const blobs = new Map<string, Buffer>()
  if (ids.length === 0) return blobs
  const { stdout } = await git(['cat-file', '--batch'], { input: `${[...new Set(ids)].join('\n')}\n` })
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at)
    const [id = '', type, size] = stdout.subarray(at, end).toString('latin1').split(' ')
    at = end + 1
    if (type === 'missing') continue
    blobs.set(id, stdout.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return blobs
}

/** Sizes of blobs by id, in bytes. */
export const blobSizes = async (
  { git }: { git: Run },
  ids: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map()
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: `${[...new Set(ids)].join('\n')}\n`,
  })
  const rows = stdout.toString('latin1').trim().split('\n')
  return new Map(rows.map((row) => row.split(' ')).map(([id = '', size]) => [id, Number(size)]))
}
