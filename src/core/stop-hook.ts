/** The form of a Stop hook's answer that Claude Code honours, with the key that the founding document names (D2). */
export type StopAnswer = {
  decision: 'block'
  reason: string
  hookSpecificOutput: { hookEventName: 'Stop'; reasonForBlocking: string }
}

/**
 * Answers an attempt to stop. `note` is the waiting note as it lies in its file: what the agent has not heard, since no
 * tool call came after it was written, is told now. Everything else passes, also input that cannot be read: the
 * outer loop decides, and the verifier judges.
 */
export const answerStop = (input: string, note: string): StopAnswer | null => {
  const text = textOf(note)
  if (text === '' || goesOnAlready(input)) return null
  return {
    decision: 'block',
    reason: text,
    hookSpecificOutput: { hookEventName: 'Stop', reasonForBlocking: text },
  }
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

/** The text inside the answer that a tool hook would have printed. */
const textOf = (note: string): string => {
  const text = field(field(parsed(note), 'hookSpecificOutput'), 'additionalContext')
  return typeof text === 'string' ? text.trim() : ''
}

/** Claude Code says when the turn goes on because of a block: a second one would only repeat it. */
const goesOnAlready = (input: string): boolean => field(parsed(input), 'stop_hook_active') !== false
