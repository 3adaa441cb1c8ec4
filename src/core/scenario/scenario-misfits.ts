import type { Point } from './scenario.ts'
import type { WrittenReply, WrittenWhen } from './scenario-schema.ts'

/** What is wrong with an entry whose fields are each right, with the fix, at a path below that entry. */
export type Misfit = { path: readonly (string | number)[]; message: string }

const here = (message: string): Misfit => ({ path: [], message })

const given = (entry: Readonly<Record<string, unknown>>, names: readonly string[]): string[] =>
  names.filter((name) => entry[name] !== undefined)

const contents = ['text', 'thinking', 'tool', 'blocks']

export const blockMisfits = (block: Readonly<Record<string, unknown>>): Misfit[] =>
  given(block, contents).length === 1
    ? []
    : [here('must hold exactly one of text, thinking and tool: write one list entry for each block')]

const pointMisfits = (reply: WrittenReply): Misfit[] => {
  const field = reply.cut === undefined ? 'hang' : 'cut'
  const at: Point | undefined = reply.cut ?? (typeof reply.hang === 'object' ? reply.hang.at : reply.hang)
  if (at === undefined || at === 'before-headers' || at === 'after-start') return []
  const blocks = reply.blocks ?? []
  const text = reply.text !== undefined || blocks.some((block) => block.text !== undefined)
  const tool = reply.tool !== undefined || blocks.some((block) => block.tool !== undefined)
  const need = { 'mid-text': 'a text or a tool', 'after-text': 'a text', 'after-tool': 'a tool' }[at]
  const met = at === 'mid-text' ? text || tool : at === 'after-text' ? text : tool
  const message = `${at} is never reached: add ${need} to the reply, or write before-headers or after-start`
  return met ? [] : [{ path: [field], message }]
}

/** Misfits of a single reply. */
export const replyMisfits = (reply: WrittenReply): Misfit[] => {
  const kinds = [
    ...(given(reply, contents).length > 0 ? ['a message (text, thinking, tool, blocks)'] : []),
    ...given(reply, ['error', 'raw']),
  ]
  const misfits: Misfit[] = []
  if (kinds.length > 1) misfits.push(here(`holds ${kinds.join(' and ')}: keep one of them`))
  if (kinds.length === 0 && given(reply, ['hang', 'cut', 'stop-reason']).length === 0)
    misfits.push(here('says nothing: add text, thinking, tool, blocks, error, raw, hang, cut or stop-reason'))
  if (reply.blocks !== undefined && given(reply, contents).length > 1)
    misfits.push(here('holds blocks beside text, thinking or tool: write them all as entries of blocks'))
  if (given(reply, ['error', 'raw']).length > 0)
    for (const field of given(reply, ['usage', 'stop-reason']))
      misfits.push({ path: [field], message: 'has no place in an error or a raw reply: remove it' })
  if (reply.hang !== undefined && reply.cut !== undefined)
    misfits.push(here('holds hang and cut: keep one of them'))
  return [...misfits, ...pointMisfits(reply)]
}

/** Misfits of a session's list of replies. */
export const scriptMisfits = (replies: readonly { repeat?: number | 'forever' | undefined }[]): Misfit[] => {
  const endless = replies.findIndex((reply) => reply.repeat === 'forever')
  if (endless < 0 || endless === replies.length - 1) return []
  const message = `is never played, because reply ${endless + 1} repeats forever: remove it, or give that one a number`
  return [{ path: [endless + 1], message }]
}

export const whenMisfits = (when: WrittenWhen): Misfit[] =>
  when.in !== undefined && when.contains === undefined && when.matches === undefined
    ? [{ path: ['in'], message: 'says where to look but not for what: add contains or matches' }]
    : []

/** Misfits of the file as a whole. */
export const scenarioMisfits = (file: { sessions?: unknown; rules?: unknown }): Misfit[] =>
  file.sessions === undefined && file.rules === undefined
    ? [here('plays nothing: add sessions (or rules)')]
    : []
