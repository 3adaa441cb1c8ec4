import { describe, expect, test } from 'vitest'
import { report } from '../../src/core/report.ts'
import { stopReasons, stopRow } from '../../src/core/stop.ts'
import {
  aVerdict,
  baseline,
  begun,
  confirmed,
  iteration,
  judged,
  saved,
  started,
  after as stateAfter,
  worked,
} from './history.ts'
import { nodesOf, parseMarkdown, seen } from './markdown.ts'
import { cases, local, manyIterations, oneIteration } from './report-cases.ts'
import { check } from './report-check.ts'
import { sha, verdict } from './report-steps.ts'

const record = 'ralph-record-4711-1-test'
const all = { ...cases, 'one iteration': oneIteration, 'many iterations': manyIterations, local }
const textOf = (name: keyof typeof all) => report(all[name].state, all[name].stop, record)
const names = [...stopReasons, 'one iteration', 'many iterations', 'local'] as const

/** What stands in a text when a fact is missing or no number. */
const holes = /undefined|\bnull\b|NaN|Infinity|\(\s*\)|''|""|\[object|\.\.\s|\s\.\s|: ·| {2}· /

describe('F51: for each stop reason', () => {
  test.each(names)('%s', (name) => {
    const { words } = check(textOf(name))
    expect(words).not.toMatch(holes)
    expect(textOf(name)).toMatchSnapshot()
    expect(words).not.toMatch(/\b(1[1-9]\d|[2-9]\d\d)(\.\d+)? ?%/)
  })
  test.each(stopReasons)('%s tells the point in the first two paragraphs', (reason) => {
    const [heading, paragraph] = parseMarkdown(textOf(reason)).children
    expect(heading && seen(heading)).toContain(`${stopRow(reason).mark} ${reason}`)
    expect(paragraph && seen(paragraph)).toContain(stopRow(reason).sentence)
    expect(paragraph && seen(paragraph)).toContain('Next: ')
  })
})

describe('links', () => {
  const urls = (markdown: string) =>
    nodesOf(parseMarkdown(markdown)).flatMap((node) => (node.type === 'link' ? [node.url] : []))
  const run = { url: 'https://github.com/acme/shop', runUrl: 'https://github.com/acme/shop/actions/runs/1' }
  const stop = { reason: 'BUDGET_EXHAUSTED', detail: 'All is used.' } as const
  const red = aVerdict('fail')
  test('without an address there are none', () => expect(urls(textOf('local'))).toEqual([]))
  test('F9: a commit that the remote did not take has none', () =>
    expect(urls(textOf('PUSH_FAILED')).filter((url) => url.includes('/commit/'))).toEqual([
      'https://github.com/acme/shop/commit/9d1f0c2ab34de56f7890a1b2c3d4e5f60718293a',
      `https://github.com/acme/shop/commit/${sha(1)}`,
    ]))
  test('without anything pushed there is nothing to compare', () => {
    const text = report(
      stateAfter(started(run), baseline(red), begun(1), worked(), saved('t1')),
      stop,
      record,
    )
    expect(urls(text).some((url) => url.includes('/compare/'))).toBe(false)
    expect(text).toContain('not on the remote')
  })
  test('a branch of an earlier run can be compared before anything is pushed', () => {
    const text = report(
      stateAfter(started({ ...run, found: 'tip', tip: 'tip', ahead: 2 }), baseline(red)),
      stop,
      record,
    )
    expect(urls(text)).toContain(
      'https://github.com/acme/shop/compare/main...ralph/make-the-tests-pass-abc123',
    )
  })
  test('names of branches are encoded', () => {
    const odd = { ...run, base: 'release/1.0(#beta)', branch: "ralph/a'b%c&d" }
    const text = report(stateAfter(started(odd), baseline(red), iteration(1, 't1', red)), stop, record)
    expect(urls(text)).toContain(
      'https://github.com/acme/shop/compare/release/1.0%28%23beta%29...ralph/a%27b%25c%26d',
    )
    check(text)
  })
})

describe('what a report says', () => {
  const stop = { reason: 'NO_PROGRESS', detail: 'x' } as const
  test('PUSH_FAILED: where the bundle is and how to get at it', () => {
    const text = textOf('PUSH_FAILED')
    expect(text).toContain('`work.bundle` in the record holds the commits up to `2a7c4e9`')
    expect(text).toContain('`git fetch work.bundle ralph-work:ralph/')
  })
  test('RATE_LIMITED: when the limit resets', () =>
    expect(textOf('RATE_LIMITED')).toContain('resets at 2023-11-15 03:46 UTC'))
  test('F23: a cost nobody reported is no zero', () => {
    expect(textOf('AGENT_FAILED')).toContain('not reported')
    expect(textOf('AGENT_FAILED')).toContain('at most $5.00 of $5.00')
  })
  test('F3: one turn above the limit is told as it is', () =>
    expect(textOf('BUDGET_EXHAUSTED')).toContain('| turn limit | 41 |'))
  test('F14: that a verdict rests on the exit code only', () =>
    expect(textOf('local')).toContain('verdict by exit code only'))
  test('F18: which failing tests failed before the run, and which it broke', () => {
    const now = verdict(2, { failing: ['old', 'new'] })
    const text = report(
      stateAfter(started(), baseline(verdict(1, { failing: ['old'] })), iteration(1, 't1', now)),
      stop,
      record,
    )
    expect(text).toContain('**Failing now, passing on main**\n\n- `new`')
    expect(text).toContain('**Failing now, and on main too**\n\n- `old`')
  })
  test('F18: that a verdict comes and goes', () => {
    const green = aVerdict('pass')
    const steps = [
      begun(1),
      worked(),
      saved('t1'),
      judged('t1', green),
      confirmed('t1', aVerdict('fail'), true),
    ]
    expect(report(stateAfter(started(), baseline(aVerdict('fail')), steps), stop, record)).toContain(
      '**Flaky:**',
    )
  })
  test('R61: a denied call once, with the rule that allows it where a rule may', () => {
    const denials = [
      { tool: 'Bash', input: 'npm ci' },
      { tool: 'Bash', input: 'npm ci' },
      { tool: 'Bash', input: `curl ${'x'.repeat(190)}…` },
      { tool: 'Write', input: 'docs/a.md' },
      { tool: 'Write', input: '/etc/passwd' },
      { tool: 'Edit', input: '../other' },
      { tool: 'Edit', input: '.github/x.yml' },
      { tool: 'WebSearch', input: '' },
    ]
    const state = stateAfter(started(), baseline(aVerdict('fail')), begun(1), worked({ denials }))
    const { nodes } = check(report(state, stop, record))
    const table = nodes.findLast((node) => node.type === 'table')
    expect(table?.type === 'table' && table.children.slice(1).map((row) => row.children.map(seen))).toEqual([
      ['Bash npm ci', 'Bash(npm ci)'],
      [`Bash curl ${'x'.repeat(190)}…`, 'Bash(curl *)'],
      ['Write docs/a.md', 'Edit(./docs/a.md)'],
      ['Write /etc/passwd', ''],
      ['Edit ../other', ''],
      ['Edit .github/x.yml', ''],
      ['WebSearch', 'WebSearch'],
    ])
  })
  test('a picture only where at least two iterations have numbers', () => {
    expect(textOf('many iterations')).toContain('```mermaid')
    expect(textOf('one iteration')).not.toContain('```mermaid')
    expect(textOf('local')).not.toContain('```mermaid')
  })
  test('F3: in the picture nothing is above 100', () => {
    const rows = [1, 2].map((n) => iteration(n, `t${n}`, aVerdict('fail'), { costUsd: 9 }))
    const text = report(stateAfter(started(), baseline(aVerdict('fail')), ...rows), stop, record)
    expect(text).toContain('bar [0, 100, 100]')
  })
  test('of a long run the first sessions and the newest', () => {
    const rows = Array.from({ length: 100 }, (_, n) => iteration(n + 1, `t${n}`, aVerdict('fail')))
    const text = report(stateAfter(started(), baseline(aVerdict('fail')), ...rows), stop, record)
    expect(text).toContain('| … | 60 more in the record |')
    expect(text).toContain('| 5 | ended')
    expect(text).not.toContain('| 6 | ended')
    expect(text).toContain('| 66 | ended')
    expect(text).toContain('| 100 | ended')
  })
})
