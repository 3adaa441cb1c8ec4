import { parseArgs } from 'node:util'
import { serveScenario } from '../adapters/scripted-model.ts'
import type { Context } from './context.ts'

const usage = 'Usage: ralph model --scenario FILE [--port N] [--log FILE]\n'

/** Serves a scenario until it is interrupted. */
export const model = async (_context: Context, args: readonly string[]): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: { scenario: { type: 'string' }, port: { type: 'string' }, log: { type: 'string' } },
    strict: true,
  })
  const port = values.port === undefined ? 0 : Number(values.port)
  if (values.scenario === undefined || !Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write(usage)
    return 2
  }
  const served = await serveScenario(values.scenario, port, values.log)
  if ('problems' in served) {
    process.stderr.write(`${served.problems.join('\n')}\n`)
    return 2
  }
  process.stdout.write(`ANTHROPIC_BASE_URL=${served.url}\n`)
  await new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await served.close()
  return 0
}
