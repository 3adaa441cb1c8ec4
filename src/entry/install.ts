import { join } from 'node:path'
import { type Claude, checkClaude, installClaude } from '../adapters/install.ts'
import { createLog, type Log } from '../adapters/log.ts'
import { mask, setOutputs } from '../adapters/runner.ts'
import { type Config, parseConfig } from '../core/inputs/config.ts'
import { pinnedVersion } from '../core/session/claude-version.ts'
import { Failure } from '../run.ts'
import type { Context } from './context.ts'
import { journalOf, makePlace, type Place } from './place.ts'

/** The inputs, checked.
 *
 * @throws Failure SETUP_FAILED with every problem at once.
 */
export const readConfig = (inputs: Readonly<Record<string, string>>): Config => {
  const parsed = parseConfig(inputs)
  if (parsed.ok) return parsed.config
  throw new Failure('SETUP_FAILED', parsed.problems.map((problem) => problem.message).join('\n'))
}

/** The CLI that a run uses: the given one, or the pinned one, installed into `folder`. */
export const readyClaude = async (request: {
  context: Context
  config: Pick<Config, 'agent'>
  folder: string
  place: Place
  log: Log
}): Promise<Claude> => {
  const { context, config, folder, place, log } = request
  const environment = { ...context.environment }
  try {
    const path =
      config.agent.path ??
      (await installClaude({
        from: join(context.home, 'cli'),
        into: join(folder, `claude-code-${pinnedVersion}`),
        environment,
        onProgress: (text) => log.line({ kind: 'line', text }),
      }))
    return await checkClaude(path, environment, join(place.work, 'claude'), place.mark)
  } catch (error) {
    throw new Failure('SETUP_FAILED', error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}

/** @throws Failure SETUP_FAILED on a platform that is not supported, with advice. */
export const checkPlatform = (): void => {
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw new Failure(
      'SETUP_FAILED',
      `This runner is ${process.platform}. Use Linux, for example \`runs-on: ubuntu-latest\`, or macOS.`,
    )
  }
}

/** The action's first step: everything that can be known to be wrong is told here, before anything is spent. */
export const install = async (context: Context): Promise<number> => {
  const log = createLog((text) => process.stdout.write(text), context.onActions)
  const place = makePlace(context.temp)
  restoreFiles(context)
  setOutputs({ place: place.root })
  const journal = journalOf(place)
  try {
    checkPlatform()
    const inputs = context.inputs ?? {}
    for (const name of ['anthropic-api-key', 'claude-code-oauth-token', 'github-token']) {
      const secret = inputs[name]?.trim() ?? ''
      if (secret !== '') mask(secret)
    }
    const config = readConfig(inputs)
    log.line({ kind: 'phase', text: 'Claude Code' })
    const claude = await readyClaude({ context, config, folder: context.temp, place, log })
    for (const text of claude.warnings) log.line({ kind: 'warning', text })
    log.line({ kind: 'line', text: `Claude Code ${claude.version} at ${claude.path}` })
    setOutputs({ claude: JSON.stringify(claude) })
    return 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    journal.append({ at: Date.now(), type: 'failed', reason: error.reason, text: error.message })
    for (const line of error.message.split('\n')) log.line({ kind: 'line', text: line })
    return 1
  } finally {
    log.end()
    journal.close()
  }
}

/** The runner's own files, for @actions/core, which looks for them in the process's environment. */
export const restoreFiles = (context: Context): void => {
  for (const name of ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_STATE']) {
    const value = context.environment[name]
    if (value !== undefined) process.env[name] = value
  }
}
