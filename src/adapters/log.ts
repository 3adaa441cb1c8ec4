import { logLine } from '../core/clean.ts'
import type { Line } from '../core/narrative.ts'

export type Log = {
  line: (line: Line) => void
  /** Several lines of ours, such as the summary in a terminal. Nothing in them is a command to the runner. */
  block: (text: string) => void
  /** Closes the last group. */
  end: () => void
}

/**
 * The log as a narrative. On GitHub each phase is a group; in a terminal it is a heading. Every text passes
 * `logLine`, so that nothing an agent or a verifier wrote can command the runner.
 */
export const createLog = (write: (text: string) => void, onActions: boolean): Log => {
  let open = false
  const close = () => {
    if (open && onActions) write('::endgroup::\n')
    open = false
  }
  return {
    line: ({ kind, text }) => {
      const clean = logLine(text)
      if (kind === 'phase') {
        close()
        write(onActions ? `::group::${clean}\n` : `\n── ${clean}\n`)
        open = true
      } else {
        write(`${kind === 'warning' ? 'Warning: ' : ''}${clean}\n`)
      }
    },
    block: (text) => {
      close()
      for (const line of text.split('\n')) write(`${logLine(line)}\n`)
    },
    end: close,
  }
}
