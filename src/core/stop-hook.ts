/** The form of a Stop hook's answer that Claude Code honours, with the key that the founding document names (D2). */
export type StopAnswer = {
  decision: 'block'
  reason: string
  hookSpecificOutput: { hookEventName: 'Stop'; reasonForBlocking: string }
}

/**
 * Answers an attempt to stop. A note that the agent has not heard yet, since no tool call came after it was written,
 * is told now, once; everything else passes. Input that is no hook's passes as well: the outer loop decides.
 */
export const answerStop = (input: string, note: string): StopAnswer | null => {
  const reason = note.trim()
  if (reason === '' || !isFirstAttempt(input)) return null
  return {
    decision: 'block',
    reason,
    hookSpecificOutput: { hookEventName: 'Stop', reasonForBlocking: reason },
  }
}

/** Claude Code says so when the turn goes on because of a block already: a second one would only repeat it (R23). */
const isFirstAttempt = (input: string): boolean => {
  try {
    const value: unknown = JSON.parse(input)
    return (
      typeof value === 'object' &&
      value !== null &&
      !('stop_hook_active' in value && value.stop_hook_active === true)
    )
  } catch {
    return false
  }
}

/** The text of a note as it lies in its file, in the form that Claude Code takes after tool calls; empty when there is none. */
export const noteIn = (file: string): string => {
  try {
    const value: unknown = JSON.parse(file)
    const text = field(field(value, 'hookSpecificOutput'), 'additionalContext')
    return typeof text === 'string' ? text : ''
  } catch {
    return ''
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
