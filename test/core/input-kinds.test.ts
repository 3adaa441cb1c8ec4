import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { claudeArgs } from '../../src/core/inputs/claude-args.ts'
import { existingBranch, identity, loopBranch } from '../../src/core/inputs/git-kinds.ts'
import { show } from '../../src/core/inputs/input.ts'
import {
  integer,
  type Kind,
  list,
  minutes,
  oneOf,
  type Parsed,
  secret,
  text,
  usd,
} from '../../src/core/inputs/input-kinds.ts'
import { allInputs } from '../../src/core/inputs/inputs.ts'
import { glob, narrowGlob, relativePath } from '../../src/core/inputs/path-kinds.ts'
import { accepted, refused } from './input-values.ts'

const wrong = (parsed: Parsed<unknown>) => (parsed.ok ? null : parsed.wrong)

test.each<[Kind<unknown>, string, string]>([
  [integer(1, 100), '1e3', 'is not a whole number written in the digits 0 to 9'],
  [integer(1, 100), '0', 'is below 1'],
  [integer(1, 100), '101', 'is above 100'],
  [integer(2, 9, ': because'), '1', 'is below 2: because'],
  [usd(9), '0.00', 'leaves no money to work with'],
  [usd(9), '9.01', 'is above 9'],
  [usd(9), '1,5', 'has a comma; write a point before the decimals'],
  [usd(9), '$5', 'has a sign of currency; write the number alone'],
  [usd(9), '1e1', 'is not a plain decimal number'],
  [minutes(1, 9), '0.99', 'is below 1'],
  [oneOf(['a', 'b']), 'c', 'is not one of the choices'],
  [text('a task', 1024), 'a\0', 'contains a NUL character'],
  [text('a task', 1024), 'é'.repeat(513), 'is 1026 bytes long, above the limit of 1024'],
  [list(integer(1, 9), 'numbers'), '1,,2', 'has an empty item between its commas'],
  [list(integer(1, 9), 'numbers'), '1,(2', 'has brackets that do not pair'],
  [secret('a key'), 'Bearer abc', 'begins with "Bearer "'],
  [secret('a key'), 'abc\ndef', 'contains a space or a line break'],
  [secret('a key'), '"abc"', 'contains quotation marks'],
  [secret('a key'), '$KEY', 'is the name of a variable, not its value'],
  [relativePath('a file'), 'a/../b', 'contains `..`'],
  [relativePath('a file'), '/a', 'is an absolute path'],
  [relativePath('a file'), 'C:\\a', 'is a Windows path'],
  [relativePath('a file'), 'a/.git/b', "lies in git's own folder"],
  [glob, '!a', 'begins with `!`; a pattern can add paths, not take any away'],
  [glob, '(a+)+', 'contains a parenthesis; write `?` for a parenthesis in a name'],
  [glob, '{a,{b}}', 'has braces inside braces, or braces that do not pair'],
  [glob, '*a*b*', 'has more than 2 wildcards in one name'],
  [glob, '*a*/*a*/*a*/*', 'has more than 6 wildcards'],
  [glob, '**/a/**/b/**', 'has `**` more than twice'],
  [narrowGlob, '**/*', 'matches every path'],
  [loopBranch, 'Main', 'is no branch for unattended work'],
  [loopBranch, 'é', 'contains something else than letters, digits, `.`, `_`, `-` and `/`'],
  [existingBranch, 'f'.repeat(40), 'is a commit, not a branch'],
  [identity, '. <a@b>', 'has no name'],
])('%o says of %j that it %s', (kind, value, words) => {
  expect(wrong(kind.parse(value))).toBe(words)
})

test('a list refuses with the item at fault', () => {
  expect(list(integer(1, 9), 'numbers').parse('1, 20\n3')).toMatchObject({ part: '20', wrong: 'is above 9' })
})

test('a slip in a choice names what was meant', () => {
  expect(oneOf(['additive', 'free']).parse('additve')).toMatchObject({ near: 'additive' })
  expect(oneOf(['additive', 'free']).parse('x')).toMatchObject({ near: null })
})

test('a refusal of claude-args names the flag, never its value', () => {
  expect(claudeArgs.parse('["--settings={\\"key\\":1}"]')).toMatchObject({ part: '--settings' })
  expect(claudeArgs.parse('["--model=opus"]')).toMatchObject({
    part: '--model',
    fix: 'Use the input `model`.',
  })
})

test('what is shown is one visible line without secrets', () => {
  expect(show('a\nb\u202ec\u0007\u2028', [])).toBe('"a\\nb\\u{202e}c\\u{7}\\u{2028}"')
  expect(show('x'.repeat(61), [])).toBe(`"${'x'.repeat(60)}…"`)
  expect(show(`${'x'.repeat(55)}topsecret`, ['topsecret'])).toBe(`"${'x'.repeat(55)}***"`)
  expect(show('ghp_0123456789 sk-ant-0123456789', [])).toBe('"*** ***"')
})

const values = (input: string) => ({
  good: accepted
    .filter((group) => group.input === input)
    .flatMap((group) => group.values.map(([value]) => value)),
  bad: refused.filter((group) => group.input === input).flatMap((group) => group.values),
})

/** What git itself says of the name of a branch. */
const git = (name: string) =>
  !name.includes('\0') && spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status === 0

test.each(['branch', 'base'])('git takes every name that %s takes', (input) => {
  for (const name of values(input).good) expect(git(name), name).toBe(true)
})

test('git refuses nothing that the rules for branches take', () => {
  const name = fc.string({
    unit: fc.constantFrom(...'aB1._-/@{}~^:?*[\\ #é', '.lock', '..', 'HEAD'),
    minLength: 1,
    maxLength: 9,
  })
  fc.assert(
    fc.property(name, (candidate) => {
      if (existingBranch.parse(candidate).ok) expect(git(candidate)).toBe(true)
      if (loopBranch.parse(candidate).ok) expect(existingBranch.parse(candidate).ok).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('git takes every identity that is taken, as it is', () => {
  for (const value of values('author').good) {
    const parsed = identity.parse(value)
    if (!parsed.ok) throw new Error(value)
    const { name, email } = parsed.value
    const env = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, PATH: process.env.PATH }
    const said = execFileSync('git', ['var', 'GIT_COMMITTER_IDENT'], { env, encoding: 'utf8' })
    expect(said).toContain(`${name} <${email}>`)
  }
})

test.each(['*a*/*a*/*a*c', '**/*a*/**/*a*c', '*{a,b}*a/*[ab]*a/*?*ac', '**/a/**/*a*/*a*c'])(
  'row 48: the pattern %s, at the limit of what is taken, is matched soon on a path made against it',
  (candidate) => {
    expect(glob.parse(candidate)).toMatchObject({ ok: true })
    const names = ['a'.repeat(100), 'ab'.repeat(50), 'a'.repeat(100)]
    const start = performance.now()
    expect(picomatch(candidate)(names.join('/'))).toBe(false)
    expect(performance.now() - start).toBeLessThan(3000)
  },
)

/** Flags of the pinned Claude Code that a user may pass on: none touches isolation, bounds or the stream's shape. */
const harmless = [
  ...[
    '--autocompact',
    '--ax-screen-reader',
    '--betas',
    '--brief',
    '--debug',
    '--debug-file',
    '--disable-slash-commands',
  ],
  ...[
    '--exclude-dynamic-system-prompt-sections',
    '--file',
    '--forward-subagent-text',
    '--include-hook-events',
  ],
  ...[
    '--include-partial-messages',
    '--name',
    '--no-chrome',
    '--no-session-persistence',
    '--prompt-suggestions',
  ],
  ...['--strict-mcp-config', '--verbose'],
]

test('T13: every flag of the pinned Claude Code is refused or known to be harmless', () => {
  const cli = fileURLToPath(
    new URL('../../node_modules/@anthropic-ai/claude-code-linux-x64/claude', import.meta.url),
  )
  const help = execFileSync(cli, ['--help'], { encoding: 'utf8' })
  const flags = help
    .split('\n')
    .flatMap((line) => /^ {2}(-.*?)(?: {2,}|$)/.exec(line)?.[1]?.match(/--[A-Za-z-]+/g) ?? [])
  expect(flags.length).toBeGreaterThan(50)
  const passed = [...new Set(flags)].filter((flag) => claudeArgs.parse(JSON.stringify([flag])).ok)
  expect(passed.toSorted()).toEqual(harmless)
})

test('no parser throws, and every refusal is a phrase', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.json())
  fc.assert(
    fc.property(fc.constantFrom(...allInputs), value, (input, raw) => {
      const parsed = input.kind.parse(raw)
      if (!parsed.ok) expect(parsed.wrong).toMatch(/^[a-z].*[^.]$/)
    }),
    { numRuns: 5000 },
  )
})
