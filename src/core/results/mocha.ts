import { nextBreak, owned, type Summary, within } from './owned.ts'
import { counts, numbers, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/** Mocha, reporters spec and dot (recorded with 12.0). Spec lists every test; both list the failed ones at the end. */
export const mocha: Parser = (lines, breaks) => {
  const items: (Test & { line: number; weight: number })[] = []
  const dots: { line: number; weight: number }[] = []
  const summaries: Summary<{ passed: number; failed: number; skipped: number }>[] = []
  let path: string[] = []
  for (const [line, text] of lines.entries()) {
    const item = /^((?: {2})+)(?:([✔✓-])|\d+\)) (.+?)(?: \(\d+ms\))?$/.exec(text)
    if (item) {
      const [, indent = '', sign, name = ''] = item
      const status: TestStatus = sign === undefined ? 'failed' : sign === '-' ? 'skipped' : 'passed'
      items.push({
        line,
        weight: 1,
        name: [...path.slice(0, indent.length / 2 - 1), name].join(' > '),
        status,
      })
      continue
    }
    const row = /^ {2}([.,!․]+)$/.exec(text)
    if (row?.[1]) dots.push({ line, weight: row[1].length })
    const passing = /^ {2}(\d+) passing \(\d+m?s\)$/.exec(text)
    if (passing) {
      const skipped = numbers(/^ {2}\d+ pending$/.exec(lines[line + 1] ?? '')?.[0] ?? '', 'pending')
      const next = line + (skipped > 0 ? 2 : 1)
      const failed = numbers(/^ {2}\d+ failing$/.exec(lines[next] ?? '')?.[0] ?? '', 'failing')
      const passed = Number(passing[1])
      const end = failed > 0 ? next : next - 1
      summaries.push({ line, end, needs: passed + skipped + failed, value: { passed, failed, skipped } })
      path = []
      continue
    }
    const heading = /^((?: {2})+)(\S.*)$/.exec(text)
    if (heading?.[1] && heading[2]) path = [...path.slice(0, heading[1].length / 2 - 1), heading[2]]
  }
  const all = [...items, ...dots].sort((a, b) => a.line - b.line)
  return owned(summaries, all, { lines, breaks }).map(({ from, to, value }) => {
    const last = value.failed > 0 ? nextBreak(breaks, to, lines.length) - 1 : to
    return runOf({
      format: 'mocha',
      from,
      to: last,
      counts: counts(value.passed, value.failed, value.skipped),
      tests: within(items, { from, to }),
      failing: value.failed > 0 ? failures(lines.slice(to + 1, last + 1)) : [],
    })
  })
}

/** The list after the summary: `  1) suite`, deeper suites below, and the test's own line, which ends with a colon. */
const failures = (lines: readonly string[]): string[] => {
  const names: string[] = []
  let title: string[] | null = null
  for (const line of lines) {
    const first = /^ {2}\d+\) (.+)$/.exec(line)
    if (first) title = []
    if (!title) continue
    const part = first?.[1] ?? line.trim()
    if (part === '') title = null
    else if (part.endsWith(':')) {
      names.push([...title, part.slice(0, -1)].join(' > '))
      title = null
    } else title.push(part)
  }
  return names
}
