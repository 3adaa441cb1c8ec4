import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { says } from '../core/transcript.ts'
import { fixedAdd, root, type Stage } from './kit.ts'

/** Steps of test/fixtures/bin/claude; `before` is a shell script that has run in the work tree when they begin. */
export type StubSession = { before?: string; steps: readonly object[] }

export type StubCli = {
  /** The input that makes the action use it. */
  inputs: { 'claude-path': string }
  /** How many sessions were started. */
  started: () => number
  /** What the n-th session was given, counted from 1. */
  given: (session: number) => {
    argv: string[]
    env: Record<string, string>
    stdin: string
    key: string | null
  }
}

export const begin = { start: true }
export const turn = (id = 'm1', text = 'Done.') => ({ print: says(id, text) })

/** A script that mends what the stage's test finds wrong. */
export const mend = `printf '${fixedAdd.trim()}\\n' > src/add.js`

/** No loop of a test starts more sessions. */
const most = 9

/** A `claude` outside the checkout that tells the pinned version and plays these sessions; the last one serves all further ones. */
export const stubCli = (on: Stage, ...sessions: readonly StubSession[]): StubCli => {
  const folder = join(on.temp, 'stub')
  mkdirSync(folder)
  const at = (name: string, n: number | string) => join(folder, `${name}-${n}`)
  for (let n = 1; n <= most; n += 1) {
    const { before = '', steps } = sessions[Math.min(n, sessions.length) - 1] ?? { steps: [] }
    writeFileSync(at('before', n), before)
    writeFileSync(at('play', n), JSON.stringify({ record: at('record', n), steps }))
  }
  const program = join(folder, 'claude')
  const count = join(folder, 'count')
  writeFileSync(count, '0')
  writeFileSync(
    program,
    `#!/usr/bin/env bash
if [ "$1" = --version ]; then echo '2.1.332 (Claude Code)'; exit; fi
n=$(( $(cat '${count}') + 1 ))
echo $n > '${count}'
bash "${at('before', '$n')}" < /dev/null 3<&-
STUB_PLAY="${at('play', '$n')}" exec '${join(root, 'test/fixtures/bin/claude')}' "$@"
`,
  )
  chmodSync(program, 0o755)
  return {
    inputs: { 'claude-path': program },
    started: () => Number(readFileSync(count, 'utf8')),
    given: (session) => JSON.parse(readFileSync(at('record', session), 'utf8')),
  }
}
