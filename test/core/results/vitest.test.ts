import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  [
    'agent-mixed',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['default-broken', ['1 passed, 1 failed, 0 skipped by counts', 'broken/a.test.js']],
  [
    'default-colour',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['default-filtered', ['0 passed, 0 failed, 3 skipped by names']],
  [
    'default-github',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['default-hook', ['0 passed, 1 failed, 2 skipped by names', 'hook/a.test.js > group']],
  [
    'default-mixed',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['default-pass', ['3 passed, 0 failed, 0 skipped by counts']],
  [
    'default-projects',
    [
      '8 passed, 2 failed, 2 skipped by counts',
      '|two| test/a.test.js > add > carries',
      '|two| test/liar.test.js > throws > odd name',
    ],
  ],
  ['default-single', ['2 passed, 0 failed, 0 skipped by counts']],
  ['default-unhandled', ['1 passed, 1 failed, 0 skipped by counts', '1 unhandled error']],
  ['default-zero-passes', ['0 passed, 0 failed, 0 skipped by names']],
  ['default-zero', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'dot-mixed',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  [
    'tap-flat-mixed',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  [
    'tap-mixed',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  [
    'tree-mixed',
    [
      '5 passed, 2 failed, 2 skipped by counts',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['tree-pass', ['3 passed, 0 failed, 0 skipped by counts']],
  [
    'verbose-mixed',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['verbose-pass', ['3 passed, 0 failed, 0 skipped by names']],
  [
    'verbose-plain',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  [
    'verbose-projects-plain',
    [
      '8 passed, 2 failed, 2 skipped by names',
      '|two| test/a.test.js > add > carries',
      '|two| test/liar.test.js > throws > odd name',
    ],
  ],
  [
    'verbose-projects',
    [
      '8 passed, 2 failed, 2 skipped by names',
      '|two| test/a.test.js > add > carries',
      '|two| test/liar.test.js > throws > odd name',
    ],
  ],
])('vitest recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`vitest/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('vitest/verbose-mixed.txt')))).toEqual({
    'test/a.test.js > add > adds': 'passed',
    'test/a.test.js > add > carries': 'failed',
    'test/a.test.js > add > is skipped': 'skipped',
    'test/a.test.js > add > is to do': 'skipped',
    'test/a.test.js > add > deep > adds': 'passed',
    'test/a.test.js > same': 'passed',
    'test/a.test.js > same #2': 'passed',
    'test/liar.test.js > prints a summary': 'passed',
    'test/liar.test.js > throws > odd name': 'failed',
  })
})
