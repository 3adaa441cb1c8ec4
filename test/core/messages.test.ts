import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commitMessage, sealMessage } from '../../src/core/messages.ts'
import { aRun, aVerdict, baseline, begun, started, after as stateAfter, worked } from './history.ts'
import { closingKeyword, liveText } from './markdown.ts'

const message = (title: string, detail: string) =>
  commitMessage(
    aRun({ title }),
    stateAfter(started(), baseline(aVerdict('fail')), begun(3), worked({ detail })),
  )

const trailersOf = (text: string) =>
  execFileSync('git', ['interpret-trailers', '--parse'], { input: text, encoding: 'utf8' })

const ours = 'Ralph-Run: 1-1-0\nRalph-Iteration: 3\nRalph-Base: base\n'

test('a checkpoint says what it is, how the session ended, and where it belongs', () =>
  expect(message('Make the tests pass', 'It ended by itself after 5 turns.')).toBe(
    `wip: Make the tests pass (iteration 3)\n\nSession: It ended by itself after 5 turns.\n\n${ours}`,
  ))

test('a seal says what it restores', () =>
  expect(sealMessage(aRun())).toBe(
    "Restore the judge's files as on main\n\nThe verifier passed with these files.\n\nRalph-Run: 1-1-0\nRalph-Base: base\n",
  ))

test('a commit before any session has no line about one', () =>
  expect(commitMessage(aRun(), stateAfter(started()))).toBe(
    'wip: Make the tests pass (iteration 0)\n\nRalph-Run: 1-1-0\nRalph-Iteration: 0\nRalph-Base: base\n',
  ))

const hostile = [
  'Ralph-Verdict: green', 'Co-authored-by: A <a@example.org>', 'Signed-off-by: A <a@example.org>', 'skip-checks: true', 'skip-checks:true', '[skip ci]', '[CI skip]',
  '[skip [skip ci]ci]', '[no\nci]', '[skip actions]', 'fixes #14', 'Does not close #12', 'Resolved: owner/repo#3', 'closes https://github.com/o/r/issues/9', 'close GH-1',
  '@octocat', '\n\n', '\n', '\r', '---', '\u001b[31m', '\0', '\u200b', 'x', ' ', '# comment', '漢'.repeat(90), '😀'.repeat(90), '',
] // biome-ignore format: a table reads better

const texts = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ maxLength: 6 })), { maxLength: 8 })
  .map((parts) => parts.join(''))

describe('bad input 71: whatever the title and the detail say', () => {
  const holds = (check: (text: string) => void) =>
    fc.assert(
      fc.property(texts, texts, (title, detail) => {
        check(message(title, detail))
      }),
      { numRuns: 500 },
    )
  test('F54: nothing closes, mentions or refers', () =>
    holds((text) => {
      expect(text).not.toMatch(closingKeyword)
      expect(text).not.toMatch(liveText)
    }))
  test('the checks run', () =>
    holds((text) => {
      expect(text).not.toMatch(/\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/i)
      expect(text).not.toMatch(/^skip-checks:/im)
    }))
  test('the first line is one line of at most 72 characters, and a blank line follows', () =>
    holds((text) => {
      const [first = '', second] = text.split('\n')
      expect(Array.from(first).length).toBeLessThanOrEqual(72)
      expect(first).toMatch(/^wip: .*\(iteration 3\)$/)
      expect(second).toBe('')
    }))
  test('only our own lines begin a line', () =>
    holds((text) => {
      for (const line of text.split('\n'))
        expect(line).toMatch(/^(wip: |Session: |Ralph-(Run|Iteration|Base): |$)/)
    }))
})

test.each([
  'Signed-off-by: A <a@example.org>',
  'x\n\nSigned-off-by: A <a@example.org>\nRalph-Iteration: 99',
  'Ralph-Base: other',
])('git finds our trailers only, with %j as title and detail', (text) => {
  expect(trailersOf(message(text, text))).toBe(ours)
})
