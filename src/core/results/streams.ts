import { isCut } from './owned.ts'

/** What pnpm (`packages/a test: `) and turbo (`a:test: `) put before every line where several scripts run at a time. */
const prefix = /^([\w@./-]{1,200}[ :](?:test|check|verify|ci)[\w:-]{0,50}:)(?: |$)/
/** GitHub's log of a job has a time before every line. */
const stamp = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z )+/
/** Fewer lines than this with one prefix are no stream. */
const least = 3

/**
 * Parts an output in which several scripts spoke in turn into one list of lines for each. Lines without such a prefix
 * stay together; the mark of a part that was left out stands in every list.
 */
export const streams = (lines: readonly string[]): string[][] => {
  const bare = lines.map((line) => (line.includes('Z ') ? line.replace(stamp, '') : line))
  const labels = bare.map((line) => (line.includes(':') ? (prefix.exec(line)?.[1] ?? '') : ''))
  const times = new Map<string, number>()
  for (const label of labels) times.set(label, (times.get(label) ?? 0) + 1)
  const found = new Map<string, string[]>([['', []]])
  let cut: string[] = []
  for (const [at, line] of bare.entries()) {
    if (isCut(line)) {
      for (const stream of found.values()) stream.push(line)
      cut = [line]
      continue
    }
    const label = labels[at] ?? ''
    const own = (times.get(label) ?? 0) >= least ? label : ''
    const stream = found.get(own) ?? [...cut]
    stream.push(own === '' ? line : line.slice(own.length + 1))
    found.set(own, stream)
  }
  return [...found.values()]
}
