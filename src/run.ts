import type { Decision, Event } from './core/event.ts'
import { decide } from './core/loop.ts'
import { evolve, type State } from './core/state.ts'
import type { Stop, StopReason } from './core/stop.ts'

/** An event without its time: what a performed decision brought about. */
export type Happened = Event extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never

/** A failure that has a stop reason of its own. Everything else that is thrown ends a run as `SETUP_FAILED`. */
export class Failure extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason, text: string, options?: ErrorOptions) {
    super(text, options)
    this.reason = reason
  }
}

export type Ports = {
  /** Does what was decided and says what happened; null when a cancel cut it off before it counted. */
  perform: (decision: Exclude<Decision, { do: 'stop' }>, state: State) => Promise<Happened | null>
  /** Makes the event durable. It returns before the event is acted on. */
  append: (event: Event) => void
  /** Epoch milliseconds. */
  now: () => number
  /** Aborted when the run is cancelled; its reason is the signal's name. */
  signal: AbortSignal
}

/**
 * The loop: decide, perform, journal, until a stop. `state` is the fold of what the journal holds already.
 */
export const run = async (ports: Ports, start: State): Promise<State> => {
  let state = start
  const happened = (what: Happened) => {
    const event = { ...what, at: ports.now() } as Event
    ports.append(event)
    state = evolve(state, event)
  }
  for (;;) {
    if (ports.signal.aborted && state.cancelled === null) {
      happened({ type: 'cancelled', signal: String(ports.signal.reason) })
    }
    const decision = decide(state)
    if (decision.do === 'stop') {
      if (state.stop === null) happened({ type: 'stopped', stop: decision.stop satisfies Stop })
      return state
    }
    try {
      const what = await ports.perform(decision, state)
      if (what !== null) happened(what)
    } catch (error) {
      // What a cancel cuts off fails; the cancel is the reason then, and it is told at the next turn of the loop.
      if (!ports.signal.aborted) happened({ type: 'failed', ...failureOf(error) })
    }
  }
}

const failureOf = (error: unknown): { reason: StopReason; text: string } =>
  error instanceof Failure
    ? { reason: error.reason, text: error.message }
    : {
        reason: 'SETUP_FAILED',
        text: `Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      }
