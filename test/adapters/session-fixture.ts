import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Progress, runSession, type SessionRequest } from '../../src/adapters/claude.ts'
import { sweep } from '../../src/adapters/process.ts'
import { startScriptedModel } from '../../src/adapters/scripted-model.ts'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { problemText } from '../../src/core/scenario/scenario-problems.ts'
import type { Denial } from '../../src/core/session.ts'

/** The pinned CLI itself. */
export const realClaude = fileURLToPath(
  new URL(`../../node_modules/@anthropic-ai/claude-code-linux-${process.arch}/claude`, import.meta.url),
)
export const stubClaude = fileURLToPath(new URL('../fixtures/bin/claude', import.meta.url))

export const newMark = () => `test-${randomBytes(6).toString('hex')}`

/** A temporary folder with a work tree in it; removed at the end of the scope. */
export const temporary = () => {
  const root = mkdtempSync(join(tmpdir(), 'ralph-session-'))
  const cwd = join(root, 'work')
  mkdirSync(cwd)
  return { root, cwd, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
type Place = ReturnType<typeof temporary>

const plain = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

/** A request for a session of the real CLI in `place`, with overrides. */
export const requestIn = (place: Place, more: Partial<SessionRequest> = {}): SessionRequest => ({
  claudePath: realClaude,
  cwd: place.cwd,
  systemPrompt: 'You are one session of a loop.\n',
  prompt: 'Iteration 1 of 3.\n',
  limits: { turns: 10, usd: 5, millis: 60_000, idleMillis: 30_000 },
  agent: {
    model: null,
    fallbackModel: null,
    effort: null,
    allowedTools: null,
    disallowedTools: [],
    args: [],
    baseUrl: null,
  },
  credential: { kind: 'api-key', value: 'sk-ant-not-a-key' },
  folder: join(place.root, 'session'),
  environment: plain,
  mark: newMark(),
  transcript: null,
  signal: new AbortController().signal,
  ...more,
})

/** What a session called back. */
export const listeners = () => {
  const turns: Progress[] = []
  const calls: Denial[] = []
  const denials: Denial[] = []
  return {
    turns,
    calls,
    denials,
    onTurn: (progress: Progress) => void turns.push(progress),
    onCall: (call: Denial) => void calls.push(call),
    onDenial: (denial: Denial) => void denials.push(denial),
  }
}

/** Runs a session, and tells how many processes it left. */
export const run = async (request: SessionRequest) => {
  const began = performance.now()
  const session = await runSession(request)
  const millis = performance.now() - began
  return { session, millis, left: (await sweep(request.mark)).found }
}

/** Runs a session of the stub that plays these steps, and what it was given. */
export const playing = async (
  place: Place,
  steps: readonly unknown[],
  more: Partial<SessionRequest> = {},
) => {
  const [play, record] = [join(place.root, 'play.json'), join(place.root, 'record.json')]
  writeFileSync(play, JSON.stringify({ record, steps }))
  const environment = { ...plain, STUB_PLAY: play, ...more.environment }
  const request = requestIn(place, { claudePath: stubClaude, ...more, environment })
  const heard = listeners()
  const told = await run({ ...heard, ...request })
  const given = (): { argv: string[]; env: Record<string, string>; stdin: string; key: string | null } =>
    JSON.parse(readFileSync(record, 'utf8'))
  return { ...told, ...heard, given, request }
}

/** A scripted model whose sessions are these lists of replies; the last list serves all further sessions. */
export const modelWith = async (...sessions: readonly (readonly unknown[])[]) => {
  const scenario = { version: 1, sessions: sessions.map((replies) => ({ replies })) }
  const parsed = parseScenario(JSON.stringify(scenario))
  if ('problems' in parsed) throw new Error(parsed.problems.map(problemText).join('\n'))
  const model = await startScriptedModel({ scenario: parsed.scenario })
  return { ...model, [Symbol.asyncDispose]: model.close }
}

export const bash = (command: string, more: object = {}) => ({
  tool: { name: 'Bash', input: { command, description: 'x', ...more } },
})

/** A request of the real CLI to `model`. */
export const requestTo = (
  model: { url: string },
  place: Place,
  more: Partial<SessionRequest> = {},
): SessionRequest => {
  const request = requestIn(place, more)
  return { ...request, agent: { ...request.agent, baseUrl: model.url } }
}

const partsOf = (body: unknown): unknown[] => {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages))
    return []
  return body.messages.flatMap((message: { content: unknown }) => message.content)
}

/** What the tools have answered up to this request, one text for each call. */
export const toolResults = (request: { body: unknown } | undefined): string[] =>
  partsOf(request?.body).flatMap((part) =>
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'tool_result' &&
    'content' in part
      ? [typeof part.content === 'string' ? part.content : JSON.stringify(part.content)]
      : [],
  )
