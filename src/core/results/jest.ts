import { owned, type Summary, within } from './owned.ts'
import { counts, numbers, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/**
 * Jest, default and verbose (recorded with 30.5). Verbose lists every test; otherwise only the failing ones are named.
 * A suite that could not be loaded is not in jest's test counts: it counts as one failure here.
 */
export const jest: Parser = (lines, breaks) => {
  const files: { line: number; weight: number }[] = []
  const items: (Test & { line: number })[] = []
  const failures: { line: number; name: string; suite: boolean }[] = []
  const summaries: Summary<string>[] = []
  let file = ''
  let path: string[] = []
  for (const [line, text] of lines.entries()) {
    const head = /^(?:PASS|FAIL) +(\S.*?)(?: \([\d.]+ m?s\))?$/.exec(text)
    if (head?.[1]) {
      file = head[1]
      path = []
      files.push({ line, weight: 1 })
      continue
    }
    const failure = /^ {2}● (.+)$/.exec(text)
    if (failure?.[1] && failure[1] !== 'Console') {
      const suite = failure[1] === 'Test suite failed to run'
      failures.push({ line, name: suite ? file : `${file} › ${failure[1]}`, suite })
    }
    if (text.startsWith('  ● ') || text.startsWith('Test Suites: ')) path = []
    const item = /^((?: {2})+)([✓✕○✎]) (?:skipped |todo )?(.+?)(?: \(\d+(?:\.\d+)? m?s\))?$/.exec(text)
    const heading = /^((?: {2})+)(\S.*)$/.exec(text)
    if (item) {
      const [, indent = '', sign = '', name = ''] = item
      const title = [file, ...path.slice(0, indent.length / 2 - 1), name].join(' › ')
      items.push({ line, name: title, status: statuses[sign] ?? 'failed' })
    } else if (heading?.[1] && heading[2]) {
      path = [...path.slice(0, heading[1].length / 2 - 1), heading[2]]
    }
    if (/^No tests found, exiting with code \d/.test(text))
      summaries.push({ line, end: line, needs: 0, value: '' })
    const suites = /^Test Suites: (?:\d+ \w+, )*\d+(?: of \d+)? total$/.exec(text)
    const total = /^Tests: +((?:\d+ \w+, )*\d+ total)$/.exec(lines[line + 1] ?? '')
    if (suites && total?.[1]) {
      summaries.push({
        line,
        end: line + 1,
        needs: numbers(text, 'failed|passed'),
        least: 1,
        value: total[1],
      })
    }
  }
  return owned(summaries, files, { lines, breaks }).map(({ from, to, value }) => {
    const failed = within(failures, { from, to })
    const unloaded = [...new Set(failed.filter(({ suite }) => suite).map(({ name }) => name))]
    return runOf({
      format: 'jest',
      from,
      to,
      counts: counts(
        numbers(value, 'passed'),
        numbers(value, 'failed') + unloaded.length,
        numbers(value, 'skipped|todo'),
      ),
      tests: within(items, { from, to }),
      failing: failed.filter(({ suite }) => !suite).map(({ name }) => name),
      unloaded,
    })
  })
}

const statuses: Record<string, TestStatus> = { '✓': 'passed', '✕': 'failed', '○': 'skipped', '✎': 'skipped' }
