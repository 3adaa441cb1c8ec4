import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cell,
  code,
  codeBlock,
  disarm,
  inline,
  logLine,
  prose,
  shorten,
  visible,
} from '../../src/core/clean.ts'
import { parseCommand } from '../rig/workflow-command.ts'
import { closingKeyword, liveText, nodesOf, parseMarkdown, seen } from './markdown.ts'

const zero = '\u200b'

/** Texts that try to be something else than text. */
const hostile = [
  '# heading', '> quote', '- item', '+ item', '* item', '1. item', '12) item', '---', '===', '***', '```', '~~~~',
  '    indented', '| a | b |', '|---|---|', '[^1]: note', '[x]: https://example.org', '![](http://example.org/x.png)',
  '![alt][x]', '[link](javascript:alert)', '<img src=x>', '<!-- ralph:marker', '-->', '</details>', '<details>', '<br/>',
  '<script>', '<https://example.org>', 'https://example.org/a_b', 'www.example.org', 'me@example.org', '@octocat',
  '@org/team', 'fixes #14', 'Does not close #12', 'Resolved: owner/repo#3', 'closes https://github.com/o/r/issues/9',
  'closed GH-7', 'o/r@abcdef1', ':tada:', ':+1:', '**bold**', '__bold__', '*em*', '_em_', '~~gone~~', '`code`', '``a`',
  '$x^2$', '$$x$$', '$`x`$', '&lt;b&gt;', '&#64;octocat', '&commat;octocat', '&amp;', '\\', '\\\\', '\\*', '\\`', '\\|',
  '\\<', '\\@octocat', '\\#1', '\\\n', '\r', '\n', '\n\n', '\t', '\0', '\u001b[31m', '\u001b]8;;x\u0007', '\u202e', zero,
  `@${zero}`, '\u200d', '\ufeff', '\u2028', '\ud800', '😀', '漢', ' ', '`', '|', '_', '*', '[', ']', '<', '>', '&', '$', '#', '@', ':',
  '::error::x', '::', ':', '##[error]x', '##', '##[', '::stop-commands::x', '::add-mask::e', 'std::vec',
] // biome-ignore format: a table reads better

const texts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...hostile) },
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''))

const holds = (check: (text: string) => void) =>
  fc.assert(
    fc.property(texts, (text) => {
      check(text)
    }),
    { numRuns: 400 },
  )

describe('inline', () => {
  test('F53: a parser sees one paragraph of plain text, whatever comes in', () =>
    holds((text) => {
      const nodes = nodesOf(parseMarkdown(inline(text)))
      const kinds = nodes.map((node) => node.type).filter((kind) => kind !== 'text')
      const html = nodes.flatMap((node) => (node.type === 'html' ? [node.value] : []))
      expect(kinds.filter((kind) => kind !== 'html')).toEqual(
        inline(text) === '' ? ['root'] : ['root', 'paragraph'],
      )
      expect(html.filter((tag) => tag !== '<span>' && tag !== '</span>')).toEqual([])
    }))
  test('F54: nothing a reader sees mentions, refers, links or closes', () =>
    holds((text) => expect(seen(parseMarkdown(inline(text)))).not.toMatch(liveText)))
  test('done twice is done once', () => holds((text) => expect(inline(inline(text))).toBe(inline(text))))
  test('shows the words themselves', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab1 *_[]`~|<>&"(){}!?,.;=+-^'), maxLength: 40 }),
        (text) => {
          expect(seen(parseMarkdown(inline(text)))).toBe(text.replace(/ +/g, ' ').trim())
        },
      ),
    ))
  test.each([
    ['mentions', 'ask @octocat', `ask @${zero}octocat`],
    ['references', 'see #12, GH-3 and o/r#4', `see #${zero}12, GH-${zero}3 and o/r#${zero}4`],
    ['addresses', 'see https://example.org', `see https:${zero}//example.org`],
    ['names with underscores stay readable', 'snake_case_name _x_', 'snake_case_name \\_x\\_'],
    ['money stays readable, a formula is none', '$1.20 or $x$', '$1.20 or <span>$</span>x<span>$</span>'],
    ['a backslash before a mark', '\\\\*x\\\\*', '\\\\\\*x\\\\\\*'],
    ['only what could be an entity', 'a & b, &lt; &amp;lt; &copy;', 'a & b, &lt; &amp;lt; &amp;copy;'],
    ['a comparison', 'a < b > c', 'a &lt; b > c'],
    ['colours and returns', '\u001b[31m10 %\u001b[0m\r20 %', '20 %'],
    ['text direction', 'a\u202eb', 'ab'],
    ['at most 500 characters', '😀'.repeat(600), `${'😀'.repeat(499)}…`],
  ])('%s', (_, text, clean) => expect(inline(text)).toBe(clean))
})

describe('prose', () => {
  test('keeps code spans and the spaces beside them', () =>
    expect(prose('`npm test` fails on *main* with `a|b`.')).toBe(
      '`npm test` fails on \\*main\\* with `a|b`.',
    ))
  test('F53: a parser sees text and code spans, nothing else', () =>
    holds((text) => {
      const nodes = nodesOf(parseMarkdown(prose(text))).filter(
        (node) => node.type !== 'text' && node.type !== 'inlineCode',
      )
      const kinds = nodes
        .filter((node) => node.type !== 'html' || !/^<\/?span>$/.test(node.value))
        .map(({ type }) => type)
      expect(kinds).toEqual(prose(text) === '' ? ['root'] : ['root', 'paragraph'])
    }))
  test('F54: nothing outside code is live, and nothing closes inside it either', () =>
    holds((text) => {
      const tree = parseMarkdown(prose(text))
      const outside = nodesOf(tree).map((node) => (node.type === 'text' ? node.value : ' '))
      expect(outside.join('\n')).not.toMatch(liveText)
      expect(prose(text)).not.toMatch(closingKeyword)
    }))
  test('done twice is done once', () => holds((text) => expect(prose(prose(text))).toBe(prose(text))))
})

describe('code and code blocks', () => {
  test('F53: a code span cannot be closed from inside', () =>
    holds((text) => {
      const [paragraph] = parseMarkdown(`a ${code(text)} b`).children
      expect(paragraph).toMatchObject({
        children: [{ value: 'a ' }, { type: 'inlineCode' }, { value: ' b' }],
      })
    }))
  test('a code span shows its text', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a `*_|\\<&@#'), minLength: 1 }), (text) => {
        const words = text.replace(/ +/g, ' ').trim()
        expect(seen(parseMarkdown(`x ${code(text)}`))).toBe(`x ${words === '' ? ' ' : words}`)
      }),
    ))
  test('F53: a block cannot be closed from inside, and stays in its details', () =>
    holds((text) => {
      const page = `<details><summary>x</summary>\n\n${codeBlock(text)}\n\n</details>\n\nafter`
      const { children } = parseMarkdown(page)
      expect(children.map((node) => node.type)).toEqual(['html', 'code', 'html', 'paragraph'])
    }))
  test('F54: code closes nothing either, where it becomes a commit message', () =>
    holds((text) => {
      expect(code(text)).not.toMatch(closingKeyword)
      expect(codeBlock(text)).not.toMatch(closingKeyword)
    }))
  test('a block keeps what does no harm', () =>
    expect(codeBlock('\n  a | <b> @c #1\n```\n\n')).toBe('````text\n  a | <b> @c #1\n```\n````'))
  test('a long run of backticks does not make a long fence', () =>
    expect(codeBlock('`'.repeat(100_000)).length).toBeLessThan(100))
})

describe('cell', () => {
  const row = (text: string) => `| a | b |\n| --- | --- |\n| ${cell(inline(text))} | ${cell(code(text))} |\n`
  test('a table cannot be broken by bars and line ends', () =>
    holds((text) => {
      const [table, ...rest] = parseMarkdown(row(text)).children
      expect(rest).toEqual([])
      expect(table?.type === 'table' && table.children.map(({ children }) => children.length)).toEqual([2, 2])
    }))
  test('a bar in code is shown as a bar', () => {
    const [table] = parseMarkdown(row('cat a | grep b')).children
    expect(table && nodesOf(table).find((node) => node.type === 'inlineCode')).toMatchObject({
      value: 'cat a | grep b',
    })
  })
  test('done twice is done once', () => holds((text) => expect(cell(cell(text))).toBe(cell(text))))
})

describe('logLine', () => {
  const commands = new Set(
    'error warning notice group endgroup debug add-mask add-path set-env set-output save-state stop-commands add-matcher remove-matcher echo'.split(
      ' ',
    ),
  )
  /** The runner's line ends: a carriage return is one too. */
  const commandsIn = (text: string) =>
    text.split(/\r\n|\r|\n/).filter((line) => parseCommand(line, commands) !== undefined)
  test('F66: nothing is a command to the runner, and it is one line', () =>
    holds((text) => {
      expect(commandsIn(logLine(text))).toEqual([])
      expect(commandsIn(`Warning: ${logLine(text)}`)).toEqual([])
      expect(logLine(text)).not.toMatch(/[\r\n]/)
    }))
  test('no prefix is left that a comparison by culture would find, which skips what is invisible', () =>
    holds((text) =>
      expect(logLine(text).replace(/\p{Default_Ignorable_Code_Point}/gu, '')).not.toMatch(/^\s*::|##\[/),
    ))
  test('done twice is done once', () => holds((text) => expect(logLine(logLine(text))).toBe(logLine(text))))
  test.each([
    ['::error::x', ': :error::x'],
    ['  ::add-mask::e', '  : :add-mask::e'],
    ['a ##[error]b', 'a ## [error]b'],
    ['  indented  text  ', '  indented  text'],
    ['two\nlines', 'two lines'],
    ['std::vec::Vec', 'std::vec::Vec'],
    ['<T as Trait>::run', '<T as Trait>::run'],
    [':::error::x', ': : :error::x'],
  ])('%s', (text, clean) => expect(logLine(text)).toBe(clean))
})

describe('commit messages', () => {
  test('F54: nothing closes, refers or mentions', () =>
    holds((text) => {
      expect(disarm(text)).not.toMatch(closingKeyword)
      expect(disarm(text)).not.toMatch(liveText)
    }))
  test('done twice is done once', () => holds((text) => expect(disarm(disarm(text))).toBe(disarm(text))))
})

test('what nobody sees is gone, what shapes emojis and letters stays', () => {
  expect(visible('a\u202e\u200b\u{e0041}\u00ad\u3164b')).toBe('ab')
  expect(visible('👩‍🚀 ❤️ می\u200cخواهم')).toBe('👩‍🚀 ❤️ می\u200cخواهم')
})

test('shorten counts characters, not halves of them', () => {
  expect(shorten('😀😀😀', 3)).toBe('😀😀😀')
  expect(shorten('😀😀😀😀', 3)).toBe('😀😀…')
})
