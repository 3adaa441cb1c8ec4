import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  [
    'dot-mixed',
    [
      '3 passed, 3 failed, 1 skipped by counts',
      'at the top fails',
      'add > carries',
      'add > deep > fails deep',
    ],
  ],
  ['spec-broken', ['exit code only']],
  ['spec-hook', ['0 passed, 1 failed, 0 skipped by names', 's > "before all" hook for "one"']],
  [
    'spec-mixed',
    [
      '3 passed, 3 failed, 1 skipped by names',
      'at the top fails',
      'add > carries',
      'add > deep > fails deep',
    ],
  ],
  ['spec-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['spec-zero', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'tap-mixed',
    ['3 passed, 3 failed, 1 skipped by names', 'at the top fails', 'add carries', 'add deep fails deep'],
  ],
])('mocha recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`mocha/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('mocha/spec-mixed.txt')))).toEqual({
    'at the top': 'passed',
    'at the top fails': 'failed',
    'add > adds': 'passed',
    'add > carries': 'failed',
    'add > is skipped': 'skipped',
    'add > deep > adds': 'passed',
    'add > deep > fails deep': 'failed',
  })
})
