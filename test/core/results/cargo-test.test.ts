import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['default-abort', ['5 passed, 1 failed, 1 skipped by names', 'abort tests/abort.rs (ended early)']],
  ['default-broken', ['exit code only']],
  [
    'default-mixed',
    [
      '5 passed, 2 failed, 1 skipped by names',
      'sample src/lib.rs tests::carries',
      'whole tests/whole.rs result',
    ],
  ],
  ['default-pass-all', ['5 passed, 0 failed, 1 skipped by names']],
  ['default-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['default-zero', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'nocapture-mixed',
    [
      '5 passed, 2 failed, 1 skipped by counts',
      'sample src/lib.rs tests::carries',
      'whole tests/whole.rs result',
    ],
  ],
  ['q-mixed', ['5 passed, 2 failed, 1 skipped by counts', 'tests::carries', 'result']],
  ['q-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['v-mixed', ['5 passed, 2 failed, 1 skipped by names', 'tests::carries', 'result']],
])('cargo-test recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`cargo-test/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('cargo-test/default-mixed.txt')))).toEqual({
    'sample src/lib.rs tests::adds': 'passed',
    'sample src/lib.rs tests::carries': 'failed',
    'sample src/lib.rs tests::ignored': 'skipped',
    'sample src/lib.rs tests::panics': 'passed',
    'sample src/lib.rs tests::liar': 'passed',
    'whole tests/whole.rs whole': 'passed',
    'whole tests/whole.rs result': 'failed',
    'sample doc src/lib.rs - add': 'passed',
  })
})
