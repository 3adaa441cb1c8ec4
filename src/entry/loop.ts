import type { Claude } from '../adapters/install.ts'
import { createLog } from '../adapters/log.ts'
import type { Context } from './context.ts'
import { runLoop } from './engine.ts'
import { readConfig, restoreFiles } from './install.ts'
import { findPlace } from './place.ts'
import { cancelSignal } from './signals.ts'

/** The action's second step. How the run ended is told by the next one; only a cancel shows in this exit code. */
export const loop = async (context: Context): Promise<number> => {
  const signal = cancelSignal()
  restoreFiles(context)
  const place = findPlace(context.place)
  if (place === null) throw new Error('The install step left no place to work in.')
  const log = createLog((text) => process.stdout.write(text), context.onActions)
  const config = readConfig(context.inputs ?? {})
  const claude = JSON.parse(context.claude) as Claude
  const state = await runLoop({ context, config, place, claude, log, signal })
  return state.cancelled === null ? 0 : 130
}
