import { nearest } from './nearest.ts'

/**
 * Why a text was refused. `wrong` completes "…, which …" (or "input …" when the value is hidden); `part` is the
 * piece at fault when it is not the whole; `near` what was probably meant; `fix` replaces the usual
 * "Give <accepts>, for example <example>.".
 * No kind quotes the value itself: whether and how it is shown is decided in one place, where secrets are known.
 */
export type Refused = {
  ok: false
  wrong: string
  part?: string
  near?: string | null
  fix?: string
  hide?: true
}
export type Parsed<T> = { ok: true; value: T } | Refused

/** How a text becomes a value. `accepts` completes "Give …"; `parse` gets trimmed, non-empty text and never throws. */
export type Kind<T> = { accepts: string; parse: (text: string) => Parsed<T> }

export const accept = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const refuse = (wrong: string, more: Omit<Refused, 'ok' | 'wrong'> = {}): Refused => ({
  ok: false,
  wrong,
  ...more,
})

/** `belowMin` is the reason told beside the lower limit. */
export const integer = (min: number, max: number, belowMin = ''): Kind<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  parse: (text) =>
    /^[0-9]+$/.test(text)
      ? within(Number(text), min, max, belowMin)
      : refuse('is not a whole number written in the digits 0 to 9'),
})

const within = (value: number, min: number, max: number, belowMin = ''): Parsed<number> => {
  if (value < min) return refuse(`is below ${min}${belowMin}`)
  return value > max ? refuse(`is above ${max}`) : accept(value)
}

const decimal = (text: string, accepted: (value: number) => Parsed<number>): Parsed<number> => {
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return accepted(Number(text))
  if (/^[0-9]+(,[0-9]+)+$/.test(text)) return refuse('has a comma; write a point before the decimals')
  if (/^[$€]|[$€]$|usd$/i.test(text)) return refuse('has a sign of currency; write the number alone')
  return refuse('is not a plain decimal number')
}

/** US dollars, above zero. */
export const usd = (max: number): Kind<number> => ({
  accepts: `an amount in US dollars above 0 and at most ${max}`,
  parse: (text) =>
    decimal(text, (value) => (value > 0 ? within(value, 0, max) : refuse('leaves no money to work with'))),
})

/** A span of time, given in minutes; the value is in milliseconds. */
export const minutes = (min: number, max: number): Kind<number> => ({
  accepts: `a number of minutes from ${min} to ${max}`,
  parse: (text) =>
    decimal(text, (value) => {
      const checked = within(value, min, max)
      return checked.ok ? accept(Math.round(value * 60_000)) : checked
    }),
})

export const boolean: Kind<boolean> = {
  accepts: '`true` or `false`',
  parse: (text) =>
    /^(true|false)$/i.test(text)
      ? accept(text.toLowerCase() === 'true')
      : refuse('is neither `true` nor `false`'),
}

export const oneOf = <const Name extends string>(names: readonly Name[]): Kind<Name> => ({
  accepts: `one of ${names.map((name) => `\`${name}\``).join(', ')}`,
  parse: (text) => {
    const found = names.find((name) => name === text)
    return found === undefined
      ? refuse('is not one of the choices', { near: nearest(text, names) })
      : accept(found)
  },
})

/** The word itself, or else what `kind` accepts. */
export const wordOr = <Word extends string, T>(word: Word, kind: Kind<T>): Kind<Word | T> => ({
  accepts: `\`${word}\` or ${kind.accepts}`,
  parse: (text) => (text === word ? accept(word) : kind.parse(text)),
})

/** Text with at least one letter or digit. Line ends become `\n`, broken code units U+FFFD. */
export const text = (what: string, maxBytes: number): Kind<string> => ({
  accepts: `${what} of at most ${maxBytes / 1024} KiB`,
  parse: (raw) => {
    if (raw.includes('\0')) return refuse('contains a NUL character', { hide: true })
    const value = raw.replace(/\r\n?/g, '\n').replace(/\p{Surrogate}/gu, '\uFFFD')
    const bytes = new TextEncoder().encode(value).length
    if (bytes > maxBytes)
      return refuse(`is ${bytes} bytes long, above the limit of ${maxBytes}`, { hide: true })
    return /[\p{L}\p{N}]/u.test(value) ? accept(value) : refuse('has no letter and no digit')
  },
})

/** A token for a header: printable ASCII in one piece. `foreign` tells a value that belongs to another input. */
export const secret = (
  what: string,
  foreign: (value: string) => string | null = () => null,
): Kind<string> => ({
  accepts: what,
  parse: (value) => {
    if (/^bearer\s/i.test(value)) return refuse('begins with "Bearer "')
    if (/\s/.test(value)) return refuse('contains a space or a line break')
    if (/["'`]/.test(value)) return refuse('contains quotation marks')
    if (/[^\x21-\x7e]/.test(value)) return refuse('contains a character that no key has')
    if (value.startsWith('$')) return refuse('is the name of a variable, not its value')
    if (value.length > 8192) return refuse('is longer than 8192 characters')
    const other = foreign(value)
    return other === null ? accept(value) : refuse(other)
  },
})

/** `wrong` completes "…, which …" for a text that does not match. */
export const pattern = (accepts: string, shape: RegExp, wrong: string): Kind<string> => ({
  accepts,
  parse: (value) => (shape.test(value) ? accept(value) : refuse(wrong)),
})

/** Items one a line, or separated by commas; commas inside () and {} belong to the item. Repeats are dropped. */
export const list = <T>(item: Kind<T>, what: string): Kind<readonly T[]> => ({
  accepts: `${what}, one a line or separated by commas`,
  parse: (value) => {
    const items = split(value)
    if (items === null) return refuse('has brackets that do not pair', { hide: true })
    if (items.length > 200) return refuse(`has ${items.length} items, above the limit of 200`, { hide: true })
    if (items.includes('')) return refuse('has an empty item between its commas', { hide: true })
    const values: T[] = []
    for (const each of new Set(items)) {
      const parsed = item.parse(each)
      if (!parsed.ok) return { part: each, ...parsed }
      values.push(parsed.value)
    }
    return accept(values)
  },
})

/** Null when brackets do not pair within a line. Blank lines and a comma at the end of a line are no items. */
const split = (value: string): string[] | null => {
  const items: string[] = []
  const lines = value.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const open: string[] = []
    let item = ''
    for (const letter of index < lines.length - 1 ? line.replace(/,\s*$/, '') : line) {
      if (letter === '(' || letter === '{') open.push(letter === '(' ? ')' : '}')
      if ((letter === ')' || letter === '}') && open.pop() !== letter) return null
      if (letter === ',' && open.length === 0) {
        items.push(item.trim())
        item = ''
      } else item += letter
    }
    if (open.length > 0) return null
    items.push(item.trim())
  }
  return items
}

/** A JSON array of strings: arguments reach a program as they are, with no shell and no splitting. */
export const jsonStrings: Kind<readonly string[]> = {
  accepts: 'a JSON array of strings',
  parse: (value) => {
    const parsed = json(value)
    if (parsed === undefined) return refuse('is not JSON')
    if (!Array.isArray(parsed)) return refuse('is JSON, but not an array')
    const strings = parsed.filter((each) => typeof each === 'string')
    if (strings.length < parsed.length) return refuse('is an array that holds something else than strings')
    if (strings.some((each) => each.includes('\0'))) return refuse('contains a NUL character', { hide: true })
    return strings.length > 50 ? refuse('has more than 50 items', { hide: true }) : accept(strings)
  },
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
