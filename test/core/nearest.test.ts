import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allInputs } from '../../src/core/inputs/inputs.ts'
import { distance, nearest } from '../../src/core/inputs/nearest.ts'

test.each([
  ['', '', 0],
  ['a', '', 1],
  ['', 'abc', 3],
  ['task', 'task', 0],
  ['task', 'tsak', 1],
  ['task', 'tak', 1],
  ['task', 'taask', 1],
  ['task', 'tisk', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
  ['überall', 'uberall', 1],
  ['🚀a', 'a', 1],
])('from %j to %j it takes %i slips', (a, b, slips) => {
  expect(distance(a, b)).toBe(slips)
})

const names = allInputs.map((input) => input.name)

test.each([
  ['max-iteration', 'max-iterations'],
  ['max_iterations', 'max-iterations'],
  ['maxIterations', 'max-iterations'],
  ['MAX-ITERATIONS', 'max-iterations'],
  ['iterations', null],
  ['maxturns', 'max-turns'],
  ['tsak', 'task'],
  ['tasks', 'task'],
  ['taskfile', 'task-file'],
  ['verfiy', 'verify'],
  ['test-reports', 'test-report'],
  ['test', 'tests'],
  ['anthropic_api_key', 'anthropic-api-key'],
  ['anthropic-key', 'anthropic-api-key'],
  ['claude_args', 'claude-args'],
  ['budget-minute', 'budget-minutes'],
  ['budget-dollars', null],
  ['verify-job', null],
  ['prompt', null],
  ['x', null],
  ['', null],
  ['__proto__', null],
  ['constructor', null],
])('for %j the nearest name is %j', (typed, name) => {
  expect(nearest(typed, names)).toBe(name)
})

test('of two names the nearer wins, of two as near the first', () => {
  expect(nearest('effrt', ['efforts', 'effort'])).toBe('effort')
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
  expect(nearest('cat', [])).toBe(null)
})

test('a name of a megabyte is answered at once', () => {
  expect(nearest('max-iterations'.repeat(80_000), names)).toBe(null)
})

test('distance is a distance', () => {
  const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const slips = distance(a, b)
      expect(slips).toBe(distance(b, a))
      expect(slips === 0).toBe(a === b)
      expect(slips).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(slips).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
    }),
  )
})
