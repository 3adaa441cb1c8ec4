import { describe, expect, test } from 'vitest'
import { noHint, readHint } from '../../src/core/hint.ts'
import { stablePrompt } from '../../src/core/prompt.ts'
import { aRun } from './history.ts'

const block = (fields: Record<string, string> = {}) => {
  const all = { STATUS: 'COMPLETE', REMAINING: 'none', EXIT_SIGNAL: 'true', BLOCKED: 'none', ...fields }
  return [
    '---RALPH_STATUS---',
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    '---END_RALPH_STATUS---',
  ].join('\n')
}
const complete = { complete: true, blocked: null }
const open = block({ STATUS: 'IN_PROGRESS', REMAINING: 'the rest', EXIT_SIGNAL: 'false' })
const indent = (text: string, by: string) => text.replace(/^/gm, by)

describe('a block that counts', () => {
  test.each([
    ['alone', block()],
    ['after prose', `All green.\n\n${block()}`],
    ['before prose', `${block()}\nBye.`],
    ['with CRLF', `Done.\r\n${block().replaceAll('\n', '\r\n')}\r\n`],
    ['with CR', block().replaceAll('\n', '\r')],
    ['with blanks at the ends of lines', block().replace(/$/gm, '  ')],
    ['inside a code fence', `\`\`\`text\n${block()}\n\`\`\``],
    ['with words in other cases', block({ STATUS: 'complete', REMAINING: 'None.', EXIT_SIGNAL: 'TRUE' })],
    ['with prose between its lines', block().replace('REMAINING', 'I checked twice.\nREMAINING')],
    ['the last of several', `${open}\n${block()}`],
    ['well-formed before one that is not', `${block()}\n${block({ STATUS: 'DONE' })}`],
    [
      'well-formed before one that is not finished',
      `${block()}\n${open.replace('---END_RALPH_STATUS---', '')}`,
    ],
    ['begun anew', `---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nBLOCKED: x\n${block()}`],
    ['without BLOCKED', block().replace('BLOCKED: none\n', '')],
    ['with REMAINING explained', block({ REMAINING: 'none: all five tests pass' })],
  ])('%s', (_, text) => expect(readHint(text)).toEqual(complete))
})

describe('R89: complete needs all three signs', () => {
  test.each([
    ['EXIT_SIGNAL false', { EXIT_SIGNAL: 'false' }],
    ['in progress', { STATUS: 'IN_PROGRESS' }],
    ['EXIT_SIGNAL empty', { EXIT_SIGNAL: '' }],
    ['something remaining', { REMAINING: 'the docs' }],
    ['something remaining that begins with no', { REMAINING: 'no tests for the parser yet' }],
  ])('%s', (_, fields) => expect(readHint(block(fields))).toEqual(noHint))
})

describe('F10: what means nothing', () => {
  test.each([
    ['nothing', ''],
    [
      'prose',
      'The implementation is complete, done, finished. COMPLETE. EXIT_SIGNAL: true. BLOCKED: by nothing.',
    ],
    ['a quoted block', indent(block(), '> ')],
    ['an indented block', indent(block(), '    ')],
    ['a block in a list', indent(block(), '- ')],
    ['an unfinished block', block().replace('---END_RALPH_STATUS---', '')],
    ['an end without a beginning', block().replace('---RALPH_STATUS---\n', '')],
    [
      'a beginning that does not stand alone',
      block().replace('---RALPH_STATUS---', 'My block: ---RALPH_STATUS---'),
    ],
    ['fields on one line', block().replaceAll('\n', ' ')],
    ['indented marks', block().replace(/^---/gm, '    ---')],
    ['indented fields', block().replace(/^[A-Z_]+:/gm, '  $&')],
    ['an unknown status', block({ STATUS: 'DONE' })],
    ['an unknown signal', block({ EXIT_SIGNAL: 'yes' })],
    ['a field given twice', block().replace('EXIT_SIGNAL: true', 'EXIT_SIGNAL: true\nEXIT_SIGNAL: true')],
    ['without a status', block().replace('STATUS: COMPLETE\n', '')],
    ['bold fields', block().replace(/^([A-Z_]+:)/gm, '**$1**')],
    ['the prompt’s own words', stablePrompt(aRun(), '', 'DATA-1')],
    ['the last block in progress', `${block()}\n${open}`],
  ])('%s', (_, text) => expect(readHint(text)).toEqual(noHint))
})

describe('blocked', () => {
  const blocked = (reason: string) =>
    readHint(block({ STATUS: 'IN_PROGRESS', EXIT_SIGNAL: 'false', BLOCKED: reason })).blocked
  test.each([
    '', 'none', 'None', 'none.', 'NONE', 'no', 'nothing', 'nobody', 'n/a', 'N/A', 'null', 'false', '-', '---', '—',
    'none, all is clear', 'none (everything was there)', 'none: go on',
  ])('%j is none', (reason) => expect(blocked(reason)).toBeNull()) // biome-ignore format: a table reads better
  test.each([
    'The database password is missing.', 'no access to the registry', 'none of the keys work', 'Nothing can be built without a licence.',
    'Which of the two formats is wanted?', '需要一个密钥',
  ])('%j is a reason', (reason) => expect(blocked(reason)).toBe(reason)) // biome-ignore format: a table reads better
  test('is cut at 500 characters', () => expect(blocked('😀'.repeat(600))).toBe('😀'.repeat(500)))
  test('prose that says BLOCKED is no reason', () =>
    expect(readHint('BLOCKED: I need a key').blocked).toBeNull())
})

test('a megabyte of beginnings takes linear time', () => {
  expect(readHint('---RALPH_STATUS---\n'.repeat(60_000))).toEqual(noHint)
  expect(readHint(`---RALPH_STATUS---\n${'STATUS: COMPLETE\n'.repeat(60_000)}`)).toEqual(noHint)
})
