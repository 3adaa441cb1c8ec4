import { plain } from './plain.ts'

/**
 * What leaves us: every text of the agent, the verifier or a person goes through one of these functions before it
 * stands in Markdown, in the log or in an annotation. Each leaves its own result unchanged.
 */

/** Zero-width space: it keeps a mention, a reference or a command from being one, and shows nothing. */
const inert = '\u200b'

/** One line of text for Markdown: no markup, no HTML, no mention, no reference, no closing keyword. At most 500 characters. */
export const inline = (text: string): string =>
  shorten(oneLine(text), 500)
    .replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z]+);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/(?<!\\)([\\`*_[\]|~])/g, '\\$1')
    .replace(/([@#])(?!\u200b)(?=\w)/g, `$1${inert}`)
    .replace(/\b(https?|ftp):\/\/(?!\u200b)/gi, `$1:${inert}//`)

/** Sentences of ours that hold parts from elsewhere: code spans stay, everything else is `inline`. */
export const prose = (text: string): string =>
  oneLine(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : inline(part)))
    .join('')

/** A code span that holds any text: as many backticks around it as it needs. At most 300 characters. */
export const code = (text: string): string => {
  const body = shorten(oneLine(text), 300).replaceAll('|', '¦')
  if (body === '') return '` `'
  const ticks = '`'.repeat(longestRun(body, '`') + 1)
  const pad = body.startsWith('`') || body.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${body}${pad}${ticks}`
}

/** A fenced block that nothing inside can close. */
export const codeBlock = (text: string): string => {
  const body = plain(text).trimEnd()
  const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1))
  return `${fence}text\n${body}\n${fence}`
}

/** One line of the log: no terminal codes, and nothing in it is a command to the runner. At most 2,000 characters. */
export const logLine = (text: string): string =>
  shorten(oneLine(text), 2000)
    .replaceAll('::', `:${inert}:`)
    .replace(/##(?=\[)/g, `#${inert}#`)

/** Cuts to a number of UTF-8 bytes on a whole character, with a mark where it was cut. */
export const capBytes = (
  text: string,
  bytes: number,
  mark = '\n\n… (cut here; the record holds the whole)\n',
): string => {
  const encoder = new TextEncoder()
  const whole = encoder.encode(text)
  if (whole.length <= bytes) return text
  const room = whole.subarray(0, Math.max(0, bytes - encoder.encode(mark).length))
  return `${new TextDecoder().decode(room).replace(/\ufffd+$/, '')}${mark}`
}

const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim()

const shorten = (text: string, most: number): string => {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

const longestRun = (text: string, character: string): number => {
  let longest = 0
  let run = 0
  for (const c of text) {
    run = c === character ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
