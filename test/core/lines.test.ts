import { describe, expect, it } from 'vitest'
import { noRest, type Rest, splitLines } from '../../src/core/session/lines.ts'

const split = (chunks: readonly string[]) => {
  let rest: Rest = noRest
  const all: string[] = []
  for (const chunk of chunks) {
    const read = splitLines(rest, chunk)
    all.push(...read.lines)
    rest = read.rest
  }
  return { all, rest }
}

describe('splitLines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b'], ''],
    [['a', '\n', 'b'], ['a'], 'b'],
    [['\n\n'], ['', ''], ''],
    [['a\r\nb\r', '\n'], ['a', 'b'], ''],
    [['a\rb\n'], ['a\rb'], ''],
    [[''], [], ''],
    [['a\u2028b\n'], ['a\u2028b'], ''],
  ])('%j gives %j and keeps %j', (chunks, lines, text) => {
    expect(split(chunks)).toEqual({ all: lines, rest: { text, cut: false } })
  })

  it('F6: one line of 8 MiB in pieces of 4 KiB is one line', { timeout: 10_000 }, () => {
    const long = '中😀ab'.repeat((8 * 1024 * 1024) / 5)
    const text = `${long}\nnext\n`
    const chunks = Array.from({ length: Math.ceil(text.length / 4096) }, (_, i) =>
      text.slice(i * 4096, (i + 1) * 4096),
    )
    const { all } = split(chunks)
    expect(all.length).toBe(2)
    expect(all[0] === long).toBe(true)
  })

  it('R35: of a line over 32 MiB only the head is kept, and the next line is whole', () => {
    const piece = 'x'.repeat(1024 * 1024)
    const { all, rest } = split([...Array.from({ length: 40 }, () => piece), '\nnext\n'])
    expect(all).toEqual(['x'.repeat(200), 'next'])
    expect(rest).toEqual(noRest)
  })

  it('a line over the limit that comes in one piece is cut as well', () => {
    const { all } = split([`${'x'.repeat(33 * 1024 * 1024)}\nnext\n`])
    expect(all.map((line) => line.length)).toEqual([200, 4])
  })
})
