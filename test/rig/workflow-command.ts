/**
 * A line of output that the runner takes for a command: `::name key=value,…::data` after leading white space, or the
 * older `##[name key=value;…]data` anywhere in the line. Property keys are in lower case.
 * Source: actions/runner ActionCommand.TryParseV2 and TryParse.
 */
export type WorkflowCommand = {
  name: string
  properties: Record<string, string>
  data: string
  syntax: '::' | '##['
}

/** A line is a command only when its name, in any case, is among `registered` (which holds lower case). */
export const parseCommand = (line: string, registered: ReadonlySet<string>): WorkflowCommand | undefined =>
  parseColons(line, registered) ?? parseBrackets(line, registered)

const parseColons = (line: string, registered: ReadonlySet<string>): WorkflowCommand | undefined => {
  const text = line.replace(leadingSpace, '')
  if (!text.startsWith('::')) return undefined
  const end = text.indexOf('::', 2)
  if (end < 0) return undefined
  const head = splitHead(text.slice(2, end))
  if (!registered.has(head.name.toLowerCase())) return undefined
  return {
    name: head.name,
    properties: parseProperties(head.properties.trim(), ',', propertyEscapes),
    data: plain(text.slice(end + 2), dataEscapes),
    syntax: '::',
  }
}

const parseBrackets = (line: string, registered: ReadonlySet<string>): WorkflowCommand | undefined => {
  const start = line.indexOf('##[')
  if (start < 0) return undefined
  const end = line.indexOf(']', start)
  if (end < 0) return undefined
  const head = splitHead(line.slice(start + 3, end))
  if (!registered.has(head.name.toLowerCase())) return undefined
  return {
    name: head.name,
    properties: parseProperties(head.properties, ';', bracketEscapes),
    data: plain(line.slice(end + 1), bracketEscapes),
    syntax: '##[',
  }
}

/** White space as .NET trims it: U+0085 counts, the byte order mark does not. */
const leadingSpace = /^(?:(?!\uFEFF)[\s\u0085])+/

const splitHead = (head: string): { name: string; properties: string } => {
  const space = head.indexOf(' ')
  return space < 0
    ? { name: head, properties: '' }
    : { name: head.slice(0, space), properties: head.slice(space + 1) }
}

const parseProperties = (text: string, separator: string, escapes: Escapes): Record<string, string> => {
  const properties: Record<string, string> = {}
  for (const part of text.split(separator)) {
    const [, key, value] = /^=*([^=]+)=+([^=].*)$/s.exec(part) ?? []
    if (key !== undefined && value !== undefined) properties[key.toLowerCase()] = plain(value, escapes)
  }
  return properties
}

type Escapes = readonly (readonly [escaped: string, character: string])[]

/** `%25` comes last, so that `%250A` stays `%0A`. */
const dataEscapes: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
]
const propertyEscapes: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
]
const bracketEscapes: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
]

const plain = (text: string, escapes: Escapes): string =>
  escapes.reduce((result, [escaped, character]) => result.replaceAll(escaped, character), text)
