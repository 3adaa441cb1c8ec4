/** How a process ended: one shape, one reason. */
export type ProcessEnd = {
  /** `exited`: by itself, or by a signal of others. `killed`, `timed out`: ended by us, whatever it then answered. */
  how: 'exited' | 'killed' | 'timed out' | 'not started'
  exitCode: number | null
  /** Name of the signal that ended it. */
  signal: string | null
  /** Wall time from start to exit, in milliseconds. */
  millis: number
  /** Why we ended it or could not start it, one sentence; null when it ended by itself. */
  reason: string | null
}
