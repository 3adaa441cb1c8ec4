/** The longest time that a timer of Node holds, in milliseconds. */
const longest = 2 ** 31 - 1

export type Alarm = {
  /** Starts, or starts anew. */
  set: () => void
  /** Ends it without ringing; it can be set again. */
  off: () => void
}

/** Rings once when `millis` have passed since it was last set. */
export const alarm = (millis: number, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  return {
    set: () => {
      if (timer === undefined) timer = setTimeout(ring, Math.min(millis, longest))
      else timer.refresh()
    },
    off: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
