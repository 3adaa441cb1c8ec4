import { homedir } from 'node:os'
import { join } from 'node:path'
import { deliver } from '../adapters/checkout-branch.ts'
import { createGit } from '../adapters/git.ts'
import { createLog, type Log } from '../adapters/log.ts'
import { saveBundle } from '../adapters/remote.ts'
import { openStore } from '../adapters/store.ts'
import type { State } from '../core/state.ts'
import { Failure } from '../run.ts'
import type { Context } from './context.ts'
import { runLoop } from './engine.ts'
import { checkPlatform, readConfig, readyClaude } from './install.ts'
import { loopFolder } from './open.ts'
import { makePlace, type Place } from './place.ts'
import { publish, recordName } from './publish.ts'
import { cancelSignal } from './signals.ts'

/** Where the installed CLI is kept between local runs. */
export const cacheFolder = (context: Context): string =>
  join(
    context.environment.XDG_CACHE_HOME || join(context.environment.HOME || homedir(), '.cache'),
    'ralph-action',
  )

/** `--max-iterations 3`, `--max-iterations=3` and, for booleans, `--dry-run`: the names are those of the inputs. */
export const flagsToInputs = (args: readonly string[]): Record<string, string> => {
  const inputs: Record<string, string> = {}
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('--'))
      throw new Failure(
        'SETUP_FAILED',
        `"${arg}" stands without a flag. Write each input as \`--name value\`.`,
      )
    const equals = arg.indexOf('=')
    const next = args[at + 1]
    if (equals > 0) inputs[arg.slice(2, equals)] = arg.slice(equals + 1)
    else if (next === undefined || next.startsWith('--')) inputs[arg.slice(2)] = 'true'
    else {
      inputs[arg.slice(2)] = next
      at += 1
    }
  }
  return inputs
}

/** `ralph run`: the same loop in the checkout you stand in. */
export const local = async (context: Context, args: readonly string[]): Promise<number> => {
  const key = context.environment.ANTHROPIC_API_KEY
  try {
    checkPlatform()
    const given = flagsToInputs(args)
    const credential =
      key !== undefined && given['claude-code-oauth-token'] === undefined ? { 'anthropic-api-key': key } : {}
    return await runHere(context, { ...credential, ...given })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

/** Runs the loop in the context's workspace and prints log and summary. */
export const runHere = async (
  context: Context,
  inputs: Readonly<Record<string, string>>,
): Promise<number> => {
  const signal = cancelSignal()
  const config = readConfig(inputs)
  const place = makePlace(context.temp)
  const log = createLog((text) => process.stdout.write(text), context.onActions)
  log.line({ kind: 'phase', text: 'Claude Code' })
  const claude = await readyClaude({ context, config, folder: cacheFolder(context), place, log })
  log.line({ kind: 'line', text: `Claude Code ${claude.version} at ${claude.path}` })
  const state = await runLoop({ context, config, place, claude, log, signal })
  if (state.stop === null) throw new Error('unreachable: the loop ends with a stop')
  await handOver(context, place, log, state)
  const published = publish(state, state.stop, place, recordName(context))
  log.line({ kind: 'phase', text: 'Summary, as it would stand on GitHub' })
  log.block(published.markdown)
  log.line({ kind: 'line', text: `The record lies in ${place.record}` })
  return state.cancelled !== null ? 130 : published.failed ? 1 : 0
}

/** Puts the work on its branch in the repository one stands in, whether or not it was pushed as well. */
const handOver = async (context: Context, place: Place, log: Log, { run, head }: State): Promise<void> => {
  if (run === null || head === run.baseSha) return
  const git = createGit(context.environment)
  const dir = join(place.work, 'store.git')
  const store = await openStore({ git, dir, workspace: context.workspace, exclude: [loopFolder], lfs: null })
  log.line({ kind: 'phase', text: 'Branch' })
  const refused = await deliver(git, store, run.branch, head)
  if (refused === null) {
    const text = `The work is on the branch ${run.branch} of this repository. Look at it by \`git diff ${run.base} ${run.branch}\`; the branch you stand on has not moved.`
    log.line({ kind: 'line', text })
    return
  }
  await saveBundle(store, join(place.record, 'work.bundle'), run.baseSha, head)
  const text = `The work could not be put on the branch ${run.branch} of this repository: ${refused}`
  log.line({ kind: 'warning', text: `${text} Its commits are in ${join(place.record, 'work.bundle')}.` })
}
