// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub writes its expressions so.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAction } from './action-file.ts'
import { rigFolders } from './composite-fixture.ts'

const read = (steps: string, head = ''): ReturnType<typeof readAction> => {
  const { workspace } = rigFolders()
  writeFileSync(
    join(workspace, 'action.yml'),
    `name: n\n${head}\nruns:\n  using: composite\n  steps:\n${steps}\n`,
  )
  return readAction(workspace)
}

test('scalars of the file become texts; steps without an id get one', () => {
  const { inputs, steps } = read(
    '  - { run: a, shell: bash, env: { N: 1, T: true, E: } }\n  - { run: b, shell: sh }\n  - uses: org/act/sub@v1',
    'inputs: { n: { default: 5 }, e: , f: { default: false } }',
  )
  expect(Object.values(inputs).map((input) => input.default)).toEqual(['5', '', 'false'])
  expect(steps.map(({ id }) => id)).toEqual(['__run', '__run_2', '__org_act_sub'])
  expect(steps[0]?.env).toEqual({ N: '1', T: 'true', E: '' })
})

test.each([
  ['- run: a', 'a step with run needs a shell'],
  ['- { run: a, shell: bash, timeout-minutes: 5 }', 'timeout-minutes'],
  ['- { uses: a/b@v1, shell: bash }', 'shell'],
  ["- { run: '${{ secrets.KEY }}', shell: bash }", "Unrecognized named-value: 'secrets'"],
  ["- { run: '${{ success() }}', shell: bash }", "Unrecognized function: 'success'"],
  ['- { run: a, if: vars.X, shell: bash }', "Unrecognized named-value: 'vars'"],
  ["- { uses: a/b@v1, with: { k: '${{ env.A' } }", 'The expression is not closed'],
])('%j is refused: %s', (step, message) => {
  expect(() => read(`  ${step}`)).toThrow(message)
})

test('a default may not use inputs, an output no function of a step', () => {
  const step = '  - { run: a, shell: bash }'
  expect(() => read(step, "inputs: { a: { default: '${{ inputs.b }}' } }")).toThrow(
    "Unrecognized named-value: 'inputs'",
  )
  expect(() => read(step, "outputs: { a: { value: '${{ always() }}' } }")).toThrow(
    "Unrecognized function: 'always'",
  )
})

test('an action that is no composite, or is not there, is refused', () => {
  const { workspace } = rigFolders()
  expect(() => readAction(workspace)).toThrow("Can't find 'action.yml'")
  writeFileSync(join(workspace, 'action.yml'), 'name: n\nruns: { using: node24, main: index.js }')
  expect(() => readAction(workspace)).toThrow('composite')
})
