import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failing, parseResults } from '../../src/core/results.ts'
import { brief, named, recorded } from './results/recorded.ts'

const told = (output: string) => brief(parseResults(output))

test.each([
  ['12 passed', '12 passed\n', '12 passed, 0 failed, 0 skipped by counts'],
  ['0 passed; 12 filtered out', '0 passed; 12 filtered out\n', '0 passed, 0 failed, 0 skipped by names'],
  ['nothing that is known', 'compiled in 3 s\nall good\n', 'exit code only'],
  ['nothing', '', 'exit code only'],
])('F14: %s', (_, output, line) => {
  expect(told(output)[0]).toBe(line)
})

test.each([
  'node-test/20-spec-zero.txt',
  'node-test/24-spec-zero.txt',
  'node-test/24-tap-zero.txt',
  'vitest/default-zero.txt',
  'vitest/default-zero-passes.txt',
  'vitest/default-filtered.txt',
  'jest/default-zero.txt',
  'jest/default-zero-passes.txt',
  'jest/default-filtered.txt',
  'mocha/spec-zero.txt',
  'pytest/default-zero.txt',
  'pytest/q-zero.txt',
  'unittest/default-zero.txt',
  'go-test/plain-zero.txt',
  'go-test/v-zero.txt',
  'go-test/json-zero.txt',
  'go-test/plain-nofiles.txt',
  'cargo-test/default-zero.txt',
  'cargo-test/q-zero.txt',
  'surefire/zero.txt',
  'surefire/nomatch.txt',
  'tap/perl-c.txt',
  'counts/deno-zero.txt',
  'counts/gotestsum-zero.txt',
  'counts/ctest-zero.txt',
  'counts/prove-zero.txt',
])('F14: %s executed no test', (path) => {
  expect(parseResults(recorded(path))?.counts).toMatchObject({ passed: 0, failed: 0 })
})

test.each([
  'node-test/24-spec-mixed.txt',
  'node-test/24-tap-mixed.txt',
  'vitest/default-mixed.txt',
  'vitest/verbose-mixed.txt',
  'jest/default-mixed.txt',
  'jest/verbose-mixed.txt',
  'mocha/spec-mixed.txt',
  'mocha/dot-mixed.txt',
  'mocha/tap-mixed.txt',
  'pytest/default-mixed.txt',
  'pytest/q-mixed.txt',
  'unittest/v-mixed.txt',
  'go-test/plain-mixed.txt',
  'go-test/v-mixed.txt',
  'go-test/json-mixed.txt',
  'cargo-test/default-mixed.txt',
  'cargo-test/nocapture-mixed.txt',
  'surefire/mixed.txt',
  'surefire/quiet.txt',
])('a summary of 99 passed tests that a test printed is not believed: %s', (path) => {
  expect(recorded(path)).toContain('99 passed')
  expect(parseResults(recorded(path))?.counts.passed).toBeLessThan(20)
})

test.each([
  [
    'runners of different steps',
    ['vitest/default-pass.txt', 'pytest/v-mixed.txt', 'cargo-test/default-pass.txt'],
    'cargo test',
    [3 + 8 + 2, 5, 2],
  ],
  ['a build before the tests', ['cargo-test/default-broken.txt', 'go-test/v-pass.txt'], 'go test', [2, 0, 0]],
  ['a lint before the tests', ['surefire/broken.txt', 'jest/verbose-pass.txt'], 'jest', [3, 0, 0]],
  [
    'the same runner twice',
    ['node-test/24-spec-pass.txt', 'node-test/24-spec-pass.txt'],
    'node:test',
    [4, 0, 0],
  ],
  ['vitest twice', ['vitest/verbose-pass.txt', 'vitest/verbose-mixed.txt'], 'vitest', [8, 2, 2]],
  ['go twice', ['go-test/json-pass.txt', 'node-test/24-tap-fail.txt'], 'go test -json', [3, 2, 1]],
])('several runs are summed: %s', (_, paths, format, [passed, failed, skipped]) => {
  const results = parseResults(paths.map(recorded).join('\n'))
  expect(results?.format).toContain(format)
  expect(results?.counts).toMatchObject({ passed, failed, skipped })
})

test('names of several runs are kept apart', () => {
  expect(named(parseResults(recorded('workspaces/pnpm.txt')))).toEqual({
    'b works': 'passed',
    'b checks': 'failed',
    shared: 'passed',
    'a works': 'passed',
    'a checks': 'passed',
    'shared #2': 'passed',
    'c works': 'passed',
    'c checks': 'failed',
    'shared #3': 'passed',
  })
})

test('a log of GitHub, with a time before every line', () => {
  const log = recorded('vitest/verbose-mixed.txt')
    .split('\n')
    .map((line) => `2026-08-22T10:00:00.1234567Z ${line}`)
  expect(told(log.join('\n'))).toEqual(told(recorded('vitest/verbose-mixed.txt')))
})

test('several scripts at a time, cut in the middle', () => {
  const lines = recorded('workspaces/turbo.txt').split('\n')
  const mark = '… 1000 bytes left out here; the log holds them …'
  const results = parseResults([...lines.slice(0, 21), mark, ...lines.slice(24)].join('\n'))
  expect(results?.counts.total).toBe(9)
  expect(results).toMatchObject({ basis: 'counts', partial: true })
})

test('a run whose tests print what another runner prints counts once', () => {
  const inner = recorded('go-test/plain-mixed.txt')
  const [head = '', ...rest] = recorded('vitest/default-pass.txt').split(' ✓ ')
  const vitest = [head, ...rest].join(' ✓ ').replace('\n\n', `\n\nstdout | a.test.js > runs go\n${inner}\n`)
  expect(told(vitest)).toEqual(['3 passed, 0 failed, 0 skipped by counts'])
})

test.each([
  'vitest/verbose-mixed.txt',
  'jest/verbose-mixed.txt',
  'pytest/v-mixed.txt',
  'node-test/24-spec-fail.txt',
  'mocha/spec-mixed.txt',
  'unittest/v-mixed.txt',
  'surefire/pass.txt',
])('the end of an output suffices for its counts: %s', (path) => {
  const lines = recorded(path).split('\n')
  const whole = parseResults(recorded(path))
  const head = lines.slice(0, 2)
  for (const tail of [lines.length - 6, Math.floor(lines.length * 0.8)]) {
    const cut = [...head, '… 1000 bytes left out here; the log holds them …', ...lines.slice(tail)]
    const results = parseResults(cut.join('\n'))
    if (results === null) continue
    expect(results.counts).toEqual(whole?.counts)
    expect(results).toMatchObject({ basis: 'counts', partial: true })
    expect(results.tests.size).toBe(0)
  }
})

test('names are not complete where part of the output was left out', () => {
  const [head, ...tail] = recorded('go-test/v-pass.txt').split('PASS\n')
  const results = parseResults(
    [head, '… 9 bytes left out here; the log holds them …\n', ...tail].join('PASS\n'),
  )
  expect(results).toMatchObject({ basis: 'counts', partial: true, counts: { passed: 2 } })
})

test('a kept test is not lost among those of the same name', () => {
  const results = parseResults('TAP version 13\nok 1 - a #2\nok 2 - a\nok 3 - a\n1..3\n')
  expect([...(results?.tests.keys() ?? [])]).toEqual(['a #2', 'a', 'a #3'])
})

const recordedLines = [
  'vitest/verbose-mixed.txt',
  'jest/verbose-mixed.txt',
  'mocha/spec-mixed.txt',
  'node-test/24-spec-mixed.txt',
  'node-test/24-tap-mixed.txt',
  'vitest/tap-mixed.txt',
  'pytest/vv-rA-mixed.txt',
  'pytest/n-mixed.txt',
  'unittest/v-mixed.txt',
  'go-test/v-mixed.txt',
  'go-test/json-mixed.txt',
  'cargo-test/default-mixed.txt',
  'surefire/mixed.txt',
  'counts/gotestsum-mixed.txt',
  'workspaces/turbo.txt',
].flatMap((path) => recorded(path).split('\n'))

test('any mixture of what runners print: no throw, no negative count, names only where they agree', () => {
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...recordedLines) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constant('… 5 bytes left out here; the log holds them …') },
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
      const results = parseResults(lines.join('\n'))
      if (results === null) return
      const { passed, failed, skipped, total } = results.counts
      for (const number of [passed, failed, skipped, total]) expect(number).toBeGreaterThanOrEqual(0)
      expect(total).toBe(passed + failed + skipped)
      if (results.basis === 'counts') expect(results.tests.size).toBe(0)
      const ended = [...results.tests.values()]
      if (results.basis === 'names') expect(ended.filter((status) => status === 'passed').length).toBe(passed)
      if (results.basis === 'names')
        expect(ended.filter((status) => status === 'failed').length).toBeLessThanOrEqual(failed)
      expect(new Set(failing(results)).size).toBe(failing(results).length)
    }),
    { numRuns: 500 },
  )
})
