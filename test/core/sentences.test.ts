import { describe, expect, test } from 'vitest'
import { nothingUsed } from '../../src/core/ledger.ts'
import { count, duration, exhausted, figures, money, utc, verdictPhrase } from '../../src/core/sentences.ts'
import {
  aRun,
  aVerdict,
  baseline,
  begun,
  iteration,
  started,
  after as stateAfter,
  worked,
} from './history.ts'

test.each([
  [0, '$0.00'], [0.00001, 'less than $0.0001'], [0.0004, '$0.0004'], [0.0099, '$0.0099'], [0.01, '$0.01'], [1.2, '$1.20'], [12.345, '$12.35'], [1000, '$1000.00'],
])('money %d reads %s', (usd, text) => expect(money(usd)).toBe(text)) // biome-ignore format: a table reads better

test.each([
  [0, '0.0 s'], [-5, '0.0 s'], [400, '0.4 s'], [949, '0.9 s'], [960, '1 s'], [1499, '1 s'], [59_400, '59 s'], [59_600, '1 min'], [60_000, '1 min'], [185_000, '3 min 5 s'],
  [3_599_400, '59 min 59 s'], [3_599_600, '1 h'], [3_600_000, '1 h'], [3_629_000, '1 h'], [3_720_000, '1 h 2 min'], [7_199_000, '2 h'], [259_200_000, '72 h'],
])('a duration of %d ms reads %s', (millis, text) => expect(duration(millis)).toBe(text)) // biome-ignore format: a table reads better

test('counts have their plural', () => {
  expect([0, 1, 2].map((n) => count(n, 'turn'))).toEqual(['0 turns', '1 turn', '2 turns'])
})

test('F21: a time is told in UTC', () => {
  expect(utc(1_796_074_800_000)).toBe('2026-11-30 21:40 UTC')
  expect(utc(0)).toBe('1970-01-01 00:00 UTC')
})

describe('a verdict as a clause', () => {
  const tests = (passed: number, failed: number, skipped = 0) => ({
    tests: { passed, failed, skipped, total: passed + failed + skipped },
  })
  test.each([
    ['a fail with numbers', aVerdict('fail'), '7 of 9 tests pass'],
    ['a pass with numbers', aVerdict('pass', tests(1, 0, 2)), '1 of 1 test pass, 2 skipped'],
    ['a pass without', aVerdict('pass', { tests: null, basis: 'exit code' }), 'the verifier passes'],
    ['a fail without', aVerdict('fail', { tests: null, exitCode: 2 }), 'the verifier fails with exit code 2'],
    [
      'a fail without an exit code',
      aVerdict('fail', { tests: null, exitCode: null }),
      'the verifier fails without an exit code',
    ],
    [
      'a fail though all tests pass',
      aVerdict('fail', tests(9, 0)),
      'the verifier fails with exit code 1, though 9 of 9 tests pass',
    ],
    ['F14: no tests', aVerdict('fail', { cause: 'no tests', ...tests(0, 0, 12) }), 'no tests ran'],
    ['F16: no time', aVerdict('fail', { cause: 'timeout' }), 'the verifier ran out of time'],
    ['no report', aVerdict('fail', { cause: 'no report', tests: null }), 'the verifier wrote no test report'],
    ['killed', aVerdict('fail', { cause: 'killed' }), 'the verifier was killed'],
    ['not started', aVerdict('fail', { cause: 'not started' }), 'the verifier could not be started'],
    ['broken', aVerdict('broken', { cause: 'timeout' }), 'the verifier cannot judge'],
  ])('%s', (_, verdict, phrase) => expect(verdictPhrase(verdict)).toBe(phrase))
})

describe('figures', () => {
  const red = aVerdict('fail')
  test('say what was used and what the last verdict says', () =>
    expect(figures(stateAfter(started(), baseline(red), iteration(1, 't1', red)))).toBe(
      'Used: 1 iteration, 5 turns, $0.20, 6 s; 7 of 9 tests pass.',
    ))
  test('of a run that has just begun', () =>
    expect(figures(stateAfter(started()))).toBe('Used: 0 iterations, 0 turns, $0.00, 0.0 s.'))
  test('F23: a cost that no result confirmed is told as at most', () =>
    expect(
      figures(stateAfter(started(), baseline(red), begun(1), worked({ end: 'crashed', costUsd: null }))),
    ).toContain(', at most $2.50, '))
  test('F23: with a subscription the cost is an estimate', () =>
    expect(
      figures(stateAfter(started({ bounds: { ...aRun().bounds, usdEnforced: false } }), baseline(red))),
    ).toContain('$0.00 (estimate)'))
})

describe('a budget that is used up', () => {
  const { bounds } = aRun()
  const used = { ...nothingUsed, iterations: 10, turns: 401, usd: 4.996, millis: 3_300_000 }
  test.each([
    ['iterations', exhausted(bounds, used, 'iterations'), 'All 10 iterations are used.'],
    [
      'one iteration',
      exhausted({ ...bounds, iterations: 1 }, used, 'iterations'),
      'The only iteration is used.',
    ],
    ['F3: one turn more than allowed', exhausted(bounds, used, 'turns'), '401 of 400 turns are used.'],
    [
      'a turn is left',
      exhausted(bounds, { ...used, turns: 399 }, 'turns'),
      '399 of 400 turns are used, and what is left is too few for a session.',
    ],
    ['cost', exhausted(bounds, used, 'usd'), '$5.00 of $5.00 is used.'],
    [
      'cost not confirmed',
      exhausted(bounds, { ...used, usd: 3, usdAtMost: 1.995 }, 'usd'),
      'At most $5.00 of $5.00 is used.',
    ],
    [
      'minutes',
      exhausted(bounds, used, 'minutes'),
      '55 min of 1 h are used, and what is left is too short for a session and its verification.',
    ],
  ])('%s', (_, sentence, text) => expect(sentence).toBe(text))
})
