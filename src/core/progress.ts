import type { Checkpoint } from './event.ts'
import type { Verdict } from './verdict.ts'

/** Whether the work moves. All streaks count iterations in a row, the newest included. */
export type Progress = {
  /** Without a diff and without verifier gain. */
  idle: number
  /** With the same failure signature and without gain. */
  same: number
  signature: string
  /** How often the tree was one that had been there before. */
  circles: number
  /** Fewest failing tests seen; null while no number is known. */
  fewest: number | null
  trees: readonly string[]
}

export const noProgress: Progress = { idle: 0, same: 0, signature: '', circles: 0, fewest: null, trees: [] }

/** Takes stock after an iteration has its verdict. A gain is a fall of the number of failing tests below the fewest so far. */
export const settle = (before: Progress, checkpoint: Checkpoint, verdict: Verdict): Progress => {
  const failing = verdict.kind === 'pass' ? 0 : (verdict.tests?.failed ?? null)
  const gain = failing !== null && before.fewest !== null && failing < before.fewest
  const changed = checkpoint.commit !== null
  const again = changed && before.trees.includes(checkpoint.tree)
  const same =
    verdict.kind === 'fail' && verdict.signature !== '' && verdict.signature === before.signature && !gain
  return {
    idle: changed || gain ? 0 : before.idle + 1,
    // An iteration without a diff has its verdict from before: it says nothing new about the failure.
    same: !changed ? before.same : same ? before.same + 1 : 1,
    signature: verdict.kind === 'fail' ? verdict.signature : '',
    circles: before.circles + (again ? 1 : 0),
    fewest: failing === null ? before.fewest : Math.min(failing, before.fewest ?? failing),
    trees: before.trees.includes(checkpoint.tree) ? before.trees : [...before.trees, checkpoint.tree],
  }
}
