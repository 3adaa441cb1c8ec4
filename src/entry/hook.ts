import { readFileSync } from 'node:fs'
import { answerStop } from '../core/stop-hook.ts'

/**
 * The in-session hook: reads Claude Code's JSON from standard input and the note that waits for the agent, if any,
 * from the file named by the first argument, and prints its answer. It imports the core only and stays small, since
 * it starts at every attempt to stop.
 */
const read = (path: string | number): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const answer = answerStop(read(0), read(process.argv[2] ?? ''))
if (answer !== null) process.stdout.write(JSON.stringify(answer))
