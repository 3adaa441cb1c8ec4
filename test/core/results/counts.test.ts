import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, recorded } from './recorded.ts'

test.each([
  ['ava-mixed', ['0 passed, 1 failed, 2 skipped by counts']],
  ['ava-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['bun-mixed', ['1 passed, 1 failed, 1 skipped by counts']],
  ['bun-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['ctest-mixed', ['1 passed, 1 failed, 0 skipped by counts']],
  ['ctest-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['ctest-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['deno-mixed', ['1 passed, 1 failed, 1 skipped by counts']],
  ['deno-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['deno-zero', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'gotestsum-mixed',
    [
      '6 passed, 6 failed, 1 skipped by counts',
      'a.TestCarries',
      'a.TestTable/bad',
      'crash.TestCrash',
      'bad',
      'main',
    ],
  ],
  ['gotestsum-pass', ['2 passed, 0 failed, 0 skipped by counts']],
  ['gotestsum-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['playwright-mixed', ['1 passed, 1 failed, 1 skipped by counts', 'play/a.spec.js:2:24 › two']],
  ['playwright-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['prove-mixed', ['3 passed, 1 failed, 0 skipped by counts']],
  ['prove-pass', ['4 passed, 0 failed, 0 skipped by counts']],
  ['prove-zero', ['0 passed, 0 failed, 0 skipped by names']],
])('counts recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`counts/${name}.txt`)))).toEqual(told)
})
