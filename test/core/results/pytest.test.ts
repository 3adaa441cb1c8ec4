import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['default-broken', ['0 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'default-mixed',
    [
      '8 passed, 5 failed, 2 skipped by counts',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes',
    ],
  ],
  ['default-pass', ['2 passed, 0 failed, 0 skipped by counts']],
  ['default-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['n-broken', ['1 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'n-mixed',
    [
      '8 passed, 5 failed, 2 skipped by names',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes (teardown)',
      "tests/test_a.py::test_sub (i='2')",
      'tests/test_a.py::test_sub',
    ],
  ],
  ['n-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['n-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['q-broken', ['0 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'q-mixed',
    [
      '8 passed, 5 failed, 2 skipped by counts',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes',
    ],
  ],
  ['q-pass', ['2 passed, 0 failed, 0 skipped by counts']],
  ['q-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['rA-broken', ['0 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'rA-mixed',
    [
      '8 passed, 5 failed, 2 skipped by names',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes (teardown)',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
    ],
  ],
  ['rA-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['rA-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['v-broken', ['0 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'v-mixed',
    [
      '8 passed, 5 failed, 2 skipped by names',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes (teardown)',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
    ],
  ],
  ['v-pass', ['2 passed, 0 failed, 0 skipped by names']],
  [
    'v-s-mixed',
    [
      '8 passed, 5 failed, 2 skipped by names',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes (teardown)',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
    ],
  ],
  ['v-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['vv-rA-broken', ['0 passed, 1 failed, 0 skipped by names', 'broken/test_a.py']],
  [
    'vv-rA-mixed',
    [
      '8 passed, 5 failed, 2 skipped by names',
      'tests/test_a.py::test_carries',
      'tests/test_a.py::test_needs_database',
      'tests/test_a.py::test_closes (teardown)',
      'tests/test_a.py::test_sub (i=2)',
      'tests/test_a.py::test_sub',
    ],
  ],
  ['vv-rA-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['vv-rA-zero', ['0 passed, 0 failed, 0 skipped by names']],
])('pytest recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`pytest/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('pytest/v-mixed.txt')))).toEqual({
    'tests/test_a.py::test_adds': 'passed',
    'tests/test_a.py::test_carries': 'failed',
    'tests/test_a.py::test_skipped': 'skipped',
    'tests/test_a.py::test_expected_failure': 'skipped',
    'tests/test_a.py::test_each[one]': 'passed',
    'tests/test_a.py::test_each[two words]': 'passed',
    'tests/test_a.py::test_each[a::b - c]': 'passed',
    'tests/test_a.py::TestDeep::test_adds': 'passed',
    'tests/test_a.py::test_liar': 'passed',
    'tests/test_a.py::test_needs_database': 'failed',
    'tests/test_a.py::test_closes': 'passed',
    'tests/test_a.py::test_closes (teardown)': 'failed',
    'tests/test_a.py::test_sub (i=2)': 'failed',
    'tests/test_a.py::test_sub': 'failed',
    'tests/test_b.py::test_b': 'passed',
  })
})
