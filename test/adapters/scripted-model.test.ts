import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  type RecordedRequest,
  type ScriptedModel,
  startScriptedModel,
} from '../../src/adapters/scripted-model.ts'
import { parseScenario } from '../../src/core/parse-scenario.ts'
import { problemText } from '../../src/core/scenario-problems.ts'
import { runCli } from './run-cli.ts'

let model: ScriptedModel | undefined
afterEach(async () => {
  await model?.close()
  model = undefined
})

const play = async (text: string): Promise<ScriptedModel> => {
  const parsed = parseScenario(text)
  if ('problems' in parsed) throw new Error(parsed.problems.map(problemText).join('\n'))
  model = await startScriptedModel({ scenario: parsed.scenario })
  return model
}

const fixture = (name: string): Promise<string> =>
  readFile(new URL(`../fixtures/scenarios/${name}`, import.meta.url), 'utf8')

const by = (requests: readonly RecordedRequest[]): string[] => requests.map((request) => request.by)

test('the CLI writes a file, runs a command, and uses two tools in one reply', async () => {
  const { url, requests } = await play(await fixture('fix-add.yml'))
  const run = await runCli(url)
  expect(run.result).toMatchObject({ subtype: 'success', is_error: false })
  expect(run.result?.result).toBe('Done in session 1, reply 3.')
  expect(await readFile(join(run.cwd, 'src/add.js'), 'utf8')).toBe('export const add = (a, b) => a + b\n')
  expect(await readFile(join(run.cwd, 'one.txt'), 'utf8')).toBe('one\n')
  expect(by(requests)).toEqual(['session 1, reply 1', 'session 1, reply 2', 'session 1, reply 3'])
})
