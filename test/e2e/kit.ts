import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptedModel, startScriptedModel } from '../../src/adapters/scripted-model.ts'
import type { Event } from '../../src/core/event.ts'
import { readJournal } from '../../src/core/journal.ts'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { type CompositeOptions, type CompositeResult, runComposite } from '../rig/composite.ts'

/** The action's own folder: the committed bundle is what is tested. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const scope = join(root, 'node_modules/@anthropic-ai')
const native = readdirSync(scope).find((name) => existsSync(join(scope, name, 'claude')))
/** The pinned real CLI. */
export const claudePath = join(
  scope,
  native ?? 'claude-code',
  native === undefined ? 'bin/claude.exe' : 'claude',
)

export const dummyKey = 'sk-ant-api03-dummy-key-that-no-one-has-0123456789'

export type Stage = {
  temp: string
  workspace: string
  /** The bare remote; a folder. */
  remote: string
  runnerTemp: string
  model: ScriptedModel
  git: (...args: string[]) => string
  remoteGit: (...args: string[]) => string
  close: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** A test that fails: `add` is wrong. The verifier is `node --test`. */
export const redFiles: Record<string, string> = {
  'package.json': '{"name":"demo","type":"module","scripts":{"test":"node --test"}}\n',
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'test/add.test.js':
    "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add } from '../src/add.js'\ntest('adds', () => assert.equal(add(1, 2), 3))\ntest('adds nothing', () => assert.equal(add(1, 0), 1))\n",
}

export const fixedAdd = 'export const add = (a, b) => a + b\n'

/** Replies of one session in a scenario's YAML. */
export const session = (...replies: object[]): object => ({ replies })
export const write = (path: string, content: string): object => ({
  tool: { name: 'Write', input: { file_path: `{{cwd}}/${path}`, content } },
})
export const bash = (command: string): object => ({
  tool: { name: 'Bash', input: { command, description: 'run' } },
})
export const say = (text: string): object => ({ text })

export const status = (fields: { complete?: boolean; blocked?: string } = {}): string =>
  `---RALPH_STATUS---\nSTATUS: ${fields.complete ? 'COMPLETE' : 'IN_PROGRESS'}\nREMAINING: ${fields.complete ? 'none' : 'some'}\nEXIT_SIGNAL: ${fields.complete ? 'true' : 'false'}\nBLOCKED: ${fields.blocked ?? 'none'}\n---END_RALPH_STATUS---`

export type StageOptions = {
  files?: Record<string, string>
  /** The scenario's sessions; the model ends at once when they are used up. */
  sessions?: readonly object[]
  rules?: readonly object[]
  /** Leaves the checkout without a remote. */
  noRemote?: boolean
}

/** A checkout with a bare remote, and the scripted model on loopback. */
export const stage = async (options: StageOptions = {}): Promise<Stage> => {
  const temp = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-e2e-')))
  const [workspace, remote, runnerTemp] = ['work/demo/demo', 'remote.git', 'work/_temp'].map((name) =>
    join(temp, name),
  ) as [string, string, string]
  for (const [path, content] of Object.entries(options.files ?? redFiles)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  mkdirSync(runnerTemp, { recursive: true })
  const run =
    (cwd: string) =>
    (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Person', '-c', 'user.email=person@example.com', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      }).trim()
  const git = run(workspace)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote])
  if (!options.noRemote) {
    git('remote', 'add', 'origin', remote)
    git('push', '-q', 'origin', 'main')
  }
  const parsed = parseScenario(
    JSON.stringify({
      version: 1,
      after: 'end',
      sessions: options.sessions ?? [],
      rules: options.rules ?? [],
    }),
  )
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  const model = await startScriptedModel({ scenario: parsed.scenario })
  const close = async () => {
    await model.close()
    rmSync(temp, { recursive: true, force: true })
  }
  return {
    temp,
    workspace,
    remote,
    runnerTemp,
    model,
    git,
    remoteGit: run(remote),
    close,
    [Symbol.asyncDispose]: close,
  }
}

export type Acted = CompositeResult & {
  uploads: Record<string, string>[]
  record: string
  /** What happened, by the journal; empty when there is none. */
  events: readonly Event[]
  /** Head of the loop's branch on the remote; empty when it is not there. */
  pushed: string
}

/** Runs the whole action on a stage, from the committed bundle, as the runner does. */
export const act = async (
  on: Stage,
  inputs: Record<string, string> = {},
  options: Partial<CompositeOptions> = {},
): Promise<Acted> => {
  const uploads: Record<string, string>[] = []
  const result = await runComposite({
    action: root,
    with: {
      task: 'Make the tests pass',
      verify: 'node --test',
      'anthropic-api-key': dummyKey,
      'anthropic-base-url': on.model.url,
      'claude-path': claudePath,
      confirmations: '2',
      ...inputs,
    },
    workspace: on.workspace,
    temp: on.runnerTemp,
    secrets: [dummyKey], // as GitHub masks what comes from its secrets
    uses: { 'actions/upload-artifact@': (call) => void uploads.push(call.with) },
    ...options,
  })
  const record = result.outputs.record ?? ''
  const journal = join(record, 'journal.ndjson')
  const branch = on.remoteGit('for-each-ref', '--format=%(objectname)', 'refs/heads/ralph')
  return {
    ...result,
    uploads,
    record,
    events: record !== '' && existsSync(journal) ? readJournal(readFileSync(journal, 'utf8')) : [],
    pushed: branch,
  }
}
