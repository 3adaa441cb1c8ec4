import type { Block, Json, Reply } from './scenario.ts'

/** What stands behind the placeholders of a scenario. `texts`: what `{{match:…}}` searches, the newest last. */
export type Values = { cwd: string; session: number; reply: number; texts: readonly string[] }

/** The closing braces are the last two of a row, so that a pattern may end in `{8}`. */
const placeholder = /\{\{(?:(cwd|session|reply)\}\}|match:(.+?)\}\}(?!\}))/g

/** The patterns of all `{{match:…}}` in a text, for the check that they are valid. */
export const patternsIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].flatMap(([, , pattern]) => (pattern === undefined ? [] : [pattern]))

const captured = (pattern: string, texts: readonly string[]): string | undefined => {
  const found = texts.findLast((text) => new RegExp(pattern, 'm').test(text))
  const match = found === undefined ? null : new RegExp(pattern, 'm').exec(found)
  return match === null ? undefined : (match[1] ?? match[0])
}

/**
 * Puts values in place of `{{cwd}}`, `{{session}}`, `{{reply}}` and `{{match:REGEX}}` (its first group, else the
 * whole match, in the newest text that has one). A pattern that matches nothing, and every other `{{…}}`, stays.
 */
export const fill = (text: string, values: Values): string =>
  text.replace(placeholder, (whole, name: string | undefined, pattern: string | undefined) => {
    switch (name) {
      case 'cwd':
        return values.cwd
      case 'session':
        return String(values.session)
      case 'reply':
        return String(values.reply)
      default:
        return captured(pattern ?? '', values.texts) ?? whole
    }
  })

const fillJson = (value: Json, values: Values): Json => {
  if (typeof value === 'string') return fill(value, values)
  if (value === null || typeof value !== 'object') return value
  return isList(value) ? value.map((item) => fillJson(item, values)) : fillObject(value, values)
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const fillObject = (value: { readonly [key: string]: Json }, values: Values): { [key: string]: Json } =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key, values), fillJson(item, values)]))

const fillBlock = (block: Block, values: Values): Block => {
  if (block.type !== 'tool') return { ...block, text: fill(block.text, values) }
  const input = typeof block.input === 'string' ? fill(block.input, values) : fillObject(block.input, values)
  return { ...block, input }
}

/** The reply with its placeholders filled, in texts, tool inputs, error messages and raw bodies. */
export const fillReply = (reply: Reply, values: Values): Reply => {
  const { answer } = reply
  switch (answer.type) {
    case 'message':
      return {
        ...reply,
        answer: { ...answer, blocks: answer.blocks.map((block) => fillBlock(block, values)) },
      }
    case 'error':
      return { ...reply, answer: { ...answer, message: fill(answer.message, values) } }
    case 'raw':
      return { ...reply, answer: { ...answer, body: fill(answer.body, values) } }
    default:
      return answer satisfies never
  }
}
