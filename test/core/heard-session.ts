import type { ProcessEnd } from '../../src/core/session/process-end.ts'
import { type Surroundings, sessionResult } from '../../src/core/session/session-end.ts'
import { type Fold, heard, nothingHeard } from '../../src/core/session/session-fold.ts'
import { readLine } from '../../src/core/session/stream.ts'
import { canary, hook, init, line } from './transcript.ts'

export const now = Date.UTC(2026, 10, 30)

/** The events as the driver hears them. */
export const fold = (events: readonly unknown[], from: Fold = nothingHeard): Fold =>
  events.reduce<Fold>((state, event) => {
    const reading = readLine(line(event))
    return 'noise' in reading ? state : reading.events.reduce((each, one) => heard(each, one, canary), state)
  }, from)

/** The start of every session. */
export const begun = [hook(), init()]

/** What a fold comes to, with a clean exit unless told otherwise. */
export const told = (state: Fold, ended: Partial<ProcessEnd> = {}, more: Partial<Surroundings> = {}) =>
  sessionResult(state, {
    ended: { how: 'exited', exitCode: 0, signal: null, millis: 1234.6, reason: null, ...ended },
    limits: { turns: 10, usd: 0.5, millis: 60_000 },
    stderr: '',
    noise: { count: 0, last: '' },
    lingered: false,
    now,
    ...more,
  })

/** What a session comes to in which this followed its start. */
export const following = (
  events: readonly unknown[],
  ended: Partial<ProcessEnd> = {},
  more: Partial<Surroundings> = {},
) => told(fold([...begun, ...events]), ended, more)
