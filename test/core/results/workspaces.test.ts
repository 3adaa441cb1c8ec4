import { expect, test } from 'vitest'
import { parseResults } from '../../../src/core/results.ts'
import { brief, recorded } from './recorded.ts'

test.each([
  ['npm', ['7 passed, 2 failed, 0 skipped by names', 'b checks', 'c checks']],
  ['pnpm', ['7 passed, 2 failed, 0 skipped by names', 'b checks', 'c checks']],
  ['steps', ['7 passed, 2 failed, 0 skipped by names', 'b checks', 'c checks']],
  ['turbo', ['7 passed, 2 failed, 0 skipped by names', 'b checks', 'c checks']],
])('workspaces recorded: %s', (name, told) => {
  expect(brief(parseResults(recorded(`workspaces/${name}.txt`)))).toEqual(told)
})
