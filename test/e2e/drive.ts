import { createLog } from '../../src/adapters/log.ts'
import { type Config, parseConfig } from '../../src/core/inputs/config.ts'
import { report } from '../../src/core/report.ts'
import type { State } from '../../src/core/state.ts'
import { runLoop } from '../../src/entry/engine.ts'
import { makePlace } from '../../src/entry/place.ts'
import { claudePath, dummyKey, root, type Stage } from './kit.ts'

export type Driven = { state: State; log: string; summary: string; millis: number }

/** The loop step alone, on a stage: for bounds of seconds, which no input accepts. */
export const drive = async (
  on: Stage,
  given: Record<string, string>,
  bounds: Partial<Config['bounds']>,
): Promise<Driven> => {
  const parsed = parseConfig({
    task: 'Make the tests pass',
    'anthropic-api-key': dummyKey,
    'anthropic-base-url': on.model.url,
    'claude-path': claudePath,
    ...given,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { config } = parsed
  let log = ''
  const began = performance.now()
  const state = await runLoop({
    context: {
      environment: { PATH: process.env.PATH ?? '', HOME: on.temp },
      onActions: true,
      workspace: on.workspace,
      temp: on.runnerTemp,
      repository: 'octo/demo',
      url: '',
      runUrl: '',
      runName: 'drive',
      home: root,
      inputs: null,
      place: '',
      claude: '',
      jobStatus: 'success',
    },
    config: { ...config, bounds: { ...config.bounds, ...bounds } },
    place: makePlace(on.runnerTemp),
    claude: { path: config.agent.path ?? claudePath, version: '2.1.332', warnings: [] },
    log: createLog((text) => {
      log += text
    }, true),
    signal: new AbortController().signal,
  })
  if (state.stop === null) throw new Error('the loop ended without a stop')
  return { state, log, summary: report(state, state.stop, 'record'), millis: performance.now() - began }
}
