/** The longest limit known is a weekly one: 7 days, and one for clocks that differ. */
const farthestMillis = 8 * 24 * 3_600_000
/** Seconds since 1970 stay below this until the year 5138, milliseconds were above it in 1973. */
const leastMillis = 1e11

/**
 * When a limit resets, in epoch milliseconds, from the structured field: seconds, or milliseconds where someone
 * mixed them up. A time in the past is now; one that no limit can mean is null, as if it had not been told.
 */
export const resetTime = (value: number | null, now: number): number | null => {
  if (value === null || !Number.isFinite(value) || value <= 0) return null
  const at = value < leastMillis ? value * 1000 : value
  if (at > now + farthestMillis) return null
  return Math.max(Math.round(at), now)
}
