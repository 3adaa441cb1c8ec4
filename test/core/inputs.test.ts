import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { withDefault } from '../../src/core/inputs/input.ts'
import { integer } from '../../src/core/inputs/input-kinds.ts'
import { allInputs, inputs } from '../../src/core/inputs/inputs.ts'

const each = allInputs.map((input) => [input.name, input] as const)

test('names are unique, in lower case with hyphens', () => {
  const names = allInputs.map((input) => input.name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
})

test('ten inputs are shown first', () => {
  expect(allInputs.filter((input) => input.main).map((input) => input.name)).toHaveLength(10)
})

test.each(each)(
  '%s is described in whole sentences without markup that a table would break',
  (_name, input) => {
    expect(input.description).toMatch(/^[A-Z].*\.$/)
    expect(`${input.description}${input.kind.accepts}${input.default}`).not.toMatch(/[|\n]/)
    expect(input.kind.accepts).not.toMatch(/\.$/)
  },
)

test.each(each)('the example of %s, written into a workflow file, is accepted', (name, input) => {
  const written: unknown = parse(`${name}: ${input.example}`)[name]
  if (input.secret) expect(written).toMatch(/^\$\{\{ .* \}\}$/)
  else expect(input.kind.parse(String(written))).toMatchObject({ ok: true })
})

test('only secrets are given by expressions, and only the GitHub token has a default of the runner', () => {
  const secrets = allInputs.filter((input) => input.secret).map((input) => input.name)
  expect(secrets).toEqual(['anthropic-api-key', 'claude-code-oauth-token', 'github-token'])
  expect(allInputs.filter((input) => input.actionDefault !== undefined)).toEqual([inputs.githubToken])
})

test('the bounds have the defaults of the design', () => {
  const unset = (['maxIterations', 'maxTurns', 'budgetUsd', 'windDownAt'] as const).map(
    (key) => inputs[key].unset,
  )
  expect(unset).toEqual([10, 40, 5, 80])
  const spans = (['budgetMinutes', 'idleMinutes', 'verifyTimeout'] as const).map((key) => inputs[key].unset)
  expect(spans).toEqual([3_600_000, 720_000, 1_800_000])
})

test('a default that its own kind refuses is a mistake in the declaration', () => {
  const facts = { description: 'X.', example: '1', default: '0' }
  expect(() => withDefault('max-x', integer(1, 9), facts)).toThrow('The default of max-x is below 1.')
})
