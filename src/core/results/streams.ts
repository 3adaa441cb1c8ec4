/** What pnpm and turbo put before every line of a package's script, where several run at a time. */
const prefixes = [
  /^([\w@./-]{1,200} (?:test|check|verify|ci)[\w:-]{0,50}:)(?: |$)/,
  /^([\w@./-]{1,200}:(?:test|check|verify|ci)[\w:-]{0,50}:)(?: |$)/,
]
/** GitHub's log of a job has a time before every line. */
const stamp = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z )+/
/** Fewer lines than this with one prefix are no stream. */
const least = 3

/**
 * Parts an output in which several scripts spoke in turn into one list of lines for each, in the order of their first
 * lines. Lines without such a prefix stay together.
 */
export const streams = (lines: readonly string[]): string[][] => {
  const bare = lines.map((line) => line.replace(stamp, ''))
  const parted = bare.map((line) =>
    prefixes.map((prefix) => prefix.exec(line)).find((found) => found !== null),
  )
  const times = new Map<string, number>()
  for (const found of parted) if (found?.[1]) times.set(found[1], (times.get(found[1]) ?? 0) + 1)
  const streams = new Map<string, string[]>([['', []]])
  for (const [at, line] of bare.entries()) {
    const found = parted[at]
    const own = found?.[1] && (times.get(found[1]) ?? 0) >= least ? found[1] : ''
    const stream = streams.get(own) ?? []
    stream.push(own === '' ? line : line.slice(found?.[0].length))
    streams.set(own, stream)
  }
  return [...streams.values()]
}
