/** Longest line that is kept whole, in characters. A 3 MB tool input was seen in one line; the API takes 32 MB. */
const longestLine = 32 * 1024 * 1024
/** What is kept of a longer one. Cut JSON is no JSON, so that it is told as noise and does no harm. */
const headOfLonger = 200

/** What has come since the last line end. */
export type Rest = { text: string; cut: boolean }

export const noRest: Rest = { text: '', cut: false }

const longer = (rest: Rest, more: string): Rest => {
  if (rest.cut) return rest
  const text = rest.text + more
  return text.length > longestLine ? { text: text.slice(0, headOfLonger), cut: true } : { text, cut: false }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/**
 * Splits decoded text into lines as it arrives, cut anywhere. Returns the finished lines, without their ends, and
 * what is left for the next call. Looks at every character once.
 */
export const splitLines = (rest: Rest, chunk: string): { lines: string[]; rest: Rest } => {
  const lines: string[] = []
  let open = rest
  let from = 0
  for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
    lines.push(withoutReturn(longer(open, chunk.slice(from, at)).text))
    open = noRest
    from = at + 1
  }
  return { lines, rest: longer(open, chunk.slice(from)) }
}
