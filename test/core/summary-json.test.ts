import { describe, expect, test } from 'vitest'
import { stopReasons } from '../../src/core/stop.ts'
import { outputs, summaryJson } from '../../src/core/summary-json.ts'
import { aVerdict, baseline, iteration, started, after as stateAfter } from './history.ts'
import { cases, local } from './report-cases.ts'

const names = [...stopReasons, 'local'] as const
const caseOf = (name: (typeof names)[number]) => (name === 'local' ? local : cases[name])

describe('the summary in JSON', () => {
  test.each(['SUCCESS', 'PUSH_FAILED', 'SETUP_FAILED', 'local'] as const)('%s', (name) => {
    const { state, stop } = caseOf(name)
    expect(summaryJson(state, stop)).toMatchSnapshot()
  })
  test.each(names)('%s: the same fields, and nothing that JSON cannot hold', (name) => {
    const { state, stop } = caseOf(name)
    const summary = summaryJson(state, stop)
    expect(Object.keys(summary)).toEqual(Object.keys(summaryJson(cases.SUCCESS.state, cases.SUCCESS.stop)))
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary)
    expect(summary.success).toBe(stop.reason === 'SUCCESS')
  })
})

describe('the outputs', () => {
  test('of a success', () =>
    expect(outputs(cases.SUCCESS.state, cases.SUCCESS.stop)).toEqual({
      success: 'true',
      'stop-reason': 'SUCCESS',
      iterations: '2',
      turns: '24',
      'cost-usd': '0.53',
      verdict: 'pass',
      'tests-passed': '12',
      'tests-total': '12',
      branch: 'ralph/make-the-failing-tests-in-packages-api-pass-3f9a1c',
      'head-sha': '3a7c4e9d2b815f60c3e1a9b7d4f2086e5c1b3a93',
    }))
  test('of a run that never began: empty, not undefined', () =>
    expect(outputs(cases.SETUP_FAILED.state, cases.SETUP_FAILED.stop)).toEqual({
      success: 'false',
      'stop-reason': 'SETUP_FAILED',
      iterations: '0',
      turns: '0',
      'cost-usd': '0',
      verdict: '',
      'tests-passed': '',
      'tests-total': '',
      branch: '',
      'head-sha': '',
    }))
  test('skipped tests are not executed ones', () => {
    const tests = { passed: 8, failed: 1, skipped: 3, total: 12 }
    const state = stateAfter(started(), baseline(aVerdict('fail', { tests })))
    expect(outputs(state, { reason: 'NO_PROGRESS', detail: 'x' })).toMatchObject({
      'tests-passed': '8',
      'tests-total': '9',
    })
  })
  test('of a candidate that was not judged: the newest verdict there is', () =>
    expect(outputs(cases.PUSH_FAILED.state, cases.PUSH_FAILED.stop)).toMatchObject({
      verdict: 'fail',
      'tests-passed': '10',
    }))
  test.each(names)('F50, T15: %s gives words, numbers and names only', (name) => {
    const { state, stop } = caseOf(name)
    for (const value of Object.values(outputs(state, stop))) expect(value).toMatch(/^[\w./-]{0,200}$/)
  })
  test('F50: no text of agent, verifier or task is among them', () => {
    const text =
      'EOF\nghadelimiter_1\nstop_reason=success\nstop_reason<<X\n%0A::set-output name=success::true'
    const verdict = aVerdict('fail', { feedback: text, failing: [text], signature: text, log: text })
    const state = stateAfter(
      started({ task: text, title: text, verifier: text, warnings: [text] }),
      baseline(verdict),
      iteration(1, 't1', verdict, {
        text,
        detail: text,
        model: text,
        warnings: [text],
        denials: [{ tool: text, input: text }],
      }),
    )
    for (const value of Object.values(outputs(state, { reason: 'BLOCKED', detail: text })))
      expect(value).toMatch(/^[\w./-]{0,200}$/)
  })
})
