import { type Item, nextBreak, owned, type Summary, within } from './owned.ts'
import { type Counts, counts, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/**
 * The spec reporter of `node --test`, Node 20 to 24. Every test is listed, suites too; the failed ones again after
 * the summary, each below a `test at` line. A test file that could not be loaded is listed like a test.
 */
export const nodeTest: Parser = (lines, breaks) => {
  const items: Entry[] = []
  const summaries: Summary<Total>[] = []
  const path: string[] = []
  for (const [line, text] of lines.entries()) {
    const opening = /^( *)▶ (.+)$/.exec(text)
    if (opening) path[depthOf(opening[1])] = opening[2] ?? ''
    const item = /^( *)([✔✖﹣⚠]) (.*) \(\d+(?:\.\d+)?ms\)(?: # (\w+).*)?$/.exec(text)
    if (item && !/^test at /.test(lines[line - 1] ?? '')) {
      const [, indent, sign = '', name = '', directive] = item
      const depth = depthOf(indent)
      const parent = path[depth] === name
      path.length = Math.min(path.length, depth)
      items.push({
        line,
        weight: 1,
        depth,
        parent,
        name: [...path.slice(0, depth), name].join(' > '),
        status: statusOf(sign, directive),
      })
    }
    const total = totalAt(lines, line)
    if (total) summaries.push({ line, end: line + 7, needs: total.tests + total.suites, value: total })
  }
  return owned(summaries, items, { lines, breaks }).map(({ from, to, value }) =>
    runOf({
      format: 'node:test',
      from,
      to: value.counts.failed > 0 ? nextBreak(breaks, to, lines.length) - 1 : to,
      counts: value.counts,
      ...named(within(items, { from, to }), value),
    }),
  )
}

type Entry = Item & Test & { depth: number; parent: boolean }
type Total = { tests: number; suites: number; counts: Counts }

const depthOf = (indent = ''): number => Math.floor(indent.length / 2)

const statusOf = (sign: string, directive: string | undefined): TestStatus =>
  sign === '﹣' || sign === '⚠' || directive === 'TODO' || directive === 'SKIP'
    ? 'skipped'
    : sign === '✖'
      ? 'failed'
      : 'passed'

const labels = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']

const totalAt = (lines: readonly string[], at: number): Total | null => {
  if (!lines[at]?.startsWith('ℹ tests ')) return null
  const values = labels.map((label, i) => {
    const [sign, word, value = '', ...more] = (lines[at + i] ?? '').split(' ')
    return sign === 'ℹ' && word === label && /^\d{1,9}(\.\d+)?$/.test(value) && more.length === 0
      ? Number(value)
      : null
  })
  if (values.includes(null)) return null
  const [tests = 0, suites = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = values.map(Number)
  return { tests, suites, counts: counts(pass, fail + cancelled, skipped + todo) }
}

/** Tests with subtests of their own look like suites here: they are told apart only where there are none of one kind. */
const named = (entries: readonly Entry[], { tests, suites }: Total) => {
  const parents = entries.filter(({ parent }) => parent).length
  const complete = entries.length === tests + suites
  const listed = parents === suites ? entries.filter(({ parent }) => !parent) : suites === 0 ? entries : []
  const unloaded = entries.filter(isUnloaded).map(({ name }) => name)
  return {
    tests: complete ? listed.filter((entry) => !isUnloaded(entry)) : [],
    failing: entries
      .filter((entry, at) => entry.status === 'failed' && !failedInside(entries, at))
      .map(({ name }) => name),
    unloaded,
  }
}

const isUnloaded = ({ depth, status, name }: Entry): boolean =>
  depth === 0 && status === 'failed' && /\.[cm]?[jt]sx?$/.test(name)

/** Whether a test failed because one of its subtests did: those stand right before it, one level deeper. */
const failedInside = (entries: readonly Entry[], at: number): boolean => {
  const { depth = 0, parent } = entries[at] ?? {}
  if (!parent) return false
  for (let i = at - 1; (entries[i]?.depth ?? -1) > depth; i--) {
    if (entries[i]?.depth === depth + 1 && entries[i]?.status === 'failed') return true
  }
  return false
}
