import { describe, expect, test } from 'vitest'
import { noProgress, type Progress, settle } from '../../src/core/progress.ts'
import { aCheckpoint, aVerdict } from './history.ts'

/** One iteration: its tree, how many tests fail (0: a pass; null: unknown), its signature, and whether anything changed. */
type Step = { tree: string; failed: number | null; signature?: string; idle?: true }

const progressAfter = (steps: Step[], start: Partial<Progress> = {}): Progress =>
  steps.reduce<Progress>(
    (progress, { tree, failed, signature = 'same', idle }) =>
      settle(
        progress,
        aCheckpoint(tree, idle ? { commit: null } : {}),
        failed === 0
          ? aVerdict('pass')
          : aVerdict('fail', {
              signature,
              tests: failed === null ? null : { passed: 9 - failed, failed, skipped: 0, total: 9 },
            }),
      ),
    { ...noProgress, ...start },
  )

const red = (tree: string, failed: number | null = 2, signature = 'same'): Step => ({
  tree,
  failed,
  signature,
})
const idle = (tree: string): Step => ({ tree, failed: 2, idle: true })

describe('R96: idle', () => {
  test('counts iterations in a row without a diff', () => {
    expect(progressAfter([idle('a')]).idle).toBe(1)
    expect(progressAfter([idle('a'), idle('a')]).idle).toBe(2)
  })
  test('a diff ends the streak', () => expect(progressAfter([idle('a'), red('b'), idle('b')]).idle).toBe(1))
  test('verifier gain without a diff ends it too', () =>
    expect(progressAfter([idle('a'), { ...idle('a'), failed: 1 }], { fewest: 2 }).idle).toBe(0))
})

describe('F17: the same failure', () => {
  test('three times in a row', () => expect(progressAfter([red('a'), red('b'), red('c')]).same).toBe(3))
  test('another one in between begins anew', () =>
    expect(progressAfter([red('a'), red('b', 2, 'other'), red('c')]).same).toBe(1))
  test('with fewer failing tests than ever is progress', () => {
    expect(progressAfter([red('a', 5), red('b', 4), red('c', 3), red('d', 2)], { fewest: 6 }).same).toBe(1)
    expect(progressAfter([red('a', 5), red('b', 5), red('c', 5)], { fewest: 6 }).same).toBe(3)
  })
  test('an iteration without a diff says nothing new about it', () =>
    expect(progressAfter([red('a'), idle('a'), red('b')]).same).toBe(2))
  test('a pass ends it', () =>
    expect(progressAfter([red('a'), { tree: 'b', failed: 0 }, red('c')]).same).toBe(1))
  test('an empty signature is never the same', () =>
    expect(progressAfter([red('a', 2, ''), red('b', 2, ''), red('c', 2, '')]).same).toBe(1))
  test('a broken verdict is no failure of the candidate', () =>
    expect(settle(noProgress, aCheckpoint('a'), aVerdict('broken')).signature).toBe(''))
})

describe('F17: circles', () => {
  test('two states in turn are seen by the fourth iteration', () =>
    expect(
      ['a', 'b', 'a', 'b'].map(
        (_, n, all) => progressAfter(all.slice(0, n + 1).map((tree) => red(tree))).circles,
      ),
    ).toEqual([0, 0, 1, 2]))
  test('a tree that stays is no circle', () =>
    expect(progressAfter([red('a'), idle('a'), idle('a')]).circles).toBe(0))
  test('ever new trees are none', () =>
    expect(progressAfter('abcdefghij'.split('').map((tree) => red(tree, 2, tree)))).toMatchObject({
      circles: 0,
      same: 1,
      idle: 0,
    }))
})

describe('the fewest failing tests', () => {
  test('are remembered', () => expect(progressAfter([red('a', 3), red('b', 5), red('c', 4)]).fewest).toBe(3))
  test('stay unknown while no number is known', () =>
    expect(progressAfter([red('a', null)]).fewest).toBeNull())
  test('an unknown number changes nothing', () =>
    expect(progressAfter([red('a', 3), red('b', null)]).fewest).toBe(3))
  test('the first number known is no gain', () => expect(progressAfter([red('a'), red('b')]).same).toBe(2))
})
