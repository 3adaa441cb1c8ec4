import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { line } from './git.ts'
import { type JudgeHead, writeRepository } from './judge-repository.ts'
import type { Run } from './objects.ts'
import type { Store } from './store.ts'
import { type PlaceFacts, writeFacts } from './swap.ts'

const indexOf = (dir: string) => join(dir, 'index.work')
const agentGit = (dir: string) => join(dir, 'agent.git')

/** Lays J into the work tree itself, runs `run`, and lays back what was there. Ignored files are shared. */
export const judgeInPlace = async <T>(
  store: Store,
  dir: string,
  facts: PlaceFacts,
  head: Omit<JudgeHead, 'index'> & { tree: string },
  run: (path: string) => Promise<T>,
): Promise<T> => {
  const index = indexOf(dir)
  copyFileSync(join(store.dir, 'index'), index)
  await store.work(['add', '-A', '--ignore-errors', '--sparse'], { index, accept: [0, 1] })
  facts.judging = line(await store.git(['write-tree'], { index }))
  writeFacts(dir, facts)
  try {
    const own = moveGit(join(facts.workspace, '.git'), agentGit(dir))
    await store.work(['read-tree', '--reset', '-u', head.tree], { index })
    if (own) writeRepository(store, facts.workspace, { ...head, index })
    return await run(facts.workspace)
  } finally {
    await restoreInPlace(store.git, dir, facts)
  }
}

/** Whether the agent's `.git` went away; it stays where the two share no file system. */
const moveGit = (from: string, to: string): boolean => {
  try {
    if (existsSync(from)) renameSync(from, to)
    return true
  } catch {
    return false
  }
}

/** Lays the work tree back as it was before it was judged in place, and takes away what the verifier left. */
export const restoreInPlace = async (git: Run, dir: string, facts: PlaceFacts): Promise<void> => {
  const options = { workTree: facts.workspace, index: indexOf(dir) }
  rmSync(`${options.index}.lock`, { force: true }) // of a run that was killed
  if (existsSync(agentGit(dir))) {
    rmSync(join(facts.workspace, '.git'), { recursive: true, force: true })
    renameSync(agentGit(dir), join(facts.workspace, '.git'))
  }
  await git(['read-tree', '--reset', '-u', facts.judging], options)
  await git(['clean', '-fdq'], options)
  facts.judging = ''
  writeFacts(dir, facts)
}
