import { readFileSync, rmSync } from 'node:fs'
import { answerStop, noteIn } from '../core/stop-hook.ts'

/**
 * The in-session hook: Claude Code's JSON comes by standard input, the waiting note in the file that the first argument
 * names. It imports the core only and stays small.
 */
const read = (path: string | number): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const note = process.argv[2] ?? ''
const answer = answerStop(read(0), noteIn(read(note)))
if (answer !== null) {
  rmSync(note, { force: true }) // told now, not once more after the next tool call
  process.stdout.write(JSON.stringify(answer))
}
