import type { Denial } from '../session.ts'

const longest = 200

/** One line, without control characters, at most `length` characters; a cut one ends in an ellipsis. */
export const oneLine = (text: string, length = longest): string => {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : line
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The part of a tool's input that says what the call was: the command, the file, the pattern, else the whole. */
const telling = (input: unknown): string => {
  if (!isObject(input)) return typeof input === 'string' ? input : ''
  for (const key of ['command', 'file_path', 'path', 'pattern', 'url']) {
    const value = input[key]
    if (typeof value === 'string') return value
  }
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input)
}

/** What a person needs to know of a denied call. */
export const denialOf = (tool: string, input: unknown): Denial => ({
  tool: oneLine(tool, 80),
  input: oneLine(telling(input)),
})
