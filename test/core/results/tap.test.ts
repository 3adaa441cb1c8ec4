import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, recorded } from './recorded.ts'

test.each([
  ['perl-a-pass', ['3 passed, 0 failed, 2 skipped by names']],
  ['perl-a', ['2 passed, 1 failed, 2 skipped by names', 'inner > all']],
  ['perl-b', ['2 passed, 0 failed, 0 skipped by names']],
  ['perl-c', ['0 passed, 0 failed, 0 skipped by names']],
  ['perl-d', ['1 passed, 0 failed, 0 skipped by names']],
  ['tape-mixed', ['1 passed, 1 failed, 0 skipped by names', 'other']],
  ['tape-pass', ['1 passed, 0 failed, 0 skipped by names']],
])('tap recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`tap/${name}.txt`)))).toEqual(told)
})

test.each([
  ['a plan that was not kept', recorded('tap/perl-b.txt'), 'TAP planned 3 tests and ran 2.'],
  ['a bail-out', recorded('tap/perl-d.txt'), 'TAP bailed out: no database.'],
  ['no plan', 'TAP version 14\nok 1 - one\n', 'TAP ended without a plan.'],
  [
    'too many',
    'TAP version 13\n1..1\nok 1 - one\nok 2 - printed by a test\n',
    'TAP planned 1 tests and ran 2.',
  ],
])('TAP with %s is not believed as a pass', (_, output, problem) => {
  expect(parseResults(output)?.problems).toEqual([problem])
})

test.each([
  ['1..0', 'TAP version 14\n1..0\n', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'all skipped',
    '1..2\nok 1 # SKIP no network\nok 2 - two # skip\n',
    ['0 passed, 0 failed, 2 skipped by names'],
  ],
  [
    'nested, the parent failing alone',
    '1..1\n# Subtest: outer\n    1..1\n    ok 1 - inner\nnot ok 1 - outer\n',
    ['1 passed, 1 failed, 0 skipped by names', 'outer'],
  ],
  [
    'lines that look like points inside YAML',
    'TAP version 13\n1..1\nnot ok 1 - one\n  ---\n  output: |\n  not ok 7 - no point\n  ...\n',
    ['0 passed, 1 failed, 0 skipped by names', 'one'],
  ],
])('TAP: %s', (_, output, told) => {
  expect(brief(parseResults(output))).toEqual(told)
})

test('a long TAP output cut in the middle keeps its plan', () => {
  const points = Array.from({ length: 5000 }, (_, at) => `ok ${at + 1} - test ${at + 1}`)
  const output = [
    'TAP version 13',
    '1..5000',
    ...points.slice(0, 10),
    '… 90000 bytes left out here; the log holds them …',
    ...points.slice(4900),
  ]
  const results = parseResults(output.join('\n'))
  expect(brief(results)).toEqual(['5000 passed, 0 failed, 0 skipped by counts'])
  expect(results).toMatchObject({ partial: true, problems: [] })
})
