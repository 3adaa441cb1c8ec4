import { describe, expect, test } from 'vitest'
import { report } from '../../src/core/report.ts'
import type { SessionResult } from '../../src/core/session.ts'
import { stopRow } from '../../src/core/stop.ts'
import { aVerdict, baseline, begun, judged, saved, started, after as stateAfter, worked } from './history.ts'
import { seen } from './markdown.ts'
import { check } from './report-check.ts'
import { sha } from './report-steps.ts'

const record = 'ralph-record-4711-1-test'

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
