/** What the agent's last text says about itself. Hints only: no text ever ends a run as a success. */
export type Hint = {
  /** The agent says that the whole task is complete, by both conditions of the dual condition. */
  complete: boolean
  /** Why a person is needed, one line; null when the agent does not say so. */
  blocked: string | null
}

export const noHint: Hint = { complete: false, blocked: null }

const statusBlock = /^---RALPH_STATUS---$([\s\S]*?)^---END_RALPH_STATUS---$/gm

/**
 * Reads the status block, the last one when there are several:
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
 * Complete needs `EXIT_SIGNAL: true` and two further signs (R89): `STATUS: COMPLETE` and `REMAINING: none`.
 * Prose around the block, quoted or indented copies of it and words such as "done" mean nothing.
 */
export const readHint = (text: string): Hint => {
  const blocks = [...text.replace(/\r\n?/g, '\n').matchAll(statusBlock)]
  const last = blocks.at(-1)?.[1]
  if (last === undefined) return noHint
  const fields = new Map<string, string>()
  for (const line of last.split('\n')) {
    const field = /^([A-Z_]+):[ \t]*(.*?)[ \t]*$/.exec(line)
    if (field?.[1] !== undefined && field[2] !== undefined) fields.set(field[1], field[2])
  }
  const is = (name: string, value: string) => fields.get(name)?.toLowerCase() === value
  const blocked = fields.get('BLOCKED') ?? ''
  return {
    complete: is('EXIT_SIGNAL', 'true') && is('STATUS', 'complete') && is('REMAINING', 'none'),
    blocked: blocked === '' || /^(none|no|n\/a|-)\.?$/i.test(blocked) ? null : blocked.slice(0, 500),
  }
}
