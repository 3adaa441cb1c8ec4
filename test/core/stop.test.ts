import { describe, expect, test } from 'vitest'
import { inline, prose } from '../../src/core/clean.ts'
import { isStopReason, stepFails, stopReasons, stopRow } from '../../src/core/stop.ts'
import { parseMarkdown, seen } from './markdown.ts'

/** The closed list of the design, with what the step does. */
const passes = [
  'SUCCESS',
  'NOTHING_TO_DO',
  'BUDGET_EXHAUSTED',
  'JUDGE_CHANGED',
  'CHECKPOINT',
  'RATE_LIMITED',
  'PAUSED',
  'BRANCH_BUSY',
  'CLOSED',
]
const fails = [
  'NO_PROGRESS',
  'BLOCKED',
  'REPEATED_FAILURE',
  'BASELINE_RED',
  'REVIEW_REJECTED',
  'VERIFIER_BROKEN',
  'VERIFIER_TAMPERED',
  'CHANGE_REFUSED',
  'AUTH_FAILED',
  'API_UNAVAILABLE',
  'AGENT_FAILED',
  'PUSH_FAILED',
  'SETUP_FAILED',
  'CANCELLED',
]

test('the list is closed, and each reason does to the step what the design says', () => {
  expect(stopReasons.filter((reason) => !stepFails(reason, null))).toEqual(passes)
  expect(stopReasons.filter((reason) => stepFails(reason, null))).toEqual(fails)
})

describe.each(stopReasons)('%s', (reason) => {
  const { sentence, next, annotation, mark, step } = stopRow(reason)
  test('has whole sentences', () => {
    expect(sentence).toMatch(/^[A-Z][^\n]{20,}[a-zA-Z]\.$/)
    expect(next).toMatch(/^(a person|nobody|the next run)\b[^\n]*\.$/)
    for (const text of [sentence, next]) expect(text).not.toMatch(/ {2}|\.\.|\s\.|!|\bsuccessfully\b|—/)
  })
  test('F1: says who acts next', () => expect(next.length).toBeGreaterThan(6))
  test('shows in Markdown exactly what it says', () => {
    for (const text of [sentence, next])
      expect(seen(parseMarkdown(prose(text)))).toBe(text.replaceAll('`', ''))
    expect(inline(mark)).toBe(mark)
  })
  test('is annotated as its step ends', () => {
    if (step === 'fails') expect(annotation).toBe('error')
    else expect(['none', 'notice', 'warning']).toContain(annotation)
  })
})

test('sentences, words and names are not told twice', () => {
  const sentences = stopReasons.map((reason) => stopRow(reason).sentence)
  expect(new Set(sentences).size).toBe(stopReasons.length)
})

test('D23: a spent budget passes the step and warns', () =>
  expect(stopRow('BUDGET_EXHAUSTED')).toMatchObject({ step: 'passes', annotation: 'warning' }))

test('fail-on replaces the column', () => {
  expect(stepFails('BUDGET_EXHAUSTED', ['BUDGET_EXHAUSTED'])).toBe(true)
  expect(stepFails('NO_PROGRESS', ['BUDGET_EXHAUSTED'])).toBe(false)
  expect(stepFails('NO_PROGRESS', [])).toBe(false)
})

test('names are known exactly, inherited ones are none', () => {
  expect(isStopReason('SUCCESS')).toBe(true)
  for (const name of ['success', '', 'constructor', '__proto__', 'toString'])
    expect(isStopReason(name)).toBe(false)
})
