/** The version that the action installs, and the oldest it works with: what is known of the CLI was measured on it. */
export const pinnedVersion = '2.1.332'

/** The version in what `claude --version` prints, such as `2.1.332 (Claude Code)`; null when there is none. */
export const readVersion = (printed: string): string | null =>
  /^(\d+\.\d+\.\d+)\b/.exec(printed.trim())?.[1] ?? null

/** Whether `version` is at least `least`, number by number. */
export const isAtLeast = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
