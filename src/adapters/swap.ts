import { existsSync, lstatSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeWhole } from './files.ts'

const shape = z.object({
  version: z.literal(1),
  workspace: z.string(),
  /** Which folder is the agent's work tree, whatever its name at the moment: `device:inode`. */
  agent: z.string(),
  /** The folder of the store. */
  store: z.string(),
  /** Whether the copy of uncommitted files is whole. */
  ready: z.boolean(),
  mode: z.enum(['swapped', 'in place']),
  why: z.string(),
  /** The tree of the work tree while it is judged in place; empty otherwise. */
  judging: z.string(),
})

/** What is known of a place on disk. Enough to put the workspace back after a kill at any instant. */
export type PlaceFacts = z.infer<typeof shape>

const factsFile = (dir: string) => join(dir, 'place.json')

export const writeFacts = (dir: string, facts: PlaceFacts): void =>
  writeWhole(factsFile(dir), `${JSON.stringify(facts)}\n`)

export const readFacts = (dir: string): PlaceFacts | null =>
  existsSync(factsFile(dir)) ? shape.parse(JSON.parse(readFileSync(factsFile(dir), 'utf8'))) : null

/** Which folder lies at a path: `device:inode`, or null. */
export const identityOf = (path: string): string | null => {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}

/** Where the agent's work tree lies while the judge's folder has its path. */
export const agentSeat = (dir: string) => join(dir, 'agent')

/**
 * Puts `folder` at the workspace's path and the agent's work tree aside.
 *
 * @throws Error when one of them cannot be moved; the workspace is then as it was.
 */
export const swapIn = (dir: string, facts: PlaceFacts, folder: string): void => {
  renameSync(facts.workspace, agentSeat(dir))
  try {
    renameSync(folder, facts.workspace)
  } catch (error) {
    swapBack(dir, facts, null)
    throw error
  }
}

/**
 * Puts the agent's work tree back, after a swap or after a kill in the middle of one. What lies at its path goes
 * to `folder`, or aside when there is no such or it is taken. Does nothing when all is in place.
 *
 * @throws Error when the agent's work tree is in neither place.
 */
export const swapBack = (dir: string, { workspace, agent }: PlaceFacts, folder: string | null): void => {
  if (identityOf(workspace) === agent) return
  if (identityOf(agentSeat(dir)) !== agent)
    throw new Error(`The work tree is neither at ${workspace} nor at ${agentSeat(dir)}.`)
  for (let tries = 0; ; tries++) {
    if (existsSync(workspace)) renameSync(workspace, folder !== null && tries === 0 ? folder : free(dir))
    try {
      renameSync(agentSeat(dir), workspace)
      return
    } catch (error) {
      if (tries > 20) throw error // a process that was not ended makes the path anew, again and again
    }
  }
}

const free = (dir: string): string => {
  for (let n = 1; ; n++) {
    const path = join(dir, `left-${n}`)
    if (!existsSync(path)) return path
  }
}
