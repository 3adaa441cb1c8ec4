import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, recorded } from './recorded.ts'

test.each([
  ['broken', ['exit code only']],
  [
    'ignored',
    [
      '7 passed, 5 failed, 1 skipped by counts',
      'org.example.StartTest',
      'org.example.CalcTest.errors',
      'org.example.CalcTest.each(int)[2]',
      'org.example.CalcTest.carries',
      'org.example.CalcTest.deepFails',
    ],
  ],
  [
    'mixed',
    [
      '7 passed, 5 failed, 1 skipped by counts',
      'org.example.StartTest',
      'org.example.CalcTest.errors',
      'org.example.CalcTest.each(int)[2]',
      'org.example.CalcTest.carries',
      'org.example.CalcTest.deepFails',
    ],
  ],
  ['nomatch', ['0 passed, 0 failed, 0 skipped by names']],
  [
    'old',
    [
      '5 passed, 5 failed, 1 skipped by counts',
      'org.example.StartTest',
      'org.example.CalcTest.errors',
      'org.example.CalcTest.each{int}[2]',
      'org.example.CalcTest.carries',
      'org.example.CalcTest.deepFails',
    ],
  ],
  ['pass', ['2 passed, 0 failed, 0 skipped by counts']],
  [
    'quiet',
    [
      '5 passed, 5 failed, 1 skipped by counts',
      'org.example.StartTest',
      'org.example.CalcTest.errors',
      'org.example.CalcTest.each(int)[2]',
      'org.example.CalcTest.carries',
      'org.example.CalcTest.deepFails',
    ],
  ],
  ['zero', ['0 passed, 0 failed, 0 skipped by names']],
])('surefire recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`surefire/${name}.txt`)))).toEqual(told)
})
