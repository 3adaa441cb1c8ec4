import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/adapters/scripted-model.ts'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { problemText } from '../../src/core/scenario/scenario-problems.ts'
import { type CliRun, runCli } from './run-cli.ts'

let cwd = ''
let model: ScriptedModel | undefined
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'ralph-scripted-'))
})
afterEach(async () => {
  await model?.close()
  await rm(cwd, { recursive: true, force: true })
})

type Options = Partial<Omit<Parameters<typeof runCli>[0], 'url' | 'cwd'>>

/** Starts a model that plays the fixture of that name, or the lines of a scenario. */
const play = async (scenario: string): Promise<ScriptedModel> => {
  const text = scenario.endsWith('.yml')
    ? await readFile(new URL(`../fixtures/scenarios/${scenario}`, import.meta.url), 'utf8')
    : `version: 1\n${scenario}`
  const parsed = parseScenario(text)
  if ('problems' in parsed) throw new Error(parsed.problems.map(problemText).join('\n'))
  model = await startScriptedModel({ scenario: parsed.scenario })
  return model
}

/** The scenario among the examples of the page that holds that text, without its first line. */
const example = async (text: string): Promise<string> => {
  const page = await readFile(new URL('../../docs/scripted-model.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```yaml\nversion: 1\n(.*?)```/gs)].map(([, block = '']) => block)
  return blocks.find((block) => block.includes(text)) ?? ''
}

/** One session of the real CLI with a scenario; `by` says who answered each request. */
const session = async (scenario: string, options: Options = {}): Promise<CliRun & { by: string[] }> => {
  const { url, requests } = await play(scenario)
  const run = await runCli({ url, cwd, ...options })
  return { ...run, by: requests.map((request) => request.by) }
}

const one = (...replies: string[]): string => `sessions: [{ replies: [${replies.join(', ')}] }]`
const file = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8')
const noRetries = { CLAUDE_CODE_MAX_RETRIES: '0' }
const once = '{ x-should-retry: "false" }'

test('the CLI writes a file, runs a command, and uses two tools in one reply', async () => {
  const { result, by } = await session('fix-add.yml')
  expect(result).toMatchObject({ subtype: 'success', is_error: false })
  expect(result?.result).toBe('Done in session 1, reply 3.')
  expect(await file('src/add.js')).toBe('export const add = (a, b) => a + b\n')
  expect(await file('one.txt')).toBe('one\n')
  expect(by).toEqual(['session 1, reply 1', 'session 1, reply 2', 'session 1, reply 3'])
})

test('two runs of the CLI are two sessions; the last entry serves the third', async () => {
  const { url, requests } = await play(
    'sessions: [{ replies: [{ text: first }] }, { replies: [{ text: "later: {{session}}" }] }]',
  )
  const texts: unknown[] = []
  for (const prompt of ['a', 'b', 'c']) texts.push((await runCli({ url, cwd, prompt })).result?.result)
  expect(texts).toEqual(['first', 'later: 2', 'later: 3'])
  expect(requests.map(({ session }) => session)).toEqual([1, 2, 3])
})

test('the usage figures reach the bill, turn by turn', async () => {
  const { result } = await session(
    one(
      '{ tool: { name: Bash, input: { command: ls } }, usage: { input: 1000, output: 50, cache-read: 7, cache-write: 3 } }',
      '{ text: done, usage: { input: 2000, output: 60 } }',
    ),
  )
  expect(result?.usage).toMatchObject({
    input_tokens: 3000,
    output_tokens: 110,
    cache_read_input_tokens: 7,
    cache_creation_input_tokens: 3,
  })
  expect(result?.total_cost_usd).toBeGreaterThan(0)
})

test('thinking and a tool input that is no JSON are taken as the CLI takes them', async () => {
  const { result, events } = await session(
    one('{ thinking: Hm., tool: { name: Write, input: "{oops" } }', '{ thinking: So., text: done }'),
  )
  expect(result?.result).toBe('done')
  expect(JSON.stringify(events)).toContain('could not be parsed as JSON')
})

test('a script that never ends runs into --max-turns', async () => {
  const { code, result, by } = await session(
    one('{ tool: { name: Bash, input: { command: "echo {{reply}} >> count.txt" } }, repeat: forever }'),
    { args: ['--max-turns', '3'] },
  )
  expect(code).toBe(1)
  expect(result?.subtype).toBe('error_max_turns')
  expect(by).toHaveLength(3)
  expect(await file('count.txt')).toBe('1\n2\n3\n')
})

test('a 401 that must not be retried ends the session at once', async () => {
  const { code, result, by } = await session(one(`{ error: { status: 401, headers: ${once} } }`))
  expect(code).toBe(1)
  expect(result).toMatchObject({ is_error: true, api_error_status: 401, terminal_reason: 'api_error' })
  expect(by).toHaveLength(1)
})

test('a 429 is retried within the session, and the script goes on', async () => {
  const { result, events, by } = await session(one('{ error: 429 }', '{ text: through }'))
  expect(result?.result).toBe('through')
  expect(events).toContainEqual(expect.objectContaining({ subtype: 'api_retry', error_status: 429 }))
  expect(by).toEqual(['session 1, reply 1', 'session 1, reply 2'])
})

test('repeated 529 answers end the session as overloaded', async () => {
  const { code, result, by } = await session(one('{ error: { status: 529 }, repeat: forever }'))
  expect(code).toBe(1)
  expect(result).toMatchObject({ is_error: true, api_error_status: 529 })
  expect(by).toHaveLength(3)
})

test('a stream cut in a text is asked for again without streaming', async () => {
  const { url, requests } = await play(one('{ text: never whole, cut: mid-text }', '{ text: in one piece }'))
  const { result } = await runCli({ url, cwd, env: noRetries })
  expect(result?.result).toBe('in one piece')
  expect(requests.map(({ body }) => body)).toMatchObject([{ stream: true }, {}])
  expect(requests[1]?.body).not.toHaveProperty('stream', true)
})

test('a rule can serve the fallback without streaming apart', async () => {
  const { result, by } = await session(
    `${one('{ text: never whole, cut: after-start }')}
rules: [{ when: { stream: false }, reply: { text: fallback } }]`,
    { env: noRetries },
  )
  expect(result?.result).toBe('fallback')
  expect(by).toEqual(['session 1, reply 1', 'rule 1'])
})

test('a stream cut after its tool call: the tool runs, and the session goes on', async () => {
  const { result } = await session(
    one('{ tool: { name: Bash, input: { command: echo hi > hi.txt } }, cut: after-tool }', '{ text: done }'),
    { env: noRetries },
  )
  expect(result?.result).toBe('done')
  expect(await file('hi.txt')).toBe('hi\n')
})

test('a connection dropped before any byte is an error of the connection', async () => {
  const { code, result } = await session(one('{ cut: before-headers, repeat: forever }'), { env: noRetries })
  expect(code).toBe(1)
  expect(result).toMatchObject({ is_error: true, api_error_status: null })
})

test('a hang with seconds goes on where it stopped', async () => {
  const { result, millis } = await session(
    one('{ text: slow but whole, hang: { at: mid-text, seconds: 1.2 } }'),
  )
  expect(result?.result).toBe('slow but whole')
  expect(millis).toBeGreaterThan(1200)
})

test.for(['before-headers', 'after-start', 'mid-text'])(
  'a hang at %s lasts until the CLI is killed, and does not hold up close()',
  async (at) => {
    const { url, requests, close } = await play(one(`{ text: never whole, hang: ${at}, repeat: forever }`))
    const kill = vi.waitUntil(() => requests.length > 0, { timeout: 20_000 }).then(() => sleep(500))
    const run = await runCli({ url, cwd, kill })
    expect(run).toMatchObject({ signal: 'SIGKILL', result: undefined })
    expect(requests).toHaveLength(1)
    const hanging = fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(requests[0]?.body) })
    const ended = expect(hanging.then((response) => response.text())).rejects.toThrow()
    await expect.poll(() => requests.length).toBe(2)
    const before = Date.now()
    await close()
    expect(Date.now() - before).toBeLessThan(200)
    await ended
  },
)

test('a rule reacts to what the request holds', async () => {
  const { result, by } = await session(
    `sessions:
  - replies:
      - tool: { name: Bash, input: { command: "echo FAIL in sum-17; exit 1" } }
      - text: not reached
rules:
  - when: { tool-result-contains: FAIL }
    reply: { text: "BLOCKED by {{match:FAIL in (\\\\S+)}} in {{cwd}}" }`,
  )
  expect(result?.result).toBe(`BLOCKED by sum-17 in ${cwd}`)
  expect(by).toEqual(['session 1, reply 1', 'rule 1'])
})

test('a review without tools and with a schema is told from the iterations by its system prompt', async () => {
  const { url, requests } = await play('with-review.yml')
  const review = {
    prompt: 'The diff: …',
    args: ['--tools', '', '--system-prompt', 'You review a diff.', '--json-schema', '{"type":"object"}'],
  }
  const runs = [await runCli({ url, cwd }), await runCli({ url, cwd, ...review }), await runCli({ url, cwd })]
  expect(runs.map(({ result }) => result?.result)).toEqual(['one', expect.any(String), 'two'])
  expect(runs[1]?.result?.structured_output).toEqual({ verdict: 'MERGE', findings: [] })
  expect(requests.map(({ session }) => session)).toEqual([1, null, 2])
})

test('a raw answer that is no answer', async () => {
  const { code, result } = await session(
    one('{ raw: { body: "<html>proxy</html>", content-type: text/html }, repeat: forever }'),
    { env: noRetries },
  )
  expect(code).toBe(1)
  expect(result?.is_error).toBe(true)
})

test('docs: the agent that misses a command says which', async () => {
  const { result } = await session(
    (await example('command not found')).replace('make check', 'no-such-make check'),
  )
  expect(result?.result).toBe('BLOCKED: no-such-make is not installed here')
})

test('docs: the bad day is played to its end', async () => {
  const { result, by, events } = await session(await example('Slow down'))
  expect(result).toMatchObject({ is_error: true, api_error_status: 401 })
  expect(by.map((reply) => reply.at(-1)).join('')).toBe('12345')
  expect(JSON.stringify(events)).toContain('This one comes late.')
})
