import { owned, type Summary, within } from './owned.ts'
import { counts, numbers, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/**
 * pytest, plain, -q, -v, -rA and with xdist (recorded with 9.2). -v lists every test, -rA every executed one;
 * otherwise only the failing ones are named. A module that could not be collected is one of pytest's errors.
 */
export const pytest: Parser = (lines, breaks) => {
  const starts: number[] = []
  const listing: { line: number; weight: number }[] = []
  const items: (Listed & { line: number })[] = []
  const modules: { line: number; name: string }[] = []
  const summaries: Summary<string>[] = []
  let pending = ''
  let inSummary = false
  for (const [line, text] of lines.entries()) {
    if (/^=+ test session starts =+$/.test(text)) starts.push(line)
    if (/^=+ short test summary info =+$/.test(text)) inSummary = true
    const row = /^(?:\S+ )?([.FEsxXRu,]+)(?: +\[ *\d+%\])?$/.exec(text)
    const listed = listedIn(text) ?? (pending === '' ? null : endOf(text, pending))
    const broken = /^_+ ERROR collecting .* _+$/.test(text)
    const weight = broken || (listed && !inSummary) ? 1 : (row?.[1]?.length ?? 0)
    if (weight > 0) listing.push({ line, weight })
    if (listed) items.push({ line, ...listed })
    if (listed) pending = ''
    else if (/^\S/.test(text) && text.endsWith(' ') && text.includes('::')) pending = text.trimEnd()
    const module = /^ERROR (\S+)(?: - .*)?$/.exec(text)
    if (inSummary && module?.[1] && !module[1].includes('::')) modules.push({ line, name: module[1] })
    const total =
      /^(?:=+ )?((?:\d+ [a-z ]+, )*\d+ [a-z ]+|no tests ran|no tests collected.*) in \d+(?:\.\d+)?s(?: \([\d:]+\))?(?: =+)?$/.exec(
        text,
      )
    if (total?.[1]) {
      const needs = numbers(total[1], 'passed|failed|errors?|skipped|xfailed|xpassed')
      summaries.push({ line, end: line, needs, least: 1, value: total[1] })
      inSummary = false
    }
  }
  return owned(summaries, listing, { lines, breaks, starts }).map(({ from, to, value }) =>
    runOf({
      format: 'pytest',
      from,
      to,
      counts: counts(
        numbers(value, 'passed|xpassed'),
        numbers(value, 'failed|errors?'),
        numbers(value, 'skipped|xfailed'),
      ),
      tests: merged(within(items, { from, to })),
      unloaded: [...new Set(within(modules, { from, to }).map(({ name }) => name))],
    }),
  )
}

type Listed = Test & { error: boolean }

const words: Record<string, TestStatus> = {
  PASSED: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  SUBFAILED: 'failed',
  ERROR: 'failed',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
}
const word = '(PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR|SUBFAILED)(\\([^)]*\\))?'
const inside = new RegExp(` ${word}(?= |$)`)
/** What may stand after the word: a reason, and the progress. */
const rest = /^(?: \(.*\))?(?: +\[[^\]]*\])?$/
const worker = new RegExp(`^\\[gw\\d+\\] \\[ *\\d+%\\] ${word} (\\S.*::.*?) *$`)
const short = new RegExp(`^${word} ([^\\s[]+(?:\\[.*?\\])?)(?: - .*)?$`)
const alone = new RegExp(`^${word}`)

/** `id WORD (reason) [ 9%]` of -v, `[gw0] [ 9%] WORD id` of xdist, or `WORD id - message` of the short summary. */
const listedIn = (text: string): Listed | null => {
  if (!text.includes('::')) return null
  const found = worker.exec(text) ?? short.exec(text)
  if (found) return found[3]?.includes('::') ? listed(found[3], found[1], found[2]) : null
  const at = inside.exec(text)
  return at && /^\S*::/.test(text) && rest.test(text.slice(at.index + at[0].length))
    ? listed(text.slice(0, at.index), at[1], at[2])
    : null
}

/** With output in between, the word stands on a line of its own. */
const endOf = (text: string, id: string): Listed | null => {
  const at = alone.exec(text)
  return at && rest.test(text.slice(at[0].length)) ? listed(id, at[1], at[2]) : null
}

const listed = (id: string, found: string | undefined, subtest: string | undefined): Listed => ({
  name: subtest ? `${id} ${subtest}` : id,
  status: words[found ?? ''] ?? 'failed',
  error: found === 'ERROR',
})

/** Each name once, as said last. An error after a pass came from the teardown, and pytest counts both. */
const merged = (items: readonly Listed[]): Test[] => {
  const tests = new Map<string, TestStatus>()
  for (const { name, status, error } of items) {
    tests.set(error && tests.get(name) === 'passed' ? `${name} (teardown)` : name, status)
  }
  return [...tests].map(([name, status]) => ({ name, status }))
}
