import { expect, it } from 'vitest'
import { denialOf, oneLine } from '../../src/core/session/denial.ts'

it.each([
  [{ command: 'rm -rf x', description: 'y' }, 'rm -rf x'],
  [{ file_path: '/a/b', content: 'long' }, '/a/b'],
  [{ pattern: '*.ts' }, '*.ts'],
  [{ other: 1 }, '{"other":1}'],
  [{}, ''],
  [null, ''],
  [7, ''],
  ['text', 'text'],
  [{ command: 'a\n\tb\u001b[31mc\u0000' }, 'a b [31mc'],
])('%j is told as %j', (input, told) => {
  expect(denialOf('Bash', input)).toEqual({ tool: 'Bash', input: told })
})

it('at most 200 characters, cut between characters', () => {
  const told = oneLine('😀'.repeat(5000))
  expect([...told].length).toBe(200)
  expect(told.endsWith('😀…')).toBe(true)
})
