import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain } from '../../src/core/plain.ts'

const esc = '\u001b'

test.each([
  ['colours', `${esc}[1m${esc}[31mred${esc}[39m${esc}[22m`, 'red'],
  ['colours of 256 and of 24 bits', `${esc}[38;5;196mx${esc}[38;2;1;2;3my${esc}[0m`, 'xy'],
  ['colours with a colon', `${esc}[4:3mx`, 'x'],
  ['a hyperlink (OSC 8)', `${esc}]8;;https://example.org${esc}\\link${esc}]8;;${esc}\\ after`, 'link after'],
  ['a hyperlink closed by BEL', `${esc}]8;;https://example.org\u0007link${esc}]8;;\u0007`, 'link'],
  ['a title', `${esc}]0;title\u0007text`, 'text'],
  ['an unclosed string ends with its line', `a${esc}]0;title\nb`, 'a\nb'],
  ['a device control string', `a${esc}P1$r0m${esc}\\b`, 'ab'],
  ['C1 sequences', 'a\u009b31mb\u009d0;title\u009cc\u0085', 'abc'],
  ['cursor movement', `${esc}[2J${esc}[H${esc}[3Aup${esc}[?25l`, 'up'],
  ['character sets and saved cursors', `${esc}(Ba${esc}7b${esc}8${esc}c`, 'ab'],
  ['a cut sequence', `a${esc}[31`, 'a31'],
  ['NUL, BEL, backspace, DEL, byte order mark', '\ufeffa\0b\u0007c\bd\u007f', 'abcd'],
  ['tab and line feed stay', 'a\tb\nc', 'a\tb\nc'],
  ['CR LF', 'a\r\nb\r\r\nc', 'a\nb\nc'],
  ['a progress line', '10 %\r50 %\r100 % done', '100 % done'],
  ['what is not written over stays', 'abcdef\rXY', 'XYcdef'],
  ['a return at the end shows what was there', 'abc\r', 'abc'],
  ['erase to the end of the line', `long progress line\r${esc}[Kok`, 'ok'],
  ['erase the whole line', `long progress line${esc}[2K\rok`, 'ok'],
  ['erase to the left is nothing here', `abc\r${esc}[1Kx`, 'xbc'],
  ['cursor to column 1', `abc${esc}[1GX`, 'Xbc'],
  ['half a character', 'a\ud83db', 'a\ufffdb'],
  ['whole characters', 'ü 😀 漢', 'ü 😀 漢'],
])('%s', (_, text, shown) => {
  expect(plain(text)).toBe(shown)
})

const pieces = fc.constantFrom(
  esc,
  '[',
  ']',
  '8;;',
  '\r',
  '\n',
  '\0',
  'K',
  '2K',
  'm',
  'G',
  '\u009b',
  '\u0007',
  'a',
  '😀',
  '\ud800',
)
const terminal = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }).map((parts) => parts.join(''))

test('never throws, leaves no control character, and leaves its own result unchanged', () => {
  fc.assert(
    fc.property(terminal, (text) => {
      const once = plain(text)
      expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      expect(plain(once)).toBe(once)
    }),
  )
})

test.each([
  ['5 MB of returns over a long line', `${'x'.repeat(2_500_000)}${'y\r'.repeat(1_250_000)}`],
  ['5 MB of returns', '\r'.repeat(5_000_000)],
  ['5 MB of sequence starts', `${esc}[`.repeat(2_500_000)],
  ['5 MB of one unclosed sequence', `${esc}[${'0'.repeat(5_000_000)}`],
  ['5 MB of string starts', `${esc}]`.repeat(2_500_000)],
  ['5 MB of erased text', `ab${esc}[K\r`.repeat(700_000)],
])('linear: %s', (_, text) => {
  expect(plain(text).length).toBeLessThanOrEqual(text.length)
})
