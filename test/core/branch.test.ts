import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchFault, branchName, slug } from '../../src/core/branch.ts'

const digest = '3f9a0cdeadbeef'

/** Whether git itself takes it. */
const valid = (name: string): boolean => {
  try {
    execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('F44: names from titles', () => {
  test.each([
    ['Fix the parser', 'ralph/fix-the-parser-3f9a0c'],
    ['🚀🚀', 'ralph/3f9a0c'],
    ['课题', 'ralph/3f9a0c'],
    ['a..b~^: ?*[\\', 'ralph/a-b-3f9a0c'],
    ['HEAD', 'ralph/head-3f9a0c'],
    ['x.lock', 'ralph/x-lock-3f9a0c'],
    ['-rf', 'ralph/rf-3f9a0c'],
    ['Größe ändern', 'ralph/gro-e-andern-3f9a0c'],
    ['', 'ralph/3f9a0c'],
  ])('%j gives %s', (title, name) => {
    expect(branchName({ title, digest }, [])).toBe(name)
    expect(valid(name)).toBe(true)
  })

  test('any title gives a short name that git takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (title) => {
        const name = branchName({ title, digest }, [])
        expect(name).toMatch(/^ralph\/[a-z0-9](?!.*--)[a-z0-9-]*$/)
        expect(name.length).toBeLessThanOrEqual(60)
      }),
    )
    expect(branchName({ title: 'x'.repeat(400), digest }, []).endsWith('-3f9a0c')).toBe(true)
  })

  test('an issue gives its number', () => expect(branchName({ issue: 7 }, ['main'])).toBe('ralph/issue-7'))

  test('a branch `ralph` on the remote leaves only a flat name', () => {
    expect(branchName({ issue: 7 }, ['ralph', 'main'])).toBe('ralph-issue-7')
    expect(branchName({ issue: 7 }, ['ralph/issue-7/part'])).toBe('ralph-issue-7')
    expect(branchName({ issue: 7 }, ['ralph/issue-7'])).toBe('ralph/issue-7')
  })

  test('F32: the branch of a merged pull request gives a new name', () => {
    expect(branchName({ issue: 7 }, [], ['ralph/issue-7'])).toBe('ralph/issue-7-2')
    expect(branchName({ issue: 7 }, [], ['ralph/issue-7', 'ralph/issue-7-2'])).toBe('ralph/issue-7-3')
  })
})

test('a slug is cut between words’ ends', () =>
  expect(slug(`${'word '.repeat(20)}`)).toBe('word-word-word-word-word-word-word-word'))

describe('a branch that is never pushed to', () => {
  test.each([
    'main',
    'Main',
    'trunk',
    'release/1',
    'RELEASE/1',
    '-D',
    'a..b',
    'a b',
    'x.lock',
    'HEAD',
    'refs/heads/x',
    'é',
    'a/',
    '@{u}',
    `${'x'.repeat(300)}`,
  ])('%s', (name) => expect(branchFault(name, 'release/1')).not.toBeNull())
  test.each(['ralph/issue-7', 'ralph-issue-7', 'bot/work', 'feature/Main'])('not %s', (name) =>
    expect(branchFault(name, 'main')).toBeNull(),
  )
})
