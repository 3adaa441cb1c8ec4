import { errorLines } from './first-error.ts'
import { failing, type TestResults } from './results.ts'

/** Longest signature, in characters. */
const cap = 400

/**
 * A failure reduced to what stays the same when it is the same failure: the failing tests and what their errors say,
 * in an order of its own, without times, paths, addresses, numbers and places in files. Two failures are the same when
 * their signatures are equal. At most 400 characters, never empty; a longer one ends with a digest of the whole.
 */
export const signature = (results: TestResults | null, plainOutput: string): string => {
  const lines = plainOutput.split('\n')
  const names = results === null ? [] : failing(results)
  const messages = errorLines(lines, names).map((line) => message(lines, line))
  const told = messages.length > 0 ? messages : [lastLines(lines)]
  const unnamed = results !== null && names.length === 0 ? [`${results.counts.failed} failed`] : []
  const parts = [...sorted(names.map(lasting)), ...unnamed, ...sorted(told)]
  return short(parts.filter((part) => part !== '').join('\n')) || 'no output'
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()

const stack = /^\s*(?:at |❯|File ")/
const difference = /^\s*(?:[-+](?![-+]) ?\S|expected\b|received\b|actual\b|left:|right:|got\b|want\b)/i

/** An error's own line, the next one where it ends with a colon, and what was compared, up to where the stack begins. */
const message = (lines: readonly string[], line: number): string => {
  const first = lines[line] ?? ''
  const below = lines.slice(line + 1, line + 13)
  const end = below.findIndex((text) => stack.test(text))
  const told = (end < 0 ? below : below.slice(0, end)).filter(
    (text, at) => difference.test(text) || (at === 0 && first.endsWith(':')),
  )
  return [first, ...told].map(withoutNumbers).join(' ')
}

const lastLines = (lines: readonly string[]): string =>
  lines
    .filter((line) => line.trim() !== '')
    .slice(-3)
    .map(withoutNumbers)
    .join(' ')

/** Replacements in this order; none looks at more than a bounded stretch around each place. */
const passing: [RegExp, string | ((found: string) => string)][] = [
  [
    /\b\d{4}-\d\d-\d\d(?:[T _]\d\d[:_-]\d\d(?:[:_-]\d\d)?(?:[.,_]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?)?/g,
    '<time>',
  ],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>'],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, '<id>'],
  [/\b0x[\da-f]{1,32}\b/gi, '<address>'],
  [/(?<![\w.@~-])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]{1,255}){2,40}/g, (path) => pathOf(path)],
  [/\btmp[-_.][\w.-]{1,100}/gi, '<path>'],
  [/\b(?=[a-f]{0,64}\d)[\da-f]{7,64}\b/gi, (id) => (/[a-f]/i.test(id) ? '<id>' : id)],
]

/** Of a path the last part stays, unless it is a temporary one: those have a name of their own each time. */
const pathOf = (path: string): string =>
  /[\\/](?:te?mp|_temp|var[\\/]folders|private[\\/]var)[\\/]/i.test(path)
    ? '<path>'
    : path.replace(/^.*[\\/]/, '')

const lasting = (text: string): string => {
  let rest = text.slice(0, 1000)
  for (const [pattern, by] of passing)
    rest = typeof by === 'string' ? rest.replace(pattern, by) : rest.replace(pattern, by)
  return rest.replace(/\s+/g, ' ').trim()
}

const duration =
  /(?<![\w.])\d{1,15}(?:\.\d{1,9})? ?(?:ms|µs|us|ns|s|secs?|seconds?|m|min|minutes?|h|hours?)\b/g
const number = /(?<![\w.])-?\d{1,30}(?:[.,:]\d{1,30}){0,8}(?!\w)/g

const withoutNumbers = (text: string): string =>
  lasting(text).replace(duration, '<duration>').replace(number, 'N')

const short = (text: string): string => {
  if (text.length <= cap) return text
  const digest = digestOf(text)
  return `${Array.from(text.slice(0, cap - digest.length - 3))
    .slice(0, -1)
    .join('')}… ${digest}`
}

/** 53 bits, not for security: cyrb53 by bryc (public domain). */
const digestOf = (text: string): string => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0')
}
