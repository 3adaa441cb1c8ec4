import { plain } from './plain.ts'
import { cargoTest } from './results/cargo-test.ts'
import { anyCounts } from './results/counts.ts'
import { goJson } from './results/go-json.ts'
import { goTest } from './results/go-test.ts'
import { gotestsum } from './results/gotestsum.ts'
import { jest } from './results/jest.ts'
import { junitReader } from './results/junit.ts'
import { mocha } from './results/mocha.ts'
import { nodeTest } from './results/node-test.ts'
import { isCut } from './results/owned.ts'
import { pytest } from './results/pytest.ts'
import type { Parser, Run, TestStatus } from './results/run.ts'
import { streams } from './results/streams.ts'
import { surefire } from './results/surefire.ts'
import { bareTap, tap } from './results/tap.ts'
import { unittest } from './results/unittest.ts'
import { vitest } from './results/vitest.ts'
import type { TestCounts } from './verdict.ts'

export { junitReader } from './results/junit.ts'
export type { TestStatus } from './results/run.ts'

export type TestResults = {
  /** The formats found, as `vitest` or `jest + pytest`. */
  format: string
  counts: TestCounts
  /** `names` only where the name of every executed test is known. */
  basis: 'names' | 'counts'
  /**
   * Tests by name, each name once (` #2` for the second of the same name); empty when the basis is counts. Files and
   * packages that could not be loaded are no tests: they are in `failingNames` and `counts.failed` only.
   */
  tests: ReadonlyMap<string, TestStatus>
  /** What failed, as far as it is named, whatever the basis. */
  failingNames: readonly string[]
  /** Why the results must not be believed as a pass: an unreadable report, a plan that was not kept. Sentences. */
  problems: readonly string[]
  /** Part of the output was left out, and with it perhaps whole runs: the counts may be too low. */
  partial: boolean
}

/**
 * Each is tested on output that the real runner printed, and asked only where one of its texts stands in the output.
 * Of two that begin at the same line the first is kept.
 */
const parsers: readonly [Parser, ...string[]][] = [
  [vitest, ' Test Files  ', 'No test files found'],
  [jest, 'Test Suites: ', 'No tests found, exiting'],
  [mocha, ' passing ('],
  [nodeTest, 'ℹ tests '],
  [tap, 'TAP version 1'],
  [pytest, ' passed', ' failed', ' error', ' skipped', ' xfailed', ' xpassed', ' deselected', 'no tests '],
  [unittest, 'Ran '],
  [gotestsum, 'DONE '],
  [goTest, 'ok  \t', 'FAIL\t', '?   \t'],
  [goJson, '"Action":"'],
  [cargoTest, 'running ', 'test result: '],
  [surefire, 'Tests run: ', 'No tests to run.', 'No tests matching pattern'],
]
/** Asked in turn, only where none of the others found anything. */
const fallbacks: readonly [Parser, ...string[]][] = [
  [bareTap, 'ok 1', '1..'],
  [anyCounts, 'pass', 'fail', 'error', 'flaky', 'No tests were found!!!', 'Files='],
]

/** Longest line that is looked at: what runners say of tests is shorter, and none needs more than linear time for it. */
const lineCap = 4096
/** Where another script, step or part begins: headings of npm, pnpm, yarn and of GitHub's log, and the mark of a cut. */
const breakMark = /^(?:> \S+@\S+ \S+$|> [\w:-]+$|yarn run v\d|##\[group\]|… \d+ bytes left out here)/

/**
 * What the output of a verifier says of its tests: every run in it, summed; null when none was recognised. A summary
 * that a test printed is not taken for one of the runner's where the runner's own lines show that it is not.
 */
export const parseResults = (output: string): TestResults | null => {
  const shown = plain(output)
  const lines = shown.split('\n').map((line) => (line.length > lineCap ? line.slice(0, lineCap) : line))
  const parts = streams(lines)
  const asked = parsers.filter(([, ...texts]) => texts.some((text) => shown.includes(text)))
  const runs = asked.length === 0 ? [] : parts.flatMap((part) => found(part, asked))
  const partial = lines.some(isCut)
  if (runs.length > 0) return resultsOf(runs, partial)
  for (const fallback of fallbacks) {
    const [, ...texts] = fallback
    const late = texts.some((text) => shown.includes(text))
      ? parts.flatMap((part) => found(part, [fallback]))
      : []
    if (late.length > 0) return resultsOf(late, partial)
  }
  return null
}

/** What JUnit XML reports say, all of them together; null when there are none. */
export const parseReports = (files: readonly { path: string; xml: string }[]): TestResults | null => {
  const runs = files.map(({ path, xml }) => {
    const reader = junitReader(path)
    reader.push(xml)
    return reader.end()
  })
  return runs.length === 0 ? null : resultsOf(runs)
}

/** Names of what failed, in the order of the output. */
export const failing = (results: TestResults): string[] => [...results.failingNames]

const found = (lines: readonly string[], which: readonly (typeof parsers)[number][]): Run[] => {
  const breaks = lines.flatMap((line, at) => (breakMark.test(line) ? [at] : []))
  const runs = which
    .flatMap(([parser]) => parser(lines, breaks))
    .sort((a, b) => a.from - b.from || b.to - a.to)
  const kept: Run[] = []
  let widest: Run | undefined
  for (const run of runs) {
    if (widest && run.to <= widest.to && run.format !== widest.format) continue
    kept.push(run)
    if (!widest || run.to > widest.to) widest = run
  }
  return kept
}

/** Runs added up: those of one output, or those that readers of reports ended with. */
export const resultsOf = (runs: readonly Run[], partial = false): TestResults => {
  const named = !partial && runs.every((run) => run.named)
  const tests = new Map<string, TestStatus>()
  const times = new Map<string, number>()
  for (const { name, status } of named ? runs.flatMap((run) => run.tests) : []) {
    let time = (times.get(name) ?? 0) + 1
    while (tests.has(numbered(name, time))) time++
    times.set(name, time)
    tests.set(numbered(name, time), status)
  }
  const total = (key: keyof TestCounts) => runs.reduce((all, run) => all + run.counts[key], 0)
  return {
    format: [...new Set(runs.map(({ format }) => format))].join(' + '),
    counts: {
      passed: total('passed'),
      failed: total('failed'),
      skipped: total('skipped'),
      total: total('total'),
    },
    basis: named ? 'names' : 'counts',
    tests,
    failingNames: [...new Set(runs.flatMap((run) => run.failing))],
    problems: [...new Set(runs.flatMap((run) => run.problems))],
    partial,
  }
}

const numbered = (name: string, time: number): string => (time === 1 ? name : `${name} #${time}`)
