import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

test.each([
  ['20-spec-broken', ['1 passed, 1 failed, 0 skipped by names', '/repo/node-test/broken/a.test.js']],
  ['20-spec-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['20-spec-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['20-spec-hang', ['0 passed, 2 failed, 0 skipped by names', 'outer > not awaited']],
  ['20-spec-mixed', ['6 passed, 2 failed, 3 skipped by counts', 'add > carries', 'throws']],
  ['20-spec-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['20-spec-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['20-tap-broken', ['1 passed, 1 failed, 0 skipped by names', '/repo/node-test/broken/a.test.js']],
  ['20-tap-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['20-tap-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['20-tap-hang', ['0 passed, 1 failed, 0 skipped by names', 'outer > not awaited']],
  ['20-tap-mixed', ['5 passed, 2 failed, 3 skipped by names', 'add > carries', 'throws']],
  ['20-tap-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['20-tap-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['22-spec-broken', ['1 passed, 1 failed, 0 skipped by names', 'broken/a.test.js']],
  ['22-spec-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['22-spec-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['22-spec-hang', ['0 passed, 2 failed, 0 skipped by names', 'outer > not awaited']],
  ['22-spec-mixed', ['6 passed, 2 failed, 3 skipped by counts', 'add > carries', 'throws']],
  ['22-spec-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['22-spec-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['22-tap-broken', ['1 passed, 1 failed, 0 skipped by names', 'broken/a.test.js']],
  ['22-tap-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['22-tap-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['22-tap-hang', ['0 passed, 2 failed, 0 skipped by names', 'outer > not awaited']],
  ['22-tap-mixed', ['6 passed, 2 failed, 3 skipped by names', 'add > carries', 'throws']],
  ['22-tap-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['22-tap-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['24-dot-mixed', ['exit code only']],
  ['24-spec-broken', ['1 passed, 1 failed, 0 skipped by names', 'broken/a.test.js']],
  ['24-spec-colour', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['24-spec-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['24-spec-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['24-spec-hang', ['2 passed, 0 failed, 0 skipped by names']],
  ['24-spec-mixed', ['6 passed, 2 failed, 3 skipped by counts', 'add > carries', 'throws']],
  ['24-spec-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['24-spec-zero', ['0 passed, 0 failed, 0 skipped by names']],
  ['24-tap-broken', ['1 passed, 1 failed, 0 skipped by names', 'broken/a.test.js']],
  ['24-tap-early', ['1 passed, 0 failed, 0 skipped by names']],
  ['24-tap-fail', ['1 passed, 2 failed, 1 skipped by names', 'add > carries', 'add > deep > adds']],
  ['24-tap-hang', ['2 passed, 0 failed, 0 skipped by names']],
  ['24-tap-mixed', ['6 passed, 2 failed, 3 skipped by names', 'add > carries', 'throws']],
  ['24-tap-pass', ['2 passed, 0 failed, 0 skipped by names']],
  ['24-tap-zero', ['0 passed, 0 failed, 0 skipped by names']],
])('node-test recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`node-test/${name}.txt`)))).toEqual(told)
})

test('every test by name', () => {
  expect(named(parseResults(recorded('node-test/24-spec-fail.txt')))).toEqual({
    'add > adds': 'passed',
    'add > carries': 'failed',
    'add > is skipped': 'skipped',
    'add > deep > adds': 'failed',
  })
})
