import { innermost } from './go-test.ts'
import { counts, type Parser, type Run, runOf } from './run.ts'

/**
 * gotestsum (recorded with 1.13): `go test` inside, the failing tests once more, and one line of totals. A package
 * that was not built or failed outside its tests is one of the failures but none of the tests.
 */
export const gotestsum: Parser = (lines, breaks) => {
  const runs: Run[] = []
  let from = -1
  let failing: string[] = []
  let unloaded: string[] = []
  let next = 0
  for (const [line, text] of lines.entries()) {
    const total =
      /^DONE (?:\d+ runs, )?(\d{1,9}) tests?(?:, (\d{1,9}) skipped)?(?:, (\d{1,9}) failures?)?(?:, \d+ errors?)? in \d+\.\d+s$/.exec(
        text,
      )
    if (line === breaks[next] || total) {
      if (line === breaks[next]) next++
      if (total) {
        const [all = 0, skipped = 0, failed = 0] = total.slice(1).map((number) => Number(number ?? 0))
        const passed = Math.max(0, all - skipped - Math.max(0, failed - unloaded.length))
        runs.push(
          runOf({
            format: 'gotestsum',
            from: from < 0 ? line : from,
            to: line,
            counts: counts(passed, failed, skipped),
            failing: innermost(failing),
            unloaded,
          }),
        )
      }
      from = -1
      failing = []
      unloaded = []
    }
    if (from < 0 && /^(?:[✓✖∅↷] |=== |--- |ok {2}\t|PASS |FAIL )/.test(text)) from = line
    const [, place, test] = /^=== FAIL: (\S+) (\S*) \(\d+\.\d+s\)$/.exec(text) ?? []
    if (place && test) failing.push(`${place}.${test}`)
    else if (place) unloaded.push(place)
  }
  return runs
}
