/** Operating system commands (titles, hyperlinks) and other strings for the terminal; an unclosed one ends with its line. */
const strings =
  /(?:\u001b[\]P^_X]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u009c|\u001b\\)?/g
/** Control sequences: colours, cursor movement, erasing. */
const sequences = /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])/g
/** Two-character and character-set escapes. */
const escapes = /\u001b[ -/]*[0-~]/g
/** Control characters but tab and line feed, the byte order mark, and halves of characters. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Stand for "erased from here on" and "whole line erased" while a line is put together; no input holds them then. */
const erased = '\0'
const cleared = '\u0001'

/**
 * What a person would see on a terminal, as plain text: no escape sequences and no control characters but tab and
 * line feed; where a carriage return starts a line again, what was written over is gone. Linear in the length of the
 * text; its own result is left unchanged.
 */
export const plain = (text: string): string =>
  text
    .replace(/[\0\u0001]/g, '')
    .replace(strings, '')
    .replace(sequences, (_, parameters: string, final: string) => mark(parameters, final))
    .replace(escapes, '')
    .split('\n')
    .map((line) => (/[\r\0\u0001]/.test(line) ? overwritten(line) : line))
    .join('\n')
    .replace(controls, '')
    .replace(halves, '\ufffd')

const mark = (parameters: string, final: string): string => {
  if (final === 'K') return parameters === '2' ? cleared : parameters === '1' ? '' : erased
  return final === 'G' && /^1?$/.test(parameters) ? '\r' : ''
}

/** One line after its carriage returns: the last text, and of the earlier ones what it did not cover. */
const overwritten = (line: string): string => {
  let shown = ''
  for (const part of line.split('\r').reverse()) {
    const [text = '', ...rest] = part.slice(part.lastIndexOf(cleared) + 1).split(erased)
    shown += (text + rest.join('')).slice(shown.length)
    if (rest.length > 0 || part.includes(cleared)) break
  }
  return shown
}
