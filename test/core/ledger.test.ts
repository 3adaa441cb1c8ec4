import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admit, type Bounds, nothingUsed, spent, type Used } from '../../src/core/ledger.ts'
import { aRun } from './history.ts'

const { bounds } = aRun()
const used = (more: Partial<Used>): Used => ({ ...nothingUsed, ...more })

describe('F24: a bound that is reached leaves no room', () => {
  test.each([
    ['iterations', used({ iterations: 10 }), 'iterations'],
    ['turns', used({ turns: 400 }), 'turns'],
    ['one turn left is too few', used({ turns: 399 }), 'turns'],
    ['more turns than allowed', used({ turns: 450 }), 'turns'],
    ['cost', used({ usd: 5 }), 'usd'],
    ['cost above the bound', used({ usd: 5.2 }), 'usd'],
    ['less than a cent left', used({ usd: 4.995 }), 'usd'],
    ['cost that no result confirmed counts', used({ usd: 2.5, usdAtMost: 2.5 }), 'usd'],
    ['minutes', used({ millis: 3_600_000 }), 'minutes'],
    [
      'too little time for a session and its verification',
      used({ millis: 3_600_000 - 10_000 - 29_999 }),
      'minutes',
    ],
    ['several: the first in the order is named', used({ iterations: 10, usd: 5, millis: 9e9 }), 'iterations'],
  ])('%s', (_, state, bound) => expect(admit(bounds, state, 0)).toBe(bound))
})

describe('a session gets', () => {
  test('its own turns, half of the money while others may follow, and all the time', () =>
    expect(admit(bounds, nothingUsed, 0)).toEqual({ turns: 40, usd: 2.5, millis: 3_590_000 }))
  test('what is left of the turns', () =>
    expect(admit(bounds, used({ turns: 385 }), 0)).toMatchObject({ turns: 15 }))
  test('all the money when it is the last', () =>
    expect(admit(bounds, used({ iterations: 9, usd: 1 }), 0)).toMatchObject({ usd: 4 }))
  test('all the money when little is left', () =>
    expect(admit(bounds, used({ usd: 4.6 }), 0)).toMatchObject({ usd: expect.closeTo(0.4) }))
  test('no more time than leaves room for a verification like the longest', () =>
    expect(admit(bounds, nothingUsed, 600_000)).toMatchObject({ millis: 3_600_000 - 720_000 - 10_000 }))
  test('D21: with a subscription the whole bound each time, a backstop', () =>
    expect(admit({ ...bounds, usdEnforced: false }, used({ usd: 40, iterations: 1 }), 0)).toMatchObject({
      usd: 2.5,
    }))
  test('a run of one minute is possible', () =>
    expect(admit({ ...bounds, millis: 60_000 }, nothingUsed, 0)).toMatchObject({ millis: 50_000 }))
})

const someBounds: fc.Arbitrary<Bounds> = fc.record({
  iterations: fc.integer({ min: 1, max: 100 }),
  turnsPerIteration: fc.integer({ min: 2, max: 500 }),
  turns: fc.integer({ min: 2, max: 50_000 }),
  usd: fc.double({ min: 0.01, max: 10_000, noNaN: true }),
  usdEnforced: fc.boolean(),
  millis: fc.integer({ min: 60_000, max: 259_200_000 }),
})
const someUsed: fc.Arbitrary<Used> = fc.record({
  iterations: fc.nat(120),
  turns: fc.nat(60_000),
  usd: fc.double({ min: 0, max: 11_000, noNaN: true }),
  usdAtMost: fc.double({ min: 0, max: 5000, noNaN: true }),
  millis: fc.nat(300_000_000),
})

test('no session is admitted to more than is left of any bound, nor to nothing', () =>
  fc.assert(
    fc.property(someBounds, someUsed, fc.nat(40_000_000), (all, state, verifier) => {
      const room = admit(all, state, verifier)
      if (typeof room === 'string') return
      expect(state.iterations).toBeLessThan(all.iterations)
      expect(room.turns).toBeGreaterThanOrEqual(2)
      expect(room.turns + state.turns).toBeLessThanOrEqual(all.turns)
      expect(room.millis).toBeGreaterThan(0)
      expect(room.millis + state.millis + verifier).toBeLessThan(all.millis)
      expect(room.usd).toBeGreaterThan(0)
      if (all.usdEnforced) expect(room.usd + state.usd + state.usdAtMost).toBeLessThanOrEqual(all.usd + 1e-9)
    }),
    { numRuns: 2000 },
  ))

test('a run always ends: each iteration brings a bound nearer', () =>
  fc.assert(
    fc.property(someBounds, (all) => {
      let state = nothingUsed
      let sessions = 0
      for (let room = admit(all, state, 0); typeof room !== 'string'; room = admit(all, state, 0)) {
        sessions += 1
        state = {
          ...state,
          iterations: state.iterations + 1,
          turns: state.turns + 1,
          millis: state.millis + 1000,
        }
      }
      expect(sessions).toBeLessThanOrEqual(all.iterations)
    }),
  ))

test('what was used stands beside its bound in the bound’s unit', () => {
  const state = used({ iterations: 2, turns: 31, usd: 0.5, usdAtMost: 0.25, millis: 90_000 })
  expect(
    (['iterations', 'turns', 'usd', 'minutes'] as const).map((bound) => spent(bounds, state, bound)),
  ).toEqual([
    { used: 2, of: 10 },
    { used: 31, of: 400 },
    { used: 0.75, of: 5 },
    { used: 1.5, of: 60 },
  ])
})
