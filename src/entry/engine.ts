import type { Claude } from '../adapters/install.ts'
import type { Log } from '../adapters/log.ts'
import type { Config } from '../core/inputs/config.ts'
import { fold } from '../core/journal.ts'
import { narrate } from '../core/narrative.ts'
import type { State } from '../core/state.ts'
import { type Ports, run } from '../run.ts'
import type { Context } from './context.ts'
import { openTools } from './open.ts'
import { performer } from './perform.ts'
import { journalOf, type Place } from './place.ts'

export type RunRequest = {
  context: Context
  config: Config
  place: Place
  claude: Claude
  log: Log
  signal: AbortSignal
}

/** Runs the loop to its stop; every event is in the journal before it is acted on. */
export const runLoop = async (request: RunRequest): Promise<State> => {
  const { place, log, signal } = request
  const journal = journalOf(place)
  let perform: ReturnType<typeof performer> | null = null
  const ports: Ports = {
    perform: async (decision, state) => {
      if (decision.do !== 'open') return perform?.(decision, state) ?? null
      const tools = await openTools(request)
      perform = performer(tools)
      return { type: 'run-started', run: tools.run }
    },
    append: (event) => {
      journal.append(event)
      for (const line of narrate(event)) log.line(line)
    },
    now: Date.now,
    signal,
  }
  try {
    return await run(ports, fold(journal.events))
  } finally {
    log.end()
    journal.close()
  }
}
