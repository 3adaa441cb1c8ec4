/** Fewest single slips (a letter added, dropped or replaced, two neighbours swapped) that turn `a` into `b`. */
export const distance = (a: string, b: string): number => {
  const from = [...a]
  const to = [...b]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, letter] of from.entries()) {
    const next = [row + 1]
    for (const [column, other] of to.entries()) {
      const replaced = at(last, column) + (letter === other ? 0 : 1)
      const best = Math.min(replaced, at(last, column + 1) + 1, at(next, column) + 1)
      const swapped = row > 0 && column > 0 && letter === to[column - 1] && other === from[row - 1]
      next.push(swapped ? Math.min(best, at(before, column - 1) + 1) : best)
    }
    before = last
    last = next
  }
  return at(last, to.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

/**
 * The one of `names` that `name` was probably meant to be, or null when none is near: at most a quarter of the
 * letters may differ, one in short names. Case does not count, and `_` stands for `-`.
 */
export const nearest = <Name extends string>(name: string, names: readonly Name[]): Name | null => {
  const wanted = fold(name)
  // A longer text is no slip of any name, and comparing it would cost its length squared.
  if (wanted.length > 100) return null
  let best: { name: Name; distance: number } | null = null
  for (const candidate of names) {
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 4))
    const found = distance(wanted, fold(candidate))
    if (found <= allowed && found < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance: found }
  }
  return best === null ? null : best.name
}

const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-')
