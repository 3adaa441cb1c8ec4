import { errorLines } from './first-error.ts'
import { failing, type TestResults } from './results.ts'

/** Most failing tests that are listed, and most characters of a line. */
const namesCap = 30
const lineCap = 400
/** Room for the mark of a gap, in bytes. */
const markBytes = 48

/**
 * The informative part of a failed verification, for the next prompt: what failed by name, then the output, cut to its
 * first error with what stands around it, the errors of further failing tests, and the last lines. A mark stands where
 * lines are left out. At most `maxBytes` bytes of UTF-8, cut on whole characters. Not fenced.
 */
export const feedback = (results: TestResults | null, plainOutput: string, maxBytes = 8192): string => {
  const names = results === null ? [] : failing(results)
  const lines = shown(plainOutput)
  const head = [...(results?.problems ?? []), ...list(names, maxBytes * 0.4)].map(clipped)
  const intro = head.length > 0 ? [...head, ''] : []
  const room = maxBytes - bytes(intro.join('\n')) - 1
  const kept = chosen(lines, errorLines(lines, names), room)
  return cut([...intro, ...marked(lines, kept)].join('\n').trimEnd(), maxBytes)
}

const list = (names: readonly string[], room: number): string[] => {
  if (names.length === 0) return []
  const listed: string[] = []
  let used = 0
  for (const name of names.slice(0, namesCap)) {
    used += bytes(clipped(name)) + 3
    if (used > room && listed.length > 0) break
    listed.push(`- ${clipped(name)}`)
  }
  const more = names.length - listed.length
  return [`Failing (${names.length}):`, ...listed, ...(more > 0 ? [`… and ${more} more`] : [])]
}

/** Lines of the output, long ones cut, of several empty ones only one. */
const shown = (output: string): string[] => {
  const lines: string[] = []
  for (const line of output.trimEnd().split('\n')) {
    const text = clipped(line.trimEnd())
    if (text !== '' || lines.at(-1) !== '') lines.push(text)
  }
  return lines
}

/** Line numbers in the order of their worth, as many as there is room for. */
const chosen = (lines: readonly string[], errors: readonly number[], room: number): ReadonlySet<number> => {
  const kept = new Set<number>()
  let used = markBytes
  const take = (order: Iterable<number>, share: number) => {
    for (const line of order) {
      if (kept.has(line) || line < 0 || line >= lines.length) continue
      const joined = kept.has(line - 1) || kept.has(line + 1)
      const cost = bytes(lines[line] ?? '') + 1 + (joined ? 0 : markBytes)
      if (used + cost > room * share) return
      kept.add(line)
      used += cost
    }
  }
  const end = lines.length - 1
  const [first, ...others] = errors
  if (lines.length * 2 < room) take(range(0, end), 1)
  if (kept.size === lines.length) return kept
  kept.clear()
  used = markBytes
  if (first !== undefined) {
    take(range(first, first + 15), 0.4)
    take(range(first - 1, first - 8), 0.5)
  }
  take(range(end, end - 20), first === undefined ? 0.8 : 0.75)
  for (const error of others) take([...range(error, error + 5), error - 1, error - 2], 0.95)
  if (first === undefined) take(range(0, end), 1)
  else take(range(first + 16, end), 0.97)
  take(range(end, 0), 1)
  return kept
}

function* range(from: number, to: number): Iterable<number> {
  const step = from <= to ? 1 : -1
  for (let at = from; at !== to + step; at += step) yield at
}

const marked = (lines: readonly string[], kept: ReadonlySet<number>): string[] => {
  const out: string[] = []
  let left = 0
  const close = () => {
    if (left > 0) out.push(`[… ${left} ${left === 1 ? 'line' : 'lines'} left out …]`)
    left = 0
  }
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) {
      left++
      continue
    }
    close()
    out.push(line)
  }
  close()
  return out
}

const clipped = (line: string): string =>
  line.length <= lineCap ? line : `${Array.from(line.slice(0, lineCap)).slice(0, -1).join('')}…`

const encoder = new TextEncoder()
const bytes = (text: string): number => encoder.encode(text).length

const cut = (text: string, maxBytes: number): string => {
  const whole = encoder.encode(text)
  if (whole.length <= maxBytes) return text
  return new TextDecoder().decode(whole.subarray(0, maxBytes)).replace(/\ufffd+$/, '')
}
