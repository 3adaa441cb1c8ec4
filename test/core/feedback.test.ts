import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedback } from '../../src/core/feedback.ts'
import { plain } from '../../src/core/plain.ts'
import { parseResults } from '../../src/core/results.ts'
import { signature } from '../../src/core/signature.ts'
import { recorded } from './results/recorded.ts'

const of = (output: string, maxBytes?: number) => feedback(parseResults(output), plain(output), maxBytes)
const bytes = (text: string) => Buffer.byteLength(text)
const noise = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `building step ${at} of many`).join('\n')

test('a short output stands whole below the failing tests', () => {
  expect(of(recorded('cargo-test/default-mixed.txt'), 20_000)).toContain(
    plain(recorded('cargo-test/default-mixed.txt')).split('\n\n\n')[0],
  )
  expect(of('all is well\nError: no')).toBe('all is well\nError: no')
})

test('failing tests come first, then the first error with what stands around it, then the last lines', () => {
  const output = `${noise(2000)}\n${recorded('vitest/default-mixed.txt')}\n${noise(2000)}\nthe very last line`
  const lines = of(output).split('\n')
  expect(lines.slice(0, 5)).toEqual([
    'Failing (2):',
    '- test/a.test.js > add > carries',
    '- test/liar.test.js > throws > odd name',
    '',
    '[… 2019 lines left out …]',
  ])
  const error = lines.indexOf('AssertionError: expected 2 to be 3 // Object.is equality')
  expect(lines[error - 1]).toBe(' FAIL  test/a.test.js > add > carries')
  expect(lines.slice(error).join('\n')).toContain("4|   it('carries', () => expect(1 + 1).toBe(3))")
  expect(lines).toContain('TypeError: x is not a function')
  expect(lines.at(-1)).toBe('the very last line')
  expect(bytes(lines.join('\n'))).toBeLessThanOrEqual(8192)
})

test('the error of a failing test is preferred to one that a passing test logs', () => {
  const output = `stderr | passes\nError: expected, logged by a passing test\n${noise(500)}\n${recorded('vitest/default-mixed.txt')}`
  expect(of(output, 1500)).toContain('AssertionError: expected 2 to be 3')
  expect(of(output, 1500)).not.toContain('logged by a passing test')
})

test.each([
  ['a compiler', 'cargo-test/default-broken.txt', 'error[E0308]: mismatched types'],
  ['Go', 'go-test/plain-mixed.txt', 'bad/bad_test.go:3:30: undefined: undefinedName'],
  ['javac', 'surefire/broken.txt', 'BrokenTest.java:[2,28] incompatible types'],
  ['a missing module', 'mocha/spec-broken.txt', "Error: Cannot find module './missing.js'"],
  ['a hook', 'vitest/default-hook.txt', 'Error: no database'],
  ['pytest', 'pytest/q-broken.txt', "ModuleNotFoundError: No module named 'missing_module'"],
])('the first error is found far from the end: %s', (_, path, error) => {
  expect(of(`${recorded(path)}\n${noise(3000)}`, 2000)).toContain(error)
})

test('without an error: the last lines, and some of the first', () => {
  const found = of(`first line\n${noise(3000)}\nlast line`, 1000)
  expect(found).toMatch(/^first line\n/)
  expect(found).toMatch(/\nlast line$/)
  expect(found).toMatch(/\n\[… \d+ lines left out …\]\n/)
})

test('30 failing tests are listed, the others counted', () => {
  const names = Array.from({ length: 45 }, (_, at) => ` FAIL  a.test.ts > number ${at}`)
  const output = [
    ' RUN  v4.1.12 /r',
    ...names,
    ' Test Files  1 failed (1)',
    '      Tests  45 failed (45)',
  ].join('\n')
  const lines = of(output).split('\n')
  expect(lines[0]).toBe('Failing (45):')
  expect(lines[30]).toBe('- a.test.ts > number 29')
  expect(lines[31]).toBe('… and 15 more')
})

test('problems with the results stand first', () => {
  expect(of(recorded('tap/perl-b.txt'))).toMatch(/^TAP planned 3 tests and ran 2\.\n/)
})

test('no terminal codes, and long lines are cut', () => {
  expect(of(recorded('vitest/default-colour.txt'))).not.toContain('\u001b')
  const cut = of(`Error: ${'x'.repeat(100_000)}\nend`)
  expect(cut).toContain('xxx…\nend')
  expect(bytes(cut)).toBeLessThan(500)
})

test('what was left out is marked with its number of lines', () => {
  const total = 4000
  const found = of(noise(total), 1000).split('\n')
  const left = found.map((line) => Number(/^\[… (\d+) lines? left out …\]$/.exec(line)?.[1] ?? 0))
  const kept = found.filter((line) => !line.startsWith('[…')).length
  expect(left.reduce((sum, lines) => sum + lines, kept)).toBe(total)
})

test('any output: within the bound, cut on whole characters', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Error: ü😀', '漢'.repeat(200), ...recorded('jest/default-mixed.txt').split('\n')),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80 }), fc.integer({ min: 0, max: 3000 }), (lines, maxBytes) => {
      const output = plain(lines.join('\n'))
      const found = feedback(parseResults(output), output, maxBytes)
      expect(bytes(found)).toBeLessThanOrEqual(maxBytes)
      if (!output.includes('\ufffd')) expect(found).not.toContain('\ufffd')
    }),
  )
})

const repeated = (text: string, size = 5_000_000) => text.repeat(Math.ceil(size / text.length))
/** The most that the verifier keeps of an output: 256 KiB of its head and 1 MiB of its tail. */
const kept = 1_310_720

test.each([
  ['5 MB of errors', repeated('Error: a\n')],
  ['5 MB in one line', repeated('Error')],
  ['5 MB of digits', repeated('Error: 1')],
  ['5 MB of slashes', repeated('/')],
  ['one error after many lines', `${repeated('a\n', kept)}Error: a`],
  ['line ends', repeated('\n', kept)],
  ['a failing name everywhere', `1..1\nnot ok 1 - abc\n${repeated('abc\n', kept)}`],
])('hostile: %s', (_, text) => {
  const output = plain(text)
  const results = parseResults(output)
  expect(bytes(feedback(results, output))).toBeLessThanOrEqual(8192)
  expect(signature(results, output).length).toBeLessThanOrEqual(400)
})
