import { type Counts, counts, numbers, type Parser, runOf } from './run.ts'

const passed = 'pass(?:ed|ing)?|flaky'
const failed = 'fail(?:ed|ing|ures?)?|errors?'
const skipped = 'skip(?:ped|s)?|pending|todo|ignored'
const other = 'filtered out|deselected|did not run|warnings?|tests?'
/** A line that begins like `12 passed`, `1 test failed` or `ok | 3 passed`. */
const told = new RegExp(
  `^[\\s=*|─-]*(?:(?:ok|FAILED|FAIL|PASS|PASSED|Tests?|Results?|Summary)\\b[ :|.]*)?\\d{1,9} (?:tests? )?(?:${passed}|${failed}|${skipped}|${other})\\b`,
)
const verdict = new RegExp(`\\d (?:tests? )?(?:${passed}|${failed})\\b`)

/**
 * Numbers of tests in the output of any runner, believed only where no format was found: the last lines that begin
 * like `12 passed`. Recorded with ava, bun, deno and Playwright; ctest and prove say it in words of their own.
 */
export const anyCounts: Parser = (lines) => {
  const found = lastOf(lines, ctest) ?? lastOf(lines, prove) ?? lastOf(lines, block)
  return found ? [runOf({ format: 'counts', ...found })] : []
}

type Found = { from: number; to: number; counts: Counts; failing?: readonly string[] }

const lastOf = (
  lines: readonly string[],
  find: (lines: readonly string[], line: number) => Found | null,
): Found | null => {
  for (let line = lines.length - 1; line >= 0; line--) {
    const found = find(lines, line)
    if (found) return found
  }
  return null
}

const block = (lines: readonly string[], line: number): Found | null => {
  const last = lines[line] ?? ''
  if (!told.test(last) || !verdict.test(last)) return null
  const indent = indentOf(last)
  let to = line
  while (told.test(lines[to + 1] ?? '')) to++
  let from = line
  while (from > 0 && (told.test(lines[from - 1] ?? '') || indentOf(lines[from - 1]) > indent)) from--
  const all = lines.slice(from, to + 1)
  const summary = all.filter((text) => told.test(text)).join('\n')
  const sum = (words: string) => numbers(summary, `(?:tests? )?(?:${words})`)
  const failing = all.filter((text) => !told.test(text) && text.includes(' › '))
  return {
    from,
    to,
    counts: counts(sum(passed), sum(failed), sum(skipped)),
    failing: failing.map((text) => text.replace(/[─\s]+$/, '').trim()),
  }
}

const indentOf = (text = ''): number => Math.max(0, text.search(/\S/))

const ctest = (lines: readonly string[], line: number): Found | null => {
  if (lines[line] === 'No tests were found!!!') return { from: line, to: line, counts: counts(0, 0, 0) }
  const [, bad, all] =
    /^\d+% tests passed, (\d{1,9}) tests failed out of (\d{1,9})$/.exec(lines[line] ?? '') ?? []
  if (bad === undefined || all === undefined) return null
  return { from: line, to: line, counts: counts(Math.max(0, Number(all) - Number(bad)), Number(bad), 0) }
}

const prove = (lines: readonly string[], line: number): Found | null => {
  const all = /^Files=\d+, Tests=(\d{1,9}),/.exec(lines[line] ?? '')?.[1]
  if (all === undefined || !/^Result: (?:PASS|FAIL|NOTESTS)$/.test(lines[line + 1] ?? '')) return null
  let from = line
  let bad = 0
  while (from > 0 && lines[from] !== 'Test Summary Report') {
    bad += Number(/^\S+ +\(Wstat: .* Failed: (\d{1,9})\)$/.exec(lines[from] ?? '')?.[1] ?? 0)
    from--
  }
  const none = lines[from] !== 'Test Summary Report'
  return {
    from: none ? line : from,
    to: line + 1,
    counts: counts(Number(all) - (none ? 0 : bad), none ? 0 : bad, 0),
  }
}
