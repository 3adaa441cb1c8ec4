import { describe, expect, test } from 'vitest'
import { judgeEdits, judgeKind, type TestsRule } from '../../src/core/judge-files.ts'
import type { Change } from '../../src/core/tree-diff.ts'

const side = (id: string, mode = '100644') => ({ mode, id })
const change = (path: string, old: string | null, now: string | null, mode = '100644'): Change => ({
  path,
  bytes: Buffer.from(path),
  exact: true,
  old: old === null ? null : side(old),
  new: now === null ? null : side(now, mode),
  insertions: 0,
  deletions: 0,
})

describe('which files are the judge’s', () => {
  const kind = judgeKind(['ci/**', '*.lock'])
  test.each([
    '.github/workflows/ci.yml',
    '.github/CODEOWNERS',
    '.harness/loop/tasks.json',
    'ci/run.sh',
    'yarn.lock',
  ])('%s is fixed', (path) => expect(kind(path)).toBe('fixed'))
  test.each([
    'test/a.js',
    'packages/api/tests/helper.py',
    'src/__tests__/x.tsx',
    'a.test.ts',
    'src/a.spec.js',
    'test_a.py',
    'pkg/a_test.go',
    'src/FooTest.java',
    'src/FooTests.cs',
    'FooIT.java',
    'spec/a_spec.rb',
    'src/testdata/in.bin',
    'a/__snapshots__/x.snap',
    'golden/1.txt',
    'x.bats',
    '.hidden/tests/a.py',
    'src/tests.rs',
  ])('%s is a test', (path) => expect(kind(path)).toBe('test'))
  test.each([
    'src/a.ts',
    'README.md',
    'package.json',
    'contest/a.js',
    'latest.js',
    'src/protest.py',
    'attest.go',
    'src/testing.ts',
    'github/x',
    'sub/.github/x',
    'Unit.java',
    'src/Audit.java',
  ])('%s is the candidate’s', (path) => expect(kind(path)).toBe('candidate'))
})

const changes = [
  change('.github/workflows/ci.yml', 'a', 'b'),
  change('.github/workflows/new.yml', null, 'b'),
  change('.github/old.yml', 'a', null),
  change('src/a.ts', 'a', 'b'),
  change('test/deleted.js', 'a', null),
  change('test/edited.js', 'a', 'b'),
  change('test/linked.js', 'a', 'b', '120000'),
  change('test/moded.js', 'a', 'a', '100755'),
  change('test/new.js', null, 'b'),
]

const restoredBy = (tests: TestsRule) => judgeEdits(changes, { tests }).restored

describe('J', () => {
  test('F12: additive keeps new tests and restores edited, deleted, moded, linked and renamed ones', () => {
    expect(restoredBy('additive')).toEqual([
      '.github/old.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/new.yml',
      'test/deleted.js',
      'test/edited.js',
      'test/linked.js',
      'test/moded.js',
    ])
  })
  test('frozen takes new tests out too', () => {
    expect(restoredBy('frozen')).toEqual([...restoredBy('additive'), 'test/new.js'])
  })
  test('F13: free trusts the tests, and still nothing under .github', () => {
    expect(restoredBy('free')).toEqual([
      '.github/old.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/new.yml',
    ])
  })
  test('what the base has comes back, what it has not goes', () => {
    const { edits } = judgeEdits(changes, { tests: 'additive' })
    expect(edits.map(({ bytes, to }) => [Buffer.from(bytes).toString(), to?.id ?? null])).toContainEqual([
      '.github/old.yml',
      'a',
    ])
    expect(edits.map(({ bytes, to }) => [Buffer.from(bytes).toString(), to])).toContainEqual([
      '.github/workflows/new.yml',
      null,
    ])
  })
  test('protected paths are fixed', () => {
    expect(
      judgeEdits([change('src/a.ts', null, 'b')], { tests: 'free', protectedGlobs: ['src/*'] }).restored,
    ).toEqual(['src/a.ts'])
  })
})
