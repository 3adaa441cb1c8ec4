import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capBytes, codeBlock, inline, logLine, prose } from '../../src/core/clean.ts'
import { parseMarkdown } from './markdown.ts'

const zero = '\u200b'
const bytes = (text: string) => new TextEncoder().encode(text).length

describe('capBytes', () => {
  test('F49: never more bytes than allowed, whole characters, first lines intact', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(300), (text, cap) => {
        const cut = capBytes(text, cap, '…\n')
        expect(bytes(cut)).toBeLessThanOrEqual(cap)
        expect(capBytes(cut, cap, '…\n')).toBe(cut)
        expect(text.startsWith(cut.replace(/(\n`{3,})?(\n\n<\/details>)*…\n$/, ''))).toBe(true)
      }),
    ))
  test('F49: 2 MB of three-byte characters', () => {
    const cut = capBytes(`head\n${'中'.repeat(99)}\n`.repeat(7000), 700_000)
    expect(bytes(cut)).toBeLessThanOrEqual(700_000)
    expect(bytes(cut)).toBeGreaterThan(699_000)
    expect(cut).not.toContain('\ufffd')
    expect(cut.startsWith('head\n中')).toBe(true)
  })
  test('F48: fences and details that are open at the cut are closed', () => {
    const page = `# a\n\n<details><summary>x</summary>\n\n\`\`\`\`text\n${'line\n'.repeat(100)}\`\`\`\`\n\n</details>\n\nend\n`
    const { children } = parseMarkdown(`${capBytes(page, 300)}\n\nafter`)
    expect(children.map((node) => node.type)).toEqual([
      'heading',
      'html',
      'code',
      'html',
      'paragraph',
      'paragraph',
    ])
  })
  test('text that fits stays, and no room is no text', () => {
    expect(capBytes('abc', 3)).toBe('abc')
    expect(capBytes('abc', 2)).toBe('')
    expect(capBytes('\ufeffabc\ufffd', 100)).toBe('\ufeffabc\ufffd')
  })
})

const pieces = [
  '` ',
  '``a',
  '\\`',
  '#1 ',
  ':a',
  '&a',
  '[',
  '|',
  '_',
  'fixes a/',
  'resolve\n',
  'www.',
  '##[',
  '::',
  '\r',
  zero,
  '```\n',
]

/** A second at most on a quiet machine, hours with a quadratic step. The other functions are parts of these. */
test.each(pieces)('a megabyte of %j takes linear time', { timeout: 120_000 }, (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  for (const clean of [inline, prose, codeBlock, logLine]) clean(text)
  expect(bytes(capBytes(text, 900_000))).toBeLessThanOrEqual(900_000)
})
