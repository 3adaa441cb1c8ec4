/** How a test ended. To-do tests, and those that failed as expected, count as skipped. */
export type TestStatus = 'passed' | 'failed' | 'skipped'

/** As `TestCounts` of core/verdict.ts: `total` counts executed and skipped tests. */
export type Counts = { passed: number; failed: number; skipped: number; total: number }

/** One run of a test runner, found in an output. */
export type Run = {
  format: string
  /** First and last line that belong to it. What another format finds between them was printed by its tests. */
  from: number
  to: number
  counts: Counts
  /** Every executed test by name; empty unless `named`. */
  tests: readonly Test[]
  named: boolean
  /** Names of failing tests, and of files or packages that could not be loaded, as far as they are known. */
  failing: readonly string[]
  /** Why these results must not be believed as a pass. */
  problems: readonly string[]
}

export type Test = { name: string; status: TestStatus }

/** Finds the runs of one format in lines of plain text. `breaks`: lines at which something else begins, ascending. */
export type Parser = (lines: readonly string[], breaks: readonly number[]) => readonly Run[]

export const counts = (passed: number, failed: number, skipped: number): Counts => ({
  passed,
  failed,
  skipped,
  total: passed + failed + skipped,
})

export const tally = (tests: readonly Test[]): Counts => {
  const of = (status: TestStatus) => tests.filter((test) => test.status === status).length
  return counts(of('passed'), of('failed'), of('skipped'))
}

/** What a parser found: `counts` from the summary, `tests` as listed, `unloaded` are failures that are no test. */
export type Found = {
  format: string
  from: number
  to: number
  counts: Counts
  tests?: readonly Test[]
  failing?: readonly string[]
  unloaded?: readonly string[]
  problems?: readonly string[]
}

/**
 * Puts a run together. It is named when the listed tests agree with the summary: as many passed, and as many failed
 * as it counts beyond `unloaded`.
 */
export const runOf = ({ tests = [], failing = [], unloaded = [], problems = [], ...found }: Found): Run => {
  const listed = tally(tests)
  const named =
    listed.passed === found.counts.passed && listed.failed === found.counts.failed - unloaded.length
  const failed = tests.filter(({ status }) => status === 'failed').map(({ name }) => name)
  return {
    ...found,
    tests: named ? tests : [],
    named,
    failing: [...new Set([...(failing.length > 0 ? failing : failed), ...unloaded])],
    problems,
  }
}

/** Counts by word, as in `2 failed | 5 passed | 1 skipped (8)`: the sum of the numbers before each of the words. */
export const numbers = (text: string, words: string): number => {
  let sum = 0
  for (const [, number] of text.matchAll(new RegExp(`\\b(\\d{1,9}) (?:${words})\\b`, 'g')))
    sum += Number(number)
  return sum
}
