import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['default-broken', ['1 passed, 1 failed, 0 skipped by counts', 'broken/a.test.js']],
  ['default-filtered', ['0 passed, 0 failed, 3 skipped by names']],
  [
    'default-github',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/liar.test.js › throws',
      'test/a.test.js › add › carries',
    ],
  ],
  [
    'default-mixed',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/liar.test.js › throws',
      'test/a.test.js › add › carries',
    ],
  ],
  ['default-pass', ['3 passed, 0 failed, 0 skipped by counts']],
  ['default-single', ['2 passed, 0 failed, 0 skipped by names']],
  ['default-zero-passes', ['0 passed, 0 failed, 0 skipped by names']],
  ['default-zero', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'verbose-mixed',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/liar.test.js › throws',
      'test/a.test.js › add › carries',
    ],
  ],
  ['verbose-pass', ['3 passed, 0 failed, 0 skipped by names']],
])('jest recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`jest/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('jest/verbose-mixed.txt')))).toEqual({
    'test/liar.test.js › prints a summary': 'passed',
    'test/liar.test.js › throws': 'failed',
    'test/a.test.js › same': 'passed',
    'test/a.test.js › same #2': 'passed',
    'test/a.test.js › add › adds': 'passed',
    'test/a.test.js › add › carries': 'failed',
    'test/a.test.js › add › is skipped': 'skipped',
    'test/a.test.js › add › is to do': 'skipped',
    'test/a.test.js › add › deep › adds': 'passed',
  })
})
