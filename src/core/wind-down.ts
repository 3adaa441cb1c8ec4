import type { SessionLimits } from './ledger.ts'
import { count, duration } from './sentences.ts'

/** With fewer turns than this there is nothing to wind down. */
const fewestTurns = 5

/**
 * The note for the agent when a session nears its end: from `percent` of its turns or its time on. Null before.
 * `used.millis` is the time since the session's start.
 */
export const windDownNote = (
  limits: SessionLimits,
  used: { turns: number; millis: number },
  percent: number,
): string | null => {
  if (limits.turns < fewestTurns) return null
  const near = (value: number, bound: number) => value * 100 >= bound * percent
  const turns = near(used.turns, limits.turns) && `${used.turns} of ${count(limits.turns, 'turn')}`
  const time = near(used.millis, limits.millis) && `${duration(used.millis)} of ${duration(limits.millis)}`
  const spent = turns || time
  return spent
    ? `You have used ${spent} of this session. Start nothing new. Finish the change you are at, leave the files in a state that works, and end with your status block.`
    : null
}
