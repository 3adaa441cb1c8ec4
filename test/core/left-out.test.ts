import { describe, expect, test } from 'vitest'
import { leftoverPatterns, literalPattern } from '../../src/core/excludes.ts'
import { caseTwins, linkStays, nameFault } from '../../src/core/left-out.ts'

describe('names that no commit of ours holds', () => {
  test.each([
    'a\nb',
    'a\tb',
    'a\u0000',
    'a\u007f',
    'a\u0085b',
    'x/.git/config',
    '.GIT/x',
    'x/git~1',
    'GIT~1/x',
    'x/.git ',
    'x/.git.',
    '.g\u200cit/x',
    '.git::$INDEX_ALLOCATION/x',
    'con',
    'src/NUL.txt',
    'lpt1',
    'trailing.',
    'trailing /x',
  ])('%j', (path) => expect(nameFault(path, true)).toMatch(/name/))

  test('a name that is not UTF-8', () => expect(nameFault('\ufffd', false)).toMatch(/UTF-8/))

  test.each([
    '.gitignore',
    '.github/x',
    'a.git',
    'git',
    'a b',
    '-rf',
    ':(glob)**',
    'a\\b',
    '"quoted"',
    "it's",
    'console.js',
    'nullable.ts',
    '课题',
    '...x',
    'auxiliary',
    `${'x'.repeat(255)}`,
  ])('not %j', (path) => expect(nameFault(path, true)).toBeNull())
})

describe('symbolic links', () => {
  test.each([
    ['a', 'b'],
    ['a/b', '../c'],
    ['a/b', '..'],
    ['a/b/c', '../../x/y'],
    ['a', './b'],
    ['a', 'node_modules/x'],
    ['d/a', '../.github/x'],
  ])('%s -> %s stays', (path, target) => expect(linkStays(path, target)).toBe(true))

  test.each([
    ['a', '/etc/passwd'],
    ['a', '..'],
    ['a', '../ws/b'],
    ['a/b', '../../c'],
    ['a', 'b/../../c'],
    ['a', 'b/../c'],
    ['a', '.git/config'],
    ['a/b', '../.git'],
    ['a', './../x'],
    ['a', '.GIT/hooks'],
  ])('%s -> %s leaves', (path, target) => expect(linkStays(path, target)).toBe(false))
})

describe('case twins', () => {
  test('a new path that differs from an old one by case', () => {
    expect([...caseTwins(['src/A.txt', 'b'], ['src/a.txt', 'src/A.txt', 'b'])]).toEqual(['src/A.txt'])
  })
  test('the second of two new ones', () => {
    expect([...caseTwins(['x', 'X'], ['x', 'X'])]).toEqual(['X'])
  })
  test('two spellings of one letter', () => {
    expect([...caseTwins(['e\u0301'], ['\u00e9', 'e\u0301'])]).toEqual(['e\u0301'])
  })
  test('twins that the repository has already are nobody’s fault', () => {
    expect([...caseTwins(['new'], ['a', 'A', 'new'])]).toEqual([])
  })
})

describe('ignore patterns', () => {
  test.each([
    ['notes.txt', '/notes.txt'],
    ['/.harness/loop/', '/.harness/loop/'],
    ['#a', '/#a'],
    ['!a*[b]?', '/!a\\*\\[b\\]\\?'],
    ['back\\slash', '/back\\\\slash'],
    ['end ', '/end\\ '],
    ['two\nlines', '/two?lines'],
  ])('%j is written %j', (path, pattern) => expect(literalPattern(path)).toBe(pattern))

  test('a kind of leftover that the repository tracks is no leftover there', () => {
    const patterns = leftoverPatterns(['dist/node_modules/x/index.js', 'a.py'])
    expect(patterns).not.toContain('node_modules/')
    expect(patterns).toContain('__pycache__/')
  })
})
