import { expect, test } from 'vitest'
import { parseResults } from '../../src/core/results.ts'
import { recorded } from './results/recorded.ts'

/** The most that the verifier keeps of an output: 256 KiB of its head and 1 MiB of its tail. */
const kept = 1_310_720
const repeated = (text: string, size = kept) => text.repeat(Math.ceil(size / text.length))
const huge = (text: string) => repeated(text, 5_000_000)

test.each([
  ['one line', huge('x')],
  ['line ends', huge('\n')],
  ['short lines', huge('a\n')],
  ['spaces', huge(' ')],
  ['colons', huge(':')],
  [
    'summaries',
    huge(
      recorded('vitest/verbose-pass.txt') + recorded('jest/verbose-pass.txt') + recorded('pytest/v-pass.txt'),
    ),
  ],
  ['pytest words in one line', huge('a::b PASSED (')],
  ['go ends in one line', huge('--- PASS: ')],
])('hostile: 5 MB of %s', (_, text) => {
  expect(parseResults(text)?.counts.failed ?? 0).toBe(0)
})

test.each([
  ['open brackets', repeated('FAILED a::b[')],
  ['pytest ids', repeated('tests/a.py::test_x PASSED \n')],
  ['pytest words in one line', repeated('a::b PASSED (')],
  ['pytest numbers', repeated('1 passed, ')],
  ['pytest summaries', repeated('1 passed in 0.1s\n')],
  ['go starts', repeated('=== RUN   TestX\n')],
  ['go packages', repeated('ok  \ta\t0.1s\n')],
  ['go ends in one line', repeated('--- PASS: ')],
  ['go events', repeated('{"Action":"pass","Package":"a","Test":"b"}\n')],
  ['cargo starts', repeated('running 1 test\n')],
  ['cargo results', repeated('test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n')],
  ['cargo names', repeated('test a ... ok\n')],
  ['jest summaries', repeated('Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n')],
  ['jest lists', repeated('Test Suites: 1 passed, ')],
  ['vitest starts', repeated(' RUN  v4\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n')],
  [
    'node summaries',
    repeated(
      'ℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1\n',
    ),
  ],
  ['node items', repeated('✔ a (1ms)\n')],
  ['nested node items', Array.from({ length: 2000 }, (_, at) => `${'  '.repeat(at)}▶ a`).join('\n')],
  ['mocha items', repeated('    ✔ a\n')],
  ['mocha headings', Array.from({ length: 2000 }, (_, at) => `${'  '.repeat(at)}a`).join('\n')],
  ['TAP points', `TAP version 13\n${repeated('ok 1 - a\n')}`],
  ['TAP braces', `TAP version 13\n${repeated('not ok 1 - a {\n')}`],
  ['unittest', repeated(`${'-'.repeat(70)}\nRan 1 test in 0.1s\n\nOK\n`)],
  ['surefire', repeated('Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n')],
  ['surefire in one line', repeated('Tests run: 1, Time elapsed: <<< FAILURE! in ')],
  ['gotestsum', repeated('=== FAIL: a b (0.00s)\nDONE 1 tests in 0.1s\n')],
  ['prove', repeated('Files=1, Tests=1, \nResult: PASS\n')],
  ['prove without a report', repeated('a (Wstat: Failed: 1)\nFiles=1, Tests=1, \nno\n')],
  ['numbers of tests', repeated('1 test\n')],
  ['deep lists', `${repeated('   a\n')}  1 passed\n`],
  ['prefixes', repeated('a:test: b\n')],
  ['many prefixes', Array.from({ length: 80_000 }, (_, at) => `a${at}:test: b`).join('\n')],
])('hostile: as much as is kept of %s', (_, text) => {
  const results = parseResults(text)
  expect(results?.counts.failed ?? 0).toBeGreaterThanOrEqual(0)
})
