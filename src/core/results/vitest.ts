import { owned, type Summary, within } from './owned.ts'
import { counts, numbers, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/**
 * Vitest, reporters default, verbose, tree, dot and agent (recorded with 4.1). Only verbose lists every test by its
 * full name; the others name the failing ones. Suites that could not be loaded or set up, and errors outside tests,
 * are in none of vitest's own test counts: each counts as one failure here.
 */
export const vitest: Parser = (lines, breaks) => {
  const starts: number[] = []
  const summaries: Summary<{ failed: number; passed: number; skipped: number; errors: number }>[] = []
  const items: (Test & { line: number })[] = []
  const failures: { line: number; name: string; suite: boolean }[] = []
  let inSuites = false
  for (const [line, text] of lines.entries()) {
    if (/^ (?:RUN|DEV) +v\d/.test(text)) starts.push(line)
    const section = /^⎯+ (Failed Suites|Failed Tests|Unhandled Errors) (?:\d+ )?⎯+$/.exec(text)
    if (section) inSuites = section[1] === 'Failed Suites'
    const failure = /^ FAIL +(?=\S)(.+)$/.exec(text)
    if (failure) failures.push({ line, name: nameOf(failure[1] ?? ''), suite: inSuites })
    const item = /^ ([✓×↓□]) (.+)$/.exec(text)
    if (item?.[2]?.includes(' > ')) {
      items.push({
        line,
        name: nameOf(item[2].replace(/ \d+ms$/, '')),
        status: statuses[item[1] ?? ''] ?? 'failed',
      })
    }
    if (/^No test files found, exiting with code \d/.test(text)) {
      summaries.push({ line, end: line, needs: 0, value: { failed: 0, passed: 0, skipped: 0, errors: 0 } })
    }
    const total = /^ +Tests {2}(.+)$/.exec(text)
    if (total?.[1] && /^ Test Files {2}/.test(lines[line - 1] ?? '')) {
      summaries.push({
        line: line - 1,
        end: line,
        needs: Number.POSITIVE_INFINITY,
        value: {
          failed: numbers(total[1], 'failed'),
          passed: numbers(total[1], 'passed'),
          skipped: numbers(total[1], 'skipped|todo'),
          errors: numbers(/^ +Errors {2}(.+)$/.exec(lines[line + 1] ?? '')?.[1] ?? '', 'errors?'),
        },
      })
    }
  }
  return owned(summaries, [], { lines, breaks, starts }).map(({ from, to, value }) => {
    const failed = within(failures, { from, to })
    const errors = value.errors > 0 ? [`${value.errors} unhandled error${value.errors > 1 ? 's' : ''}`] : []
    const unloaded = [...new Set(failed.filter(({ suite }) => suite).map(({ name }) => name)), ...errors]
    return runOf({
      format: 'vitest',
      from,
      to,
      counts: counts(value.passed, value.failed + unloaded.length, value.skipped),
      tests: within(items, { from, to }),
      failing: failed.filter(({ suite }) => !suite).map(({ name }) => name),
      unloaded,
    })
  })
}

const statuses: Record<string, TestStatus> = { '✓': 'passed', '×': 'failed', '↓': 'skipped', '□': 'skipped' }

/** A project's label stands before the file: `|two| ` without colours, ` two  ` with. A failed file is named twice. */
const nameOf = (text: string): string => {
  const label = /^(?:\|([^|]+)\| | ?(\S+) {2}(?=\S))/.exec(text)
  const name = text.slice(label?.[0].length ?? 0).replace(/ \[ .+ \]$/, '')
  return label ? `|${label[1] ?? label[2]}| ${name}` : name.trim()
}
