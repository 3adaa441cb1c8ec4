import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type ProcessRequest, start, sweep } from '../../src/adapters/process.ts'

/** Path of a small real program. */
export const program = (name: string) =>
  fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))
const marks: string[] = []
export const newMark = () => {
  const mark = `test-${randomBytes(6).toString('hex')}`
  marks.push(mark)
  return mark
}

/** Starts a program and collects its output. */
export const run = (request: Partial<ProcessRequest> & Pick<ProcessRequest, 'program'>) => {
  const heard = { out: '', err: '' }
  const decode = { out: new TextDecoder(), err: new TextDecoder() }
  const running = start({
    args: [],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
    stdin: 'closed',
    mark: newMark(),
    onStdout: (chunk) => {
      heard.out += decode.out.decode(chunk, { stream: true })
    },
    onStderr: (chunk) => {
      heard.err += decode.err.decode(chunk, { stream: true })
    },
    ...request,
  })
  return { ...running, heard }
}

export const bash = (script: string, more: Partial<ProcessRequest> = {}) =>
  run({ program: 'bash', args: ['-c', script], ...more })

export const isAlive = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
/** Waits at most 2 s for it to be so. */
export const until = async (test: () => boolean) => {
  for (let i = 0; i < 400 && !test(); i++) await new Promise((next) => setTimeout(next, 5))
  expect(test()).toBe(true)
}
export const seconds = (millis: number) => millis / 1000

/** After each test: nothing with one of its marks is left. */
export const expectNothingLeft = async () => {
  for (const mark of marks.splice(0)) expect(await sweep(mark)).toEqual({ found: 0, left: 0 })
}
