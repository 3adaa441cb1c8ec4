import { describe, expect, test } from 'vitest'
import { report } from '../../src/core/report.ts'
import type { SessionResult } from '../../src/core/session.ts'
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
import { liveText, nodesOf, parseMarkdown, seen } from './markdown.ts'
import { cases, local, manyIterations, oneIteration, sha, verdict } from './report-cases.ts'

const record = 'ralph-record-4711-1-test'
const all = { ...cases, 'one iteration': oneIteration, 'many iterations': manyIterations, local }
const textOf = (name: keyof typeof all) => report(all[name].state, all[name].stop, record)
const names = [...stopReasons, 'one iteration', 'many iterations', 'local'] as const

/** What our own Markdown is made of; anything else came from outside. */
const ourHtml =
  /^(<\/?details( open)?>|<\/?summary>|<\/?sub>|<\/?code>|<\/?span>|<details( open)?><summary>[^<]*(<code>[^<]*<\/code>\))?<\/summary>)$/

/** A report that is wrong in none of the ways in which reports of loops were wrong. */
const check = (markdown: string) => {
  const tree = parseMarkdown(markdown)
  const nodes = nodesOf(tree)
  expect(markdown.length).toBeLessThanOrEqual(60_000)
  expect(markdown.endsWith('\n')).toBe(true)
  for (const node of nodes) {
    if (node.type === 'html') expect(node.value).toMatch(ourHtml)
    if (node.type === 'link')
      expect(node.url).toMatch(/^https:\/\/github\.com\/acme\/shop\/(compare|commit|actions)\/[^\s()]+$/)
    if (node.type === 'text') expect(node.value).not.toMatch(liveText)
    if (node.type === 'table')
      for (const row of node.children) expect(row.children).toHaveLength(node.align?.length ?? 0)
  }
  expect(
    nodes.some((node) =>
      ['image', 'imageReference', 'linkReference', 'definition', 'footnoteReference'].includes(node.type),
    ),
  ).toBe(false)
  const html = nodes.flatMap((node) => (node.type === 'html' ? [node.value] : [])).join('')
  expect(html.match(/<details/g)?.length).toBe(html.match(/<\/details>/g)?.length)
  const words = nodes
    .map((node) => (node.type === 'text' || node.type === 'inlineCode' ? node.value : ' '))
    .join('')
  return { tree, nodes, words }
}

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

describe('F48, F53, T32: whatever comes in', () => {
  const hostile =
    '@octocat fixes #14 </details> <img src=x> ![](http://x/y) ``` ~~~~ <!-- ralph:marker | a\n# heading\r\u001b[31m::error::x ##[error]y \u202e$x$ '
  const session: Partial<SessionResult> = {
    detail: hostile,
    denials: Array.from({ length: 500 }, (_, n) => ({
      tool: `Bash${hostile}`,
      input: `${n}${hostile.repeat(20)}`,
    })),
    warnings: Array.from({ length: 500 }, (_, n) => `${n}${hostile.repeat(50)}`),
    model: hostile,
  }
  const huge = aVerdict('fail', {
    basis: 'names',
    failing: Array.from({ length: 200 }, (_, n) => `${n}${hostile.repeat(50)}`),
    feedback: hostile.repeat(3000),
    log: hostile,
  })
  const leftOut = Array.from({ length: 500 }, (_, n) => ({
    path: `${n}${hostile.repeat(10)}`,
    why: hostile.repeat(50),
  }))
  const restored = leftOut.map(({ path }) => path)
  const facts = {
    url: 'https://github.com/acme/shop',
    title: hostile,
    branch: 'ralph/a',
    verifier: hostile.repeat(99),
    isolation: hostile,
    cliVersion: hostile,
    place: 'in place' as const,
    placeWhy: hostile.repeat(99),
    warnings: [hostile.repeat(99)],
  }
  const rows = Array.from({ length: 100 }, (_, n) => [
    begun(n + 1),
    worked(session),
    saved(`t${n}`, { commit: sha(n), leftOut, restored }),
    judged(`t${n}`, huge),
  ])
  const state = stateAfter(started(facts), baseline(aVerdict('fail')), ...rows)
  const text = report(state, { reason: 'BLOCKED', detail: `The agent: “${hostile.repeat(5000)}”` }, record)

  test('the report stays one of ours, is at most 60,000 characters long, and says that there is more', () => {
    check(text)
    expect(text.length).toBeGreaterThan(20_000)
    expect(text).toContain('_More is in the record._')
  })
  test('its head is whole, the detail with it', () => {
    expect(text).toContain('\n\n- The agent: “@')
    expect(text.startsWith('## 🙋 BLOCKED: ')).toBe(true)
    expect(text).toContain(`**${stopRow('BLOCKED').sentence}**\\\n**Next:** ${stopRow('BLOCKED').next}`)
  })
  test('F48: 300 KB of output is one block with its head and its tail', () => {
    const feedback = `first line\n${'log 😀 @octocat ``` #1\n'.repeat(14_000)}last line`
    const { nodes, words } = check(
      report(
        stateAfter(started({ url: facts.url }), baseline(aVerdict('fail', { feedback }))),
        { reason: 'NO_PROGRESS', detail: 'x' },
        record,
      ),
    )
    const blocks = nodes.filter((node) => node.type === 'code')
    expect(blocks).toHaveLength(1)
    expect(blocks[0]?.type === 'code' && blocks[0].value).toMatch(/^first line[\s\S]*\n…\n[\s\S]*last line$/)
    expect(words).not.toContain('octocat')
  })
  test('a detail that is a book is cut, not left out', () =>
    expect(report(stateAfter(), { reason: 'AUTH_FAILED', detail: 'word '.repeat(20_000) }, record)).toMatch(
      /\n\n(word ){799}word…\n\n/,
    ))
  test('of many names the first, and how many more there are', () => {
    const failing = Array.from({ length: 50 }, (_, n) => `test ${n}`)
    const { tree } = check(
      report(
        stateAfter(started(), baseline(aVerdict('fail', { failing }))),
        { reason: 'NO_PROGRESS', detail: 'x' },
        record,
      ),
    )
    const list = tree.children.find((node) => node.type === 'list')
    expect(list?.type === 'list' && list.children.map(seen).slice(18)).toEqual([
      'test 18',
      'test 19',
      '… and 30 more',
    ])
  })
  test('many problems at once are a list', () => {
    const problems = Array.from(
      { length: 60 },
      (_, n) => `input-${n} is ${hostile.replaceAll('\n', ' ').replaceAll('\r', ' ')}`,
    ).join('\n')
    const { tree } = check(
      report(
        stateAfter({ type: 'failed', reason: 'SETUP_FAILED', text: problems }),
        { reason: 'SETUP_FAILED', detail: problems },
        record,
      ),
    )
    const list = tree.children.find((node) => node.type === 'list')
    expect(list?.type === 'list' && list.children.length).toBeGreaterThan(20)
  })
})
