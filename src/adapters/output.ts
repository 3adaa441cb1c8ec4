import { closeSync, openSync, writeSync } from 'node:fs'

/** The log of one verification never grows beyond this: 2 GiB, so that a flood cannot fill the disk. */
const fileCap = 2 * 1024 ** 3

export type CapturedOutput = {
  write: (chunk: Buffer) => void
  /** Head and tail as text, with a mark between them where something was left out. Closes the file. */
  end: () => string
}

/**
 * Everything to a file, only the head and the tail in memory. Writing is synchronous: a process that prints faster
 * than the disk takes it is slowed down instead of filling memory.
 */
export const captureOutput = (
  path: string,
  headBytes = 256 * 1024,
  tailBytes = 1024 * 1024,
): CapturedOutput => {
  const file = openSync(path, 'w', 0o600)
  const head: Buffer[] = []
  let headLength = 0
  let tail: Buffer[] = []
  let tailLength = 0
  let total = 0

  const keepTail = (chunk: Buffer) => {
    tail.push(chunk)
    tailLength += chunk.length
    if (tailLength > 2 * tailBytes) {
      const joined = Buffer.concat(tail)
      tail = [Buffer.from(joined.subarray(joined.length - tailBytes))]
      tailLength = tailBytes
    }
  }

  return {
    write: (chunk) => {
      if (total < fileCap) writeSync(file, chunk)
      total += chunk.length
      const room = headBytes - headLength
      if (room > 0) {
        const part = chunk.subarray(0, room)
        head.push(part)
        headLength += part.length
      }
      if (chunk.length > room) keepTail(room > 0 ? chunk.subarray(room) : chunk)
    },
    end: () => {
      closeSync(file)
      const rest = Buffer.concat(tail)
      const kept = rest.subarray(Math.max(0, rest.length - tailBytes))
      const left = total - headLength - kept.length
      const gap = left > 0 ? `\n… ${left} bytes left out here; the log holds them …\n` : ''
      return Buffer.concat(head).toString('utf8') + gap + kept.toString('utf8')
    },
  }
}
