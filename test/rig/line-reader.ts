/**
 * Cuts a byte stream into lines as the runner's reader does: UTF-8, and `\n`, `\r\n` and a lone `\r` all end a line;
 * what stands after the last one is a line too.
 * Source: actions/runner ProcessInvoker reads with .NET's StreamReader.ReadLine.
 */
export type LineReader = { push(chunk: Uint8Array): void; end(): void }

export const createLineReader = (onLine: (line: string) => void): LineReader => {
  const decoder = new TextDecoder()
  let rest = ''
  let afterReturn = false

  const take = (text: string): void => {
    if (text === '') return
    const chunk = afterReturn && text.startsWith('\n') ? text.slice(1) : text
    afterReturn = text.endsWith('\r')
    const [first = '', ...others] = chunk.split(/\r\n|\r|\n/)
    let line = rest + first
    for (const next of others) {
      onLine(line)
      line = next
    }
    rest = line
  }

  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end: () => {
      take(decoder.decode())
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
