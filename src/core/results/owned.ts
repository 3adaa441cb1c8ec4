/** A summary that a runner printed at the end of a run. */
export type Summary<T> = {
  /** Its first and its last line. */
  line: number
  end: number
  /** How many listed items it counts. */
  needs: number
  /** How many of them must stand before it for it to be believed where another one follows. Usually the same. */
  least?: number
  value: T
}

/** A line that lists one item of a run, or several. */
export type Item = { line: number; weight: number }

/** The mark of the verifier's output where its middle was left out (adapters/output.ts). */
export const isCut = (line: string | undefined): boolean => /^… \d+ bytes left out here/.test(line ?? '')

/** Where runs can begin: `breaks` of all formats, `starts` that the runner prints before each run, if it does. */
export type Borders = { lines: readonly string[]; breaks: readonly number[]; starts?: readonly number[] }

/**
 * Parts summaries of runners from those that a test printed, and gives each the lines it speaks of. A summary owns as
 * many items before it as it counts, up to the break before it; another one among them was printed by a test. Of
 * several after one start only the last is believed. One without any item is not, unless it counts none or the items
 * may be in a part that was left out.
 */
export const owned = <T>(
  summaries: readonly Summary<T>[],
  items: readonly Item[],
  { lines, breaks, starts = [] }: Borders,
): { from: number; to: number; value: T }[] => {
  const before = [0]
  for (const [at, { weight }] of items.entries()) before.push((before[at] ?? 0) + weight)
  const borders = [...new Set([...breaks, ...starts])].sort((a, b) => a - b)
  const alone = new Set(starts)
  const found: { from: number; to: number; value: T }[] = []
  let limit = Number.POSITIVE_INFINITY
  let lastStart = -1
  for (const { line, end, needs, least = needs, value } of [...summaries].reverse()) {
    if (line >= limit) continue
    const start = borders[firstAt(borders.length, (at) => (borders[at] ?? 0) > line) - 1] ?? 0
    const first = firstAt(items.length, (at) => (items[at]?.line ?? 0) >= start)
    const after = firstAt(items.length, (at) => (items[at]?.line ?? 0) >= line)
    const all = before[after] ?? 0
    const there = all - (before[first] ?? 0)
    const isLast = start !== lastStart
    const shown = there > 0 || needs === 0 || alone.has(start) || isCut(lines[start])
    if (isLast ? !shown : there < least) continue
    const nearest = firstAt(after, (at) => all - (before[at + 1] ?? 0) < needs)
    const from =
      alone.has(start) || there < needs ? start : needs === 0 ? line : (items[nearest]?.line ?? start)
    found.push({ from, to: end, value })
    limit = from
    lastStart = start
  }
  return found.reverse()
}

/** The first of `length` positions at which `holds` is true; `holds` must stay true from there on. */
const firstAt = (length: number, holds: (at: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Lines `from` to `to` of what a parser collected in ascending order. */
export const within = <T extends { line: number }>(
  list: readonly T[],
  { from, to }: { from: number; to: number },
): readonly T[] =>
  list.slice(
    firstAt(list.length, (at) => (list[at]?.line ?? 0) >= from),
    firstAt(list.length, (at) => (list[at]?.line ?? 0) > to),
  )

/** The next break after a line, else the number of lines. */
export const nextBreak = (breaks: readonly number[], line: number, end: number): number =>
  breaks[firstAt(breaks.length, (at) => (breaks[at] ?? 0) > line)] ?? end
