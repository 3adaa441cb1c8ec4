import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  logLine,
  type RecordedRequest,
  type ScriptedModel,
  serveScenario,
  startScriptedModel,
} from '../../src/adapters/scripted-model.ts'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { compiled } from '../fixtures/compiled.ts'

const endless = 'version: 1\nsessions: [{ replies: [{ text: hi, repeat: forever }] }]\n'
const body = { model: 'claude-x', stream: false, messages: [{ role: 'user', content: 'grüß' }] }

let folder = ''
const open: ScriptedModel[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-scripted-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()))
  await rm(folder, { recursive: true, force: true })
})

const start = async (
  text = endless,
  options: { port?: number; log?: (request: RecordedRequest) => void } = {},
): Promise<ScriptedModel> => {
  const parsed = parseScenario(text)
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  const model = await startScriptedModel({ scenario: parsed.scenario, ...options })
  open.push(model)
  return model
}

const ask = (url: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk-ant-secret-abcd', 'x-claude-code-session-id': 'one', ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })

test('every request is recorded as it came, and heard by log', async () => {
  const heard: RecordedRequest[] = []
  const { url, requests } = await start(endless, { log: (request) => heard.push(request) })
  const before = Date.now()
  await fetch(url, { method: 'HEAD' })
  const response = await ask(url)
  expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'hi' }] })
  expect(requests).toMatchObject([
    { method: 'HEAD', path: '/', body: '', bytes: 0, session: null, by: 'path' },
    {
      ...{ method: 'POST', path: '/v1/messages', session: 1, reply: 1, by: 'session 1, reply 1', body },
      headers: { 'x-api-key': 'sk-ant-secret-abcd' },
      bytes: Buffer.byteLength(JSON.stringify(body)),
    },
  ])
  expect(requests[1]?.at).toBeGreaterThanOrEqual(before)
  expect(heard).toEqual(requests)
})

test('the log line keeps the last four characters of a key, and of a short one nothing', () => {
  const request: RecordedRequest = {
    ...{ at: 1, method: 'POST', path: '/', body: null, bytes: 0, session: 1, reply: 1, by: 'path' },
    headers: { 'x-api-key': 'sk-ant-secret-abcd', authorization: 'Bearer 1', accept: 'application/json' },
  }
  const line = logLine(request)
  expect(line.endsWith('}\n')).toBe(true)
  expect(JSON.parse(line).headers).toEqual({
    'x-api-key': '…abcd',
    authorization: '…',
    accept: 'application/json',
  })
})

test('it listens on 127.0.0.1 only', async () => {
  const { url } = await start()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
  const reached = others.map(({ address }) => fetch(url.replace('127.0.0.1', address)))
  for (const attempt of await Promise.allSettled(reached)) expect(attempt.status).toBe('rejected')
})

test('a port that is taken rejects', async () => {
  const { url } = await start()
  await expect(start(endless, { port: Number(new URL(url).port) })).rejects.toThrow(/EADDRINUSE/)
})

test('after close() the port is free again', async () => {
  const { url, close } = await start()
  await ask(url)
  await close()
  await start(endless, { port: Number(new URL(url).port) })
})

/** A program that leaves one hanging answer, closes during another, and has nothing more to do. */
const program = (src: URL): string => `
import { startScriptedModel } from '${new URL('adapters/scripted-model.js', src)}'
import { parseScenario } from '${new URL('core/scenario/parse-scenario.js', src)}'
const parsed = parseScenario('{version: 1, sessions: [{replies: [{hang: after-start, repeat: forever}]}]}')
const model = await startScriptedModel(parsed)
const ask = (signal) => fetch(model.url + '/v1/messages', { method: 'POST', body: ${JSON.stringify(JSON.stringify(body))}, signal })
const leaving = new AbortController()
await ask(leaving.signal)
leaving.abort()
const open = (await ask()).text().catch(() => 'ended')
await model.close()
console.log(await open)
`

test('after close() nothing keeps the process alive', () => {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program(compiled()))
  const ran = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 8000 })
  expect(ran).toMatchObject({ stdout: 'ended\n', status: 0, signal: null })
})

test('a client that leaves a hanging answer leaves nothing behind, and the next is served', async () => {
  const once = 'version: 1\nsessions: [{ replies: [{ hang: before-headers }, { text: hi }] }]\n'
  const { url, requests } = await start(once)
  const leaving = new AbortController()
  const left = expect(ask(url, {}, leaving.signal)).rejects.toThrow()
  await expect.poll(() => requests.length).toBe(1)
  leaving.abort()
  await left
  expect(await (await ask(url)).json()).toMatchObject({ content: [{ text: 'hi' }] })
})

test('requests at the same time are answered apart', async () => {
  const { url, requests } = await start(
    'version: 1\nsessions: [{ replies: [{ text: "{{session}}.{{reply}}" }] }]\n',
  )
  const ids = ['a', 'b', 'c', 'd']
  const texts = await Promise.all(
    ids.map(async (id) => (await ask(url, { 'x-claude-code-session-id': id })).text()),
  )
  expect(new Set(requests.map(({ session }) => session)).size).toBe(4)
  for (const session of [1, 2, 3, 4]) expect(texts.join()).toContain(`"${session}.1"`)
})

test('a delay holds back the answer', async () => {
  const { url } = await start('version: 1\nsessions: [{ replies: [{ text: hi, delay-ms: 150 }] }]\n')
  const before = Date.now()
  await ask(url)
  expect(Date.now() - before).toBeGreaterThanOrEqual(140)
})

test('a request beyond 32 MiB is refused as the API refuses it', async () => {
  const { url, requests } = await start()
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    body: 'x'.repeat(32 * 1024 * 1024 + 1),
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } })
  expect(requests).toMatchObject([{ body: '', bytes: 32 * 1024 * 1024 + 1, by: 'path' }])
})

test('serveScenario plays a file, and logs without keys', async () => {
  const [file, log] = [join(folder, 'scenario.yml'), join(folder, 'log.jsonl')]
  await writeFile(file, endless)
  const served = await serveScenario(file, 0, log)
  if ('problems' in served) throw new Error(served.problems.join('\n'))
  open.push(served)
  await ask(served.url)
  await ask(served.url)
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).reply)).toEqual([1, 2])
  expect(lines.join()).not.toContain('secret')
})

test('serveScenario names every problem of a file, and rejects for one that is not there', async () => {
  const file = join(folder, 'scenario.yml')
  await writeFile(file, 'version: 2\nsession: []\n')
  expect(await serveScenario(file, 0)).toEqual({
    problems: [
      expect.stringMatching(/^version \(line 1\) is the number 2: write 1$/),
      expect.stringMatching(/^session \(line 2\) is no field here/),
    ],
  })
  await expect(serveScenario(join(folder, 'missing.yml'), 0)).rejects.toThrow(/ENOENT/)
})
