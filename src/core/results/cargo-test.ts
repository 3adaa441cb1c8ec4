import { counts, type Parser, type Run, runOf, type Test, type TestStatus, tally } from './run.ts'

/**
 * `cargo test`, plain, -q and --nocapture (recorded with cargo 1.95): unit, integration and doc tests are runs of
 * their own. Each says before it starts how many tests it has; a result that another number belongs to was printed by
 * a test, and so was everything between a start and a result inside a run.
 */
export const cargoTest: Parser = (lines, breaks) => {
  const runs: Run[] = []
  let open: Open[] = []
  let target = ''
  let last: Open | undefined
  let next = 0
  for (const [line, text] of lines.entries()) {
    const head = targetIn(text)
    const ended = /^error: (?:test failed, to rerun|doctest failed|\d+ targets? failed)/.test(text)
    const broken = line === breaks[next]
    if (head !== null || ended) runs.push(...unfinished(open[0], target, line - 1))
    if (broken || head !== null || ended) {
      open = []
      last = undefined
    }
    if (broken) next++
    if (head !== null) target = head
    const start = /^running (\d{1,9}) tests?$/.exec(text)
    if (start) open.push({ from: line, announced: Number(start[1]), tests: [], pending: [], failing: [] })
    const inner = open.at(-1)
    if (inner) note(inner, text)
    const result = resultIn(text)
    if (!result) continue
    const at = open.findLastIndex(({ announced }) => announced === result.total)
    const run = open[at]
    if (open.length > 0 && !run) continue
    open.length = Math.max(0, at)
    if (open.length > 0) continue
    if (!run && last) runs.pop()
    last = run ?? last
    runs.push(finished(last, result, target, line))
  }
  return [...runs, ...unfinished(open[0], target, lines.length - 1)]
}

type Open = { from: number; announced: number; tests: Test[]; pending: string[]; failing: string[] }
type Result = ReturnType<typeof tally>

/** The program that runs next and its source, or the crate of the doc tests; null when the line names none. */
const targetIn = (text: string): string | null => {
  const doc = /^ +Doc-tests (\S+)$/.exec(text)
  if (doc) return `${doc[1]} doc`
  if (/^ +Running `/.test(text)) return ''
  const [, source, program] = /^ +Running (?:unittests )?(\S.*) \((\S+)\)$/.exec(text) ?? []
  return source && program
    ? `${program.replace(/^.*[\\/]/, '').replace(/-[\da-f]{16}(?:\.exe)?$/, '')} ${source}`
    : null
}

const statuses: Record<string, TestStatus> = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
  bench: 'passed',
}

const note = (run: Open, text: string): void => {
  const item = /^test (.+) \.\.\. (?:(ok|FAILED|ignored|bench)(?:[,:] .*)?)?$/.exec(text)
  if (item?.[1] && item[2]) run.tests.push({ name: item[1], status: statuses[item[2]] ?? 'failed' })
  else if (item?.[1]) run.pending.push(item[1])
  const failing = /^ {4}(\S.*)$/.exec(text)
  if (failing?.[1]) run.failing.push(failing[1])
  else if (text === 'failures:') run.failing = []
}

const resultIn = (text: string): Result | null => {
  const found =
    /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; \d+ filtered out/.exec(
      text,
    )
  if (!found) return null
  const [passed = 0, failed = 0, ignored = 0, measured = 0] = found.slice(1).map(Number)
  return counts(passed + measured, failed, ignored)
}

/** A program of tests that ended without a result: it was killed, or killed itself. What it said of its tests holds. */
const unfinished = (run: Open | undefined, target: string, line: number): Run[] => {
  if (!run) return []
  const { passed, failed, skipped } = tally(run.tests)
  return [
    runOf({
      format: 'cargo test',
      from: run.from,
      to: line,
      counts: counts(passed, failed + 1, skipped),
      tests: run.tests.map(({ name, status }) => ({ name: nameOf(name, target), status })),
      unloaded: [`${target} (ended early)`.trim()],
    }),
  ]
}

/** Output between a test's name and its end hides the end; where only one kind is missing, it was that. */
const finished = (run: Open | undefined, result: Result, target: string, line: number): Run => {
  const seen = tally(run?.tests ?? [])
  const missing = (['passed', 'failed', 'skipped'] as const).filter(
    (status) => seen[status] !== result[status],
  )
  const only = missing.length === 1 ? missing[0] : undefined
  const late = only && result[only] - seen[only] === run?.pending.length ? run.pending : []
  const all = [...(run?.tests ?? []), ...late.map((name) => ({ name, status: only ?? ('failed' as const) }))]
  const full = (name: string) => nameOf(name, target)
  return runOf({
    format: 'cargo test',
    from: run?.from ?? line,
    to: line,
    counts: result,
    tests: all.map(({ name, status }) => ({ name: full(name), status })),
    failing: result.failed > 0 && run?.failing.length === result.failed ? run.failing.map(full) : [],
  })
}

/** Without what cargo says of the test, and without the line of a doc test, which moves with every edit above it. */
const nameOf = (name: string, target: string): string =>
  `${target} ${name.replace(/ - (?:should panic|compile fail|compile)$/, '').replace(/ \(line \d+\)$/, '')}`.trim()
