/** What the reader tells of an XML document; text between tags is not told. */
export type XmlHandler = {
  open: (name: string, attributes: ReadonlyMap<string, string>) => void
  close: (name: string) => void
}

/** Deepest nesting that is read. JUnit needs about five levels. */
const depthCap = 100
/** Longest tag that is read, in characters: a failure's message stands in an attribute. */
const tagCap = 4 * 1024 * 1024

/** What ends a tag, or opens a value in which nothing ends it. */
const special = /["'>]/g

const inside = { comment: '-->', data: ']]>', instruction: '?>' } as const
type Mode = 'text' | 'tag' | keyof typeof inside

/**
 * Reads well-formed XML as it arrives, cut anywhere, and looks at every character once. No document type and so no
 * entity but the five predefined and the numeric ones. `push` and `end` return the first thing that is wrong, or null.
 */
export const xmlReader = (handler: XmlHandler) => {
  const open: string[] = []
  let seenRoot = false
  let mode: Mode = 'text'
  let buffer = ''
  let scanned = 0
  let quote = ''
  let problem: string | null = null

  const tag = (text: string): string | null => {
    const closing = /^\/([^\s/<>"'=]+)\s*$/.exec(text)?.[1]
    if (closing !== undefined) {
      if (open.pop() !== closing) return `the end tag of ${shown(closing)} has no start`
      handler.close(closing)
      return null
    }
    const name = /^[^\s/<>"'=!?]+/.exec(text)?.[0]
    if (name === undefined) return 'a tag has no name'
    const empty = text.endsWith('/')
    const attributes = attributesIn(text.slice(name.length, empty ? -1 : undefined))
    if (typeof attributes === 'string') return attributes
    if (open.length === 0 && seenRoot) return 'it has more than one root'
    if (open.length >= depthCap) return `it is nested deeper than ${depthCap} levels`
    seenRoot = true
    handler.open(name, attributes)
    if (empty) handler.close(name)
    else open.push(name)
    return null
  }

  /** Takes one step; false when more text is needed. */
  const step = (): boolean => {
    switch (mode) {
      case 'text':
        return text()
      case 'tag':
        return endOfTag()
      case 'comment':
      case 'data':
      case 'instruction': {
        const at = buffer.indexOf(inside[mode])
        buffer = at < 0 ? buffer.slice(-2) : buffer.slice(at + inside[mode].length)
        if (at >= 0) mode = 'text'
        return at >= 0
      }
      default:
        return mode satisfies never
    }
  }

  const text = (): boolean => {
    const at = buffer.indexOf('<')
    const before = at < 0 ? buffer : buffer.slice(0, at)
    if (open.length === 0 && /[^\s\ufeff]/.test(before)) problem = 'it holds text outside the root'
    buffer = at < 0 ? '' : buffer.slice(at)
    if (at < 0 || problem !== null) return false
    if (buffer.startsWith('<!--')) return enter('comment', 4)
    if (buffer.startsWith('<![CDATA[') && open.length > 0) return enter('data', 9)
    if (buffer.startsWith('<?')) return enter('instruction', 2)
    if ('<![CDATA['.startsWith(buffer) || '<!--'.startsWith(buffer)) return false
    if (buffer.startsWith('<!')) {
      problem = 'it has a document type, which is not read'
      return false
    }
    return enter('tag', 1)
  }

  const enter = (next: Mode, length: number): boolean => {
    mode = next
    buffer = buffer.slice(length)
    scanned = 0
    quote = ''
    return true
  }

  const endOfTag = (): boolean => {
    for (;;) {
      special.lastIndex = scanned
      const at =
        quote === '' ? (special.test(buffer) ? special.lastIndex - 1 : -1) : buffer.indexOf(quote, scanned)
      scanned = at < 0 ? buffer.length : at + 1
      if (at < 0) break
      const found = buffer[at] ?? ''
      if (found !== '>') quote = quote === '' ? found : ''
      else {
        problem = tag(buffer.slice(0, at))
        buffer = buffer.slice(scanned)
        mode = 'text'
        return problem === null
      }
    }
    if (buffer.length > tagCap) problem = 'a tag of it is longer than 4 MiB'
    return false
  }

  const push = (chunk: string): string | null => {
    if (problem !== null) return problem
    buffer += chunk
    let more = true
    while (more) more = step()
    return problem
  }

  const end = (): string | null => {
    if (problem !== null) return problem
    if (!seenRoot) return 'it is empty'
    return mode !== 'text' || buffer !== '' || open.length > 0 ? 'it ends in the middle' : null
  }

  return { push, end }
}

const attributesIn = (text: string): Map<string, string> | string => {
  const attributes = new Map<string, string>()
  const one = /\s+([^\s/<>"'=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')|\s+$/y
  while (one.lastIndex < text.length) {
    const at = one.lastIndex
    const found = one.exec(text)
    if (!found) return `a tag cannot be read at ${shown(text.slice(at, at + 30))}`
    if (found[1] === undefined) break
    if (attributes.has(found[1])) return `an attribute stands twice: ${shown(found[1])}`
    const value = decoded(found[2] ?? found[3] ?? '')
    if (value === null) return `an entity that is not predefined stands in ${shown(found[1])}`
    attributes.set(found[1], value)
  }
  return attributes
}

const predefined: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unknown = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i

/** The value without its entities; null when one of them is not predefined, or beyond Unicode. */
const decoded = (value: string): string | null => {
  if (!value.includes('&')) return value
  if (unknown.test(value)) return null
  let valid = true
  const text = value.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (_, hex?: string, decimal?: string, name = '') => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      if (code > 0x10ffff) valid = false
      else if (hex || decimal) return String.fromCodePoint(code)
      return predefined[name] ?? ''
    },
  )
  return valid ? text : null
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 60))
