// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub writes its expressions so.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rigFolders } from './composite-fixture.ts'
import {
  evaluateCondition,
  evaluateTemplate,
  hashFilesFunction,
  type Statuses,
  statusFunctions,
} from './expressions.ts'
import { hashFiles } from './hash-files.ts'

const site = (
  statuses: Statuses = { scope: 'success', job: 'success' },
): Parameters<typeof evaluateTemplate>[1] => ({
  contexts: { inputs: { a: 'x', list: ['p', 'q'], yes: 'true', empty: '' }, steps: {}, env: {} },
  functions: [...statusFunctions(statuses), hashFilesFunction((patterns) => patterns.join('+'))],
})

test.each([
  ['plain $TEXT {0}', 'plain $TEXT {0}'],
  ['${{ inputs.a }}', 'x'],
  ['<${{inputs.a}}|${{ inputs.none }}>', '<x|>'],
  ["it's '${{ inputs.a }}' and '' {1} }}", "it's 'x' and '' {1} }}"],
  ["${{ '}}' }}", '}}'],
  ["${{ 'it''s ''quoted''' }}", "it's 'quoted'"],
  ["${{ format('{0}-{1}', inputs.a, 2) }}", 'x-2'],
  ["${{ contains(inputs.list, 'q') && startsWith(inputs.A, 'x') && endsWith('ab', 'b') }}", 'true'],
  ["${{ join(inputs.list, '+') }} ${{ fromJSON('[3,4]')[1] }}", 'p+q 4'],
  ['${{ toJSON(inputs.list) }}', '[\n  "p",\n  "q"\n]'],
  ["${{ hashFiles('a', 'b') }}", 'a+b'],
  ["${{ steps.one.outputs.two || 'none' }}", 'none'],
])('%j evaluates to %j', (template, expected) => {
  expect(evaluateTemplate(template, site())).toBe(expected)
})

test.each([
  ['${{ inputs.a', 'The expression is not closed'],
  ['${{ }}', 'An expression was expected'],
  ['${{ secrets.KEY }}', "Unrecognized named-value: 'secrets'"],
  ['${{ nothing() }}', "Unrecognized function: 'nothing'"],
  [`\${{ inputs.a }}${'x'.repeat(21_000)}`, 'Exceeded max expression length 21000'],
])('%j is refused: %s', (template, message) => {
  expect(() => evaluateTemplate(template, site())).toThrow(message)
})

const statuses = {
  success: { scope: 'success', job: 'success' },
  failure: { scope: 'failure', job: 'success' },
  cancelled: { scope: 'cancelled', job: 'cancelled' },
} as const

test.each([
  [undefined, 'success'],
  ['', 'success'],
  ["inputs.a == 'x'", 'success'],
  ["${{ inputs.a == 'y' }}", ''],
  ['inputs.empty', ''],
  ['inputs.yes', 'success'],
  // Text around an expression makes it a text, and a text that is not empty is true.
  ["${{ inputs.a }} == 'y'", 'success'],
  ['always()', 'success failure cancelled'],
  ['ALWAYS ( )', 'success failure cancelled'],
  ['failure()', 'failure'],
  ['cancelled()', 'cancelled'],
  ['!cancelled()', 'success failure'],
  ['success() || failure()', 'success failure'],
  ["always() && inputs.a == 'y'", ''],
  // A name in a text is no status function.
  ["inputs.a != 'always()'", 'success'],
])('if: %j holds on: %s', (condition, expected) => {
  const holds = Object.entries(statuses).filter(([, status]) => evaluateCondition(condition, site(status)))
  expect(holds.map(([name]) => name).join(' ')).toBe(expected)
})

test('success() and failure() ask the composite, cancelled() asks the job', () => {
  const both = site({ scope: 'failure', job: 'cancelled' })
  expect(['success()', 'failure()', 'cancelled()'].map((text) => evaluateCondition(text, both))).toEqual([
    false,
    true,
    true,
  ])
})

test('hashFiles takes files by pattern, leaves out negated ones, and is empty without any', () => {
  const { workspace } = rigFolders()
  mkdirSync(join(workspace, 'sub'))
  writeFileSync(join(workspace, 'a.lock'), 'A')
  writeFileSync(join(workspace, 'sub/b.lock'), 'B')
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const both = createHash('sha256').update(digest('A')).update(digest('B')).digest('hex')
  expect(hashFiles(workspace, ['**/*.lock'])).toBe(both)
  expect(hashFiles(workspace, ['**/*.lock', '!sub/**'])).toBe(
    createHash('sha256').update(digest('A')).digest('hex'),
  )
  expect(hashFiles(workspace, ['*.none'])).toBe('')
})
