import { expect, it } from 'vitest'
import { resetTime } from '../../src/core/session/reset.ts'

const now = Date.UTC(2026, 10, 30, 21)
const hour = 3_600_000

it.each([
  ['three hours on, in seconds', (now + 3 * hour) / 1000, now + 3 * hour],
  ['the same in milliseconds', now + 3 * hour, now + 3 * hour],
  ['a weekly limit', (now + 7 * 24 * hour) / 1000, now + 7 * 24 * hour],
  ['half a second', (now + 500) / 1000, now + 500],
  ['in the past', (now - hour) / 1000, now],
  ['1970, as a count of seconds would be', 10_800, now],
  ['a far future', (now + 30 * 24 * hour) / 1000, null],
  ['microseconds', now * 1000, null],
  ['not told', null, null],
  ['zero', 0, null],
  ['negative', -5, null],
  ['no number', Number.NaN, null],
  ['endless', Number.POSITIVE_INFINITY, null],
])('F21: a reset %s', (_, value, expected) => {
  expect(resetTime(value, now)).toBe(expected)
})
