import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { problemText } from '../../src/core/scenario/scenario-problems.ts'
import { fieldsIn } from '../../src/core/scenario/scenario-schema.ts'

const page = readFileSync(new URL('../../docs/scripted-model.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block)
const scenarios = blocks.filter((block) => /^version:/m.test(block))

test('the page has its examples, and every other YAML block is YAML', () => {
  expect(scenarios).toHaveLength(7)
  expect(blocks).toHaveLength(8)
  for (const block of blocks) expect(() => parse(block)).not.toThrow()
})

test.for(scenarios.map((scenario, index) => [index + 1, scenario] as const))(
  'example %i of docs/scripted-model.md is a valid scenario',
  ([, scenario]) => {
    const parsed = parseScenario(scenario)
    expect('problems' in parsed ? parsed.problems.map(problemText) : []).toEqual([])
  },
)

test('the page names every field of a scenario', () => {
  const named = new Set([...page.matchAll(/`([\w-]+)`/g)].map(([, field]) => field))
  const fields = ['', 'replies', 'when', 'usage'].flatMap((entry) => fieldsIn[entry] ?? [])
  expect(fields.filter((field) => !named.has(field))).toEqual([])
})
