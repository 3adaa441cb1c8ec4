import { plain } from './plain.ts'

/**
 * What leaves us: every text of the agent, the verifier or a person goes through one of these functions before it
 * stands in Markdown, in the log or in an annotation. Those that do not wrap (`visible`, `disarm`, `inline`, `prose`,
 * `cell`, `logLine`, `capBytes`) leave their own result unchanged, so that cleaning twice does no harm. All are linear.
 */

/** Zero-width space: it keeps a mention, a reference or a link from being one, and shows nothing. */
const inert = '\u200b'

/** Characters that nobody sees: fillers, tags, text direction. Joiners and emoji selectors stay, they shape what is seen. */
const invisible = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu

/** What a person would see: no terminal codes, no control characters but tab and line feed, nothing invisible. */
export const visible = (text: string): string => plain(text).replace(invisible, '')

const oneLine = (text: string): string => visible(text).replace(/\s+/g, ' ').trim()

/** Cuts to a number of characters (code points); a cut text ends in an ellipsis. */
export const shorten = (text: string, most: number): string => {
  if (text.length <= most) return text
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** What GitHub links, notifies or draws a picture for, without any markup: mentions, references, addresses, emoji names. */
const live = /@(?=\w)|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|www(?=\.)|:(?=[+\w-]+:)/gi

/** A closing keyword before a reference. GitHub also finds it in commit messages, where code is no code. */
const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+(?:(?:[\w.-]{1,100}\/)?[\w.-]{0,100}#\d|GH-\d|https?:))/gi

const unclosing = (text: string): string => text.replace(closing, `$&${inert}`)

const quiet = (text: string): string => unclosing(text.replace(live, `$&${inert}`))

/** Visible text in which nothing notifies, refers to or closes anything. For commit messages, which have no markup. */
export const disarm = (text: string): string => quiet(visible(text))

/** What would be markup, or be taken as markup by GitHub. An amount of money is no formula, any other `$` may begin one. */
const markup =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*[\]|~]|(?<![\da-z])_|_(?![\da-z])|<|&(?=#|\w)|\$(?!\d)|^[#>+=:-]|(?<=^\d{1,9})[.)]/gi

const written: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;', $: '<span>$</span>' }

const escaped = (text: string): string => text.replace(markup, (found) => written[found] ?? `\\${found}`)

/** Takes back what `escaped` does. */
const unescaped = (text: string): string =>
  text.replace(
    /\\([\\`*[\]|~_#>+=:.)-])|&(lt|amp);|<span>(\$)<\/span>/g,
    (_, mark?: string, entity?: string) => mark ?? (entity === 'lt' ? '<' : entity === 'amp' ? '&' : '$'),
  )

/** One line of text for Markdown: no markup, no HTML, no link, no mention, no reference. At most 500 characters. */
export const inline = (text: string): string => escaped(quiet(shorten(oneLine(unescaped(text)), 500)))

/** One line for Markdown in which code spans stay; everything else is as in `inline`. For sentences of ours about texts of others. */
export const prose = (text: string): string => {
  const line = oneLine(text)
  const parts: string[] = []
  let from = 0
  for (const { 0: whole, 1: body, index } of line.matchAll(/\\[!-/:-@[-`{-~]|`([^`]+)`/g)) {
    if (body === undefined) continue
    parts.push(line.slice(from, index), body)
    from = index + whole.length
  }
  return [...parts, line.slice(from)]
    .map((part, index) => (index % 2 === 1 ? span(part.trim()) : between(part, index === 0)))
    .join('')
}

/** Text beside code spans: the spaces at its ends count, and only the first can begin a line. */
const between = (part: string, first: boolean): string =>
  first ? escaped(quiet(unescaped(part))) : escaped(` ${quiet(unescaped(part))}`).slice(1)

/** A code span that holds any text, within as many backticks as it needs. At most 300 characters. */
export const code = (text: string): string => span(oneLine(text))

/** A code span of one clean line. */
const span = (line: string): string => {
  const body = unclosing(shorten(line, 300))
  if (body === '') return '` `'
  const ticks = '`'.repeat(longestRun(body) + 1)
  const pad = body.startsWith('`') || body.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${body}${pad}${ticks}`
}

/** Longest run of backticks that a block keeps: its fence is longer still. */
const mostTicks = 20

/** A fenced block that nothing inside can close. */
export const codeBlock = (text: string): string => {
  const body = unclosing(visible(text))
    .replace(/^\s*\n/, '')
    .trimEnd()
    .replace(/`{21,}/g, `${'`'.repeat(mostTicks)}…`)
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${fence}text\n${body}\n${fence}`
}

/** Markdown on one line for a cell of a table: every bar in it has an odd number of backslashes before it. */
export const cell = (markdown: string): string =>
  markdown.replace(/[^\S\u00a0]+/g, ' ').replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|')

/**
 * One line of the log, with the spaces it begins with: no terminal codes, and nothing in it is a command to the runner, which takes `##[name]`
 * anywhere and `::name::` at the start. A space breaks them: the runner compares by culture, to which an invisible
 * character is none [actions/runner ActionCommand]. Paths such as `std::vec` stay. At most 2,000 characters.
 */
export const logLine = (text: string): string =>
  shorten(
    visible(text)
      .replace(/[\n\u2028\u2029]+/g, ' ')
      .trimEnd()
      .replace(/(?<![\w>)\]]):(?=:)/g, ': ')
      .replace(/##(?=\[)/g, '## '),
    2000,
  )

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/**
 * Cuts Markdown to a number of UTF-8 bytes: after a whole line where there is one, and what is open at the cut (a
 * fence, `<details>`) is closed. Empty when not even the mark fits.
 */
export const capBytes = (
  markdown: string,
  bytes: number,
  mark = '\n\n… (cut here; the record holds the whole)\n',
): string => {
  const whole = new TextEncoder().encode(markdown)
  if (whole.length <= bytes) return markdown
  for (let room = bytes - size(mark); room >= 0; ) {
    const head = wholeLines(decoded(whole, room))
    const result = `${head}${closers(head)}${mark}`
    const over = size(result) - bytes
    if (over <= 0) return result
    room -= over
  }
  return ''
}

const size = (text: string): number => new TextEncoder().encode(text).length

/** The first `room` bytes, less the part of a character that the cut split. */
const decoded = (bytes: Uint8Array, room: number): string => {
  let end = room
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end))
}

const wholeLines = (text: string): string => {
  const end = text.lastIndexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

/** What closes the Markdown that is open at the end of a text. */
const closers = (markdown: string): string => {
  let fence = ''
  let details = 0
  for (const line of markdown.split('\n')) {
    const [, ticks = '', info = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? []
    if (fence === '') {
      if (ticks !== '' && !info.includes('`')) fence = ticks
      else
        details +=
          (line.match(/<details(?: open)?>/g) ?? []).length - (line.match(/<\/details>/g) ?? []).length
    } else if (ticks.length >= fence.length && info.trim() === '') fence = ''
  }
  return `${fence === '' ? '' : `\n${fence}`}${'\n\n</details>'.repeat(Math.max(0, details))}`
}
