import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['default-broken', ['0 passed, 1 failed, 0 skipped by names', 'test_c']],
  ['default-fixture', ['0 passed, 1 failed, 0 skipped by names', 'test_e.Case.setUpClass']],
  [
    'default-mixed',
    [
      '2 passed, 3 failed, 2 skipped by counts',
      'test_a.Case.test_error',
      'test_a.Case.test_carries',
      'test_a.Case.test_sub',
    ],
  ],
  ['default-pass', ['2 passed, 0 failed, 0 skipped by counts']],
  ['default-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['v-broken', ['0 passed, 1 failed, 0 skipped by names', 'test_c']],
  ['v-fixture', ['0 passed, 1 failed, 0 skipped by names', 'test_e.Case.setUpClass']],
  [
    'v-mixed',
    [
      '2 passed, 3 failed, 2 skipped by names',
      'test_a.Case.test_error',
      'test_a.Case.test_carries',
      'test_a.Case.test_sub',
    ],
  ],
  ['v-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['v-zero', ['0 passed, 0 failed, 0 skipped by names']],
])('unittest recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`unittest/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('unittest/v-mixed.txt')))).toEqual({
    'test_a.Case.test_adds': 'passed',
    'test_a.Case.test_carries': 'failed',
    'test_a.Case.test_error': 'failed',
    'test_a.Case.test_expected': 'skipped',
    'test_a.Case.test_liar': 'passed',
    'test_a.Case.test_skipped': 'skipped',
    'test_a.Case.test_sub': 'failed',
  })
})
