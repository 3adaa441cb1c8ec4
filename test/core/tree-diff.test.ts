import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePath, indexInfo, treeDiffParser } from '../../src/core/tree-diff.ts'

const id = (digit: string) => digit.repeat(40)
const none = id('0')
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

const parse = (text: string, sizes: readonly number[] = [1 << 20]) => {
  const parser = treeDiffParser()
  const all = bytes(text)
  for (let at = 0, i = 0; at < all.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    parser.feed(all.slice(at, at + size))
    at += size
  }
  return parser.end()
}

const raw =
  `:100644 100755 ${id('a')} ${id('b')} M\0src/a b.txt\0` +
  `:000000 100644 ${none} ${id('c')} A\0new\n\t"'.txt\0` +
  `:100644 000000 ${id('d')} ${none} D\0:(glob)-rf\0` +
  `:100644 120000 ${id('e')} ${id('f')} T\0\xff\xfe\0`

const numstat = `12\t3\tsrc/a b.txt\x00-\t-\tnew\n\t"'.txt\x000\t9\t:(glob)-rf\x001\t1\t\xff\xfe\0`

describe('the tree diff', () => {
  test('names both sides, and lines where they were counted', () => {
    const changes = parse(raw + numstat)
    expect(
      changes.map(({ path, exact, old, new: now, insertions, deletions }) => [
        path,
        exact,
        old?.mode,
        now?.mode,
        insertions,
        deletions,
      ]),
    ).toEqual([
      ['src/a b.txt', true, '100644', '100755', 12, 3],
      ['new\n\t"\'.txt', true, undefined, '100644', 0, 0],
      [':(glob)-rf', true, '100644', undefined, 0, 9],
      ['\ufffd\ufffd', false, '100644', '120000', 1, 1],
    ])
  })

  test('is the same however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
        expect(parse(raw + numstat, sizes)).toEqual(parse(raw + numstat))
      }),
    )
  })

  test('is nothing for no text', () => expect(parse('')).toEqual([]))

  test.each([
    ['a header without a path', `:100644 100644 ${id('a')} ${id('b')} M\0`],
    ['a path cut off', `:100644 100644 ${id('a')} ${id('b')} M\0src`],
    ['lines of a path that did not change', '1\t2\tother\0'],
    ['something else', 'fatal: bad revision\0'],
  ])('refuses %s', (_, text) => expect(() => parse(text)).toThrow(/tree diff/))

  test('keeps a byte order mark as part of a name', () => {
    expect(decodePath(bytes('\xef\xbb\xbfa'))).toEqual({ path: '\ufeffa', exact: true })
  })
})

test('index edits are written as git reads them, byte for byte', () => {
  const text = indexInfo(
    [
      { bytes: bytes('\xffx'), to: { mode: '100755', id: id('a') } },
      { bytes: bytes('gone'), to: null },
    ],
    40,
  )
  expect(Buffer.from(text).toString('latin1')).toBe(`100755 ${id('a')}\t\xffx\x000 ${none}\tgone\0`)
})
