import { expect, test } from 'vitest'
import { createLineReader } from './line-reader.ts'
import { createMasker } from './masker.ts'

const linesOf = (...chunks: (string | Buffer)[]): string[] => {
  const lines: string[] = []
  const reader = createLineReader((line) => lines.push(line))
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  reader.end()
  return lines
}

test.each([
  [['a\nb\r\nc\rd'], ['a', 'b', 'c', 'd']],
  [
    ['a\r', '\nb\n'],
    ['a', 'b'],
  ],
  [
    ['a\r', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', '\n\n', 'c'],
    ['ab', '', 'c'],
  ],
  [['\r\r\n'], ['', '']],
  [[''], []],
])('the chunks %j are the lines %j', (chunks, expected) => {
  expect(linesOf(...chunks)).toEqual(expected)
})

test('a character cut across chunks stays whole, a byte that is none becomes U+FFFD, a byte order mark goes', () => {
  const text = Buffer.from('中😀')
  expect(linesOf(text.subarray(0, 2), text.subarray(2, 5), text.subarray(5))).toEqual(['中😀'])
  expect(linesOf(Buffer.from([0x61, 0xff, 0x62]))).toEqual(['a\uFFFDb'])
  expect(linesOf('\uFEFFa')).toEqual(['a'])
})

test('overlapping and touching secrets become one mask, separate ones two', () => {
  const masker = createMasker(['abc', 'cde', 'xyz'])
  expect(masker.mask('1abcde2 abcxyz abc-xyz')).toBe('1***2 *** ***-***')
})

test('a secret is found in JSON, in a URI and in base64 at any offset', () => {
  const secret = 'p"ss w&rd-0123456789'
  const masker = createMasker([secret, ' '])
  expect(masker.mask(JSON.stringify({ secret }))).toBe('{"secret":"***"}')
  expect(masker.mask(`?k=${encodeURIComponent(secret)}`)).toBe('?k=***')
  for (const before of ['', 'u', 'us', 'user:']) {
    const encoded = Buffer.from(`${before}${secret}`).toString('base64')
    expect(masker.mask(encoded), `after ${before}`).toContain('***')
  }
  expect(masker.mask('a b')).toBe('a b')
})
