import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain } from '../../src/core/plain.ts'
import { parseResults } from '../../src/core/results.ts'
import { signature } from '../../src/core/signature.ts'
import { recorded } from './results/recorded.ts'

const of = (output: string) => signature(parseResults(output), plain(output))

test.each([
  [
    'vitest/default-mixed.txt',
    [
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
      'AssertionError: expected N to be N // Object.is equality - Expected + Received - N + N',
      'TypeError: x is not a function',
    ],
  ],
  [
    'node-test/24-spec-mixed.txt',
    [
      'add > carries',
      'throws',
      'AssertionError [ERR_ASSERTION]: N == N',
      'TypeError [Error]: x is not a function at <address> in <path>',
    ],
  ],
  [
    'jest/default-mixed.txt',
    [
      'test/a.test.js › add › carries',
      'test/liar.test.js › throws',
      'TypeError: x is not a function',
      'expect(received).toBe(expected) // Object.is equality Expected: N Received: N',
    ],
  ],
  [
    'unittest/default-mixed.txt',
    [
      'test_a.Case.test_carries',
      'test_a.Case.test_error',
      'test_a.Case.test_sub',
      'AssertionError: N != N',
      'RuntimeError: no database',
    ],
  ],
  [
    'cargo-test/default-mixed.txt',
    [
      'sample src/lib.rs tests::carries',
      'whole tests/whole.rs result',
      'Error: "no database"',
      "thread 'tests::carries' (N) panicked at src/lib.rs:N: assertion `left == right` failed: carry at N left: N right: N",
    ],
  ],
  ['cargo-test/default-broken.txt', ['error[E0308]: mismatched types']],
  [
    'surefire/broken.txt',
    ['[ERROR] BrokenTest.java:[N] incompatible types: java.lang.String cannot be converted to int'],
  ],
  ['counts/bun-mixed.txt', ['1 failed', 'error: expect(received).toBe(expected) Expected: N Received: N']],
])('recorded: %s', (path, lines) => {
  expect(of(recorded(path)).split('\n')).toEqual(lines)
})

test.each([
  ['a time', 'Error: at 2026-08-22T10:00:00.123Z', 'Error: at 2027-01-01T23:59:59Z'],
  ['a time of day', 'Error: at 10:00:00', 'Error: at 23:59:59.999'],
  ['a duration', 'Error: timed out after 1203ms', 'Error: timed out after 99 ms'],
  ['a temporary path', 'Error: no /tmp/a1/x.txt', 'Error: no /var/folders/zz/b2/T/y'],
  ['another checkout', 'Error: in /home/a/repo/src/a.ts', 'Error: in /github/workspace/src/a.ts'],
  ['a file address', 'Error: in file:///home/a/src/a.ts', 'Error: in file:///b/src/a.ts'],
  ['a place in a file', 'Error: src/a.ts:12:5', 'Error: src/a.ts:140:77'],
  ['an address', 'Error: at 0x7ffe12', 'Error: at 0xdeadbeef'],
  [
    'an id',
    'Error: job 123e4567-e89b-12d3-a456-426614174000',
    'Error: job 00000000-0000-4000-8000-000000000001',
  ],
  ['a commit', 'Error: at 5fb6636', 'Error: at 8ba9615ac0ffee'],
  ['a port', 'Error: connect ECONNREFUSED 127.0.0.1:43121', 'Error: connect ECONNREFUSED 127.0.0.1:5'],
  [
    'a process',
    "thread 'main' (2031) panicked at src/a.rs:1:2:\nboom",
    "thread 'main' (999) panicked at src/a.rs:30:4:\nboom",
  ],
  ['numbers', 'Error: expected 3 to be 4', 'Error: expected 30 to be -4.5'],
  ['colours', '\u001b[31mError\u001b[0m: no', 'Error: no'],
  [
    'a log file of npm',
    'npm error A log: /root/.npm/_logs/2026-08-22T10_00_00_123Z-debug-0.log',
    'npm error A log: /root/.npm/_logs/2026-08-23T11_11_11_000Z-debug-0.log',
  ],
  ['lines before it', 'start 1\nstart 2\nError: no', 'begin\nError: no'],
])('F17: the same failure with %s', (_, one, other) => {
  expect(of(one)).toBe(of(other))
})

test.each([
  ['another message', 'Error: no database', 'Error: no network'],
  ['another kind', 'TypeError: no', 'RangeError: no'],
  ['another code', 'a.ts(1,2): error TS2322: no', 'a.ts(1,2): error TS2345: no'],
  ['another file', '/repo/src/a.ts: error: no', '/repo/src/b.ts: error: no'],
  [
    'another expected text',
    "Error: differ\n- Expected\n- 'a'\n+ 'b'",
    "Error: differ\n- Expected\n- 'a'\n+ 'c'",
  ],
  ['another number of failures', '3 failed\n', '2 failed\n'],
  ['another last line', 'one\ntwo', 'one\nthree'],
])('F17: %s is another failure', (_, one, other) => {
  expect(of(one)).not.toBe(of(other))
})

const vitest = (...names: string[]) =>
  [
    ' RUN  v4.1.12 /repo',
    ...names.map(
      (name) => ` FAIL  a.test.ts > ${name}\nAssertionError: expected 1 to be 2\n ❯ a.test.ts:4:37\n`,
    ),
    ' Test Files  1 failed (1)',
    `      Tests  ${names.length} failed (${names.length})`,
  ].join('\n')

test('F17: fixing one test after another is not the same failure', () => {
  const all = [
    vitest('a', 'b', 'c', 'd'),
    vitest('b', 'c', 'd'),
    vitest('c', 'd'),
    vitest('d'),
    vitest('case 2'),
  ]
  expect(new Set(all.map(of)).size).toBe(all.length)
})

test('F17: the order of the failing tests makes no difference', () => {
  expect(of(vitest('b', 'a', 'c'))).toBe(of(vitest('a', 'c', 'b')))
})

test('an error that a passing test logs makes no difference', () => {
  const log = 'Error: expected by a passing test 17\n    at x (/repo/a.ts:1:1)\n'
  expect(of(log + vitest('a'))).toBe(of(vitest('a')))
})

test('a long signature is cut, and still tells failures apart', () => {
  const names = Array.from({ length: 200 }, (_, at) => `a rather long name of a test, number ${at}`)
  const one = of(vitest(...names))
  const other = of(vitest(...names.slice(0, -1), 'the last one'))
  expect(one.length).toBeLessThanOrEqual(400)
  expect(one).not.toBe(other)
  expect(one.slice(0, 300)).toBe(other.slice(0, 300))
})

test('never empty', () => {
  expect(of('')).toBe('no output')
  expect(of('\n \n')).toBe('no output')
})

test('any output: a signature of 1 to 400 characters', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('Error: x', 'FAIL a', '  at x', ...recorded('jest/default-mixed.txt').split('\n')),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const found = of(lines.join('\n'))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(400)
    }),
  )
})
