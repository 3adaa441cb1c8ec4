/** What the agent's last text says about itself. Hints only: no text ever ends a run as a success. */
export type Hint = {
  /** The agent says that the whole task is complete, by both conditions of the dual condition. */
  complete: boolean
  /** Why a person is needed, one line; null when the agent does not say so. */
  blocked: string | null
}

export const noHint: Hint = { complete: false, blocked: null }

/** Longest reason that is kept, in characters. */
const longestReason = 500

/**
 * Reads the status block, the last well-formed one when there are several:
 *
 * ```
 * ---RALPH_STATUS---
 * STATUS: COMPLETE
 * REMAINING: none
 * EXIT_SIGNAL: true
 * BLOCKED: why a person is needed
 * ---END_RALPH_STATUS---
 * ```
 *
 * A block is well-formed when its lines begin at column 1, `STATUS` is `COMPLETE` or `IN_PROGRESS`, `EXIT_SIGNAL` is
 * `true`, `false` or left out, and neither comes twice; the prompt's own words, repeated, are none. A block inside a
 * Markdown code fence counts: agents like to fence it, and a hint is never the last word. One that is quoted with `>`
 * or indented does not. Prose around the block and words such as "done" mean nothing.
 *
 * Complete needs `EXIT_SIGNAL: true` and two further signs (R89): `STATUS: COMPLETE` and `REMAINING: none`.
 */
export const readHint = (text: string): Hint => {
  const fields = blocks(text).findLast(wellFormed)
  if (fields === undefined) return noHint
  return {
    complete:
      fields.get('EXIT_SIGNAL') === 'true' &&
      fields.get('STATUS') === 'COMPLETE' &&
      isNone(fields.get('REMAINING')),
    blocked: isNone(fields.get('BLOCKED'))
      ? null
      : Array.from(fields.get('BLOCKED') ?? '')
          .slice(0, longestReason)
          .join(''),
  }
}

type Fields = ReadonlyMap<string, string>

const wellFormed = (fields: Fields): boolean =>
  ['COMPLETE', 'IN_PROGRESS'].includes(fields.get('STATUS') ?? '') &&
  ['true', 'false'].includes(fields.get('EXIT_SIGNAL') ?? 'false')

/** `none`, alone or with an explanation, and the words that people use for it. An empty field is none as well. */
const isNone = (value = 'none'): boolean =>
  /^(none\s*([.,;:(–—-].*)?|no|nothing|nobody|n\/a|null|false|-+|–|—)?\.?$/i.test(value)

/** The fields of all finished blocks. One that begins anew before its end begins again; a field that comes twice has no value of either. */
const blocks = (text: string): Fields[] => {
  const found: Fields[] = []
  let open: Map<string, string> | null = null
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trimEnd() === '---RALPH_STATUS---') open = new Map()
    else if (open !== null && line.trimEnd() === '---END_RALPH_STATUS---') {
      found.push(open)
      open = null
    } else if (open !== null) {
      const [, name = '', value = ''] = /^([A-Z_]+):(.*)$/.exec(line) ?? []
      if (name !== '') open.set(name, open.has(name) ? '(twice)' : normal(name, value.trim()))
    }
  }
  return found
}

const normal = (name: string, value: string): string => {
  if (name === 'STATUS') return value.toUpperCase()
  return name === 'EXIT_SIGNAL' ? value.toLowerCase() : value
}
