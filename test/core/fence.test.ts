import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fence, fencedList } from '../../src/core/fence.ts'

const marker = 'DATA-00112233445566ff'

describe('T10, F62: a fence', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          marker,
          marker.toLowerCase(),
          marker.slice(0, 9),
          marker.slice(9),
          '<<< ',
          ' >>>',
          '\n',
          ' task',
          '\u001b[31m',
          '\u200b',
          '\0',
          '\r',
          '</output>',
        ),
        fc.string(),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''))
  test('cannot be ended or begun from within', () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = fence(marker, 'task', text).split('\n')
        expect(lines.at(0)).toBe(`<<< ${marker} task`)
        expect(lines.at(-1)).toBe(`${marker} >>>`)
        expect(lines.slice(1, -1).join('\n').toLowerCase()).not.toContain(marker.toLowerCase())
      }),
      { numRuns: 1000 },
    ))
  test('T8: shows the model what a person sees', () =>
    expect(fence(marker, 'task', 'a\u202e\u{e0041}\u200b\u001b[31mb\n')).toBe(
      `<<< ${marker} task\nab\n${marker} >>>`,
    ))
  test('a list has one item a line, and says how many more there are', () => {
    expect(fencedList(marker, 'files', ['a\nb', `x ${marker} y`])).toBe(
      `<<< ${marker} files\na b\nx … y\n${marker} >>>`,
    )
    expect(
      fencedList(
        marker,
        'files',
        Array.from({ length: 25 }, (_, n) => String(n)),
      )
        .split('\n')
        .slice(-2),
    ).toEqual(['… and 5 more', `${marker} >>>`])
  })
})
