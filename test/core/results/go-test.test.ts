import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['json-cached', ['2 passed, 0 failed, 0 skipped by names']],
  ['json-local', ['2 passed, 0 failed, 0 skipped by names']],
  [
    'json-mixed',
    [
      '6 passed, 6 failed, 1 skipped by names',
      'example.org/sample/a.TestCarries',
      'example.org/sample/a.TestTable/bad',
      'example.org/sample/crash.TestCrash',
      'example.org/sample/bad [build failed]',
      'example.org/sample/main',
    ],
  ],
  ['json-nofiles', ['0 passed, 0 failed, 0 skipped by names']],
  ['json-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['json-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['plain-cached', ['1 passed, 0 failed, 0 skipped by counts']],
  ['plain-local', ['1 passed, 0 failed, 0 skipped by counts']],
  [
    'plain-mixed',
    [
      '1 passed, 4 failed, 0 skipped by counts',
      'example.org/sample/a.TestCarries',
      'example.org/sample/a.TestTable/bad',
      'example.org/sample/bad [build failed]',
      'example.org/sample/crash.TestCrash',
      'example.org/sample/main',
    ],
  ],
  ['plain-nofiles', ['0 passed, 0 failed, 0 skipped by names']],
  ['plain-pass', ['1 passed, 0 failed, 0 skipped by counts']],
  ['plain-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['v-cached', ['2 passed, 0 failed, 0 skipped by names']],
  ['v-local', ['2 passed, 0 failed, 0 skipped by names']],
  [
    'v-mixed',
    [
      '6 passed, 6 failed, 1 skipped by names',
      'example.org/sample/a.TestCarries',
      'example.org/sample/a.TestTable/bad',
      'example.org/sample/bad [build failed]',
      'example.org/sample/crash.TestCrash',
      'example.org/sample/main',
    ],
  ],
  ['v-nofiles', ['0 passed, 0 failed, 0 skipped by names']],
  ['v-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['v-zero', ['0 passed, 0 failed, 0 skipped by names']],
])('go-test recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`go-test/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('go-test/v-mixed.txt')))).toEqual({
    'example.org/sample/a.TestAdds': 'passed',
    'example.org/sample/a.TestCarries': 'failed',
    'example.org/sample/a.TestSkipped': 'skipped',
    'example.org/sample/a.TestTable': 'failed',
    'example.org/sample/a.TestTable/good_one': 'passed',
    'example.org/sample/a.TestTable/bad': 'failed',
    'example.org/sample/a.TestLiar': 'passed',
    'example.org/sample/b.TestOne': 'passed',
    'example.org/sample/b.TestTwo': 'passed',
    'example.org/sample/crash.TestBefore': 'passed',
    'example.org/sample/crash.TestCrash': 'failed',
  })
})
