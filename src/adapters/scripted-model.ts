import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseScenario } from '../core/scenario/parse-scenario.ts'
import type { Step } from '../core/scenario/response-plan.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import { problemText } from '../core/scenario/scenario-problems.ts'
import { answer, maxBytes, startOfPlay } from '../core/scenario/scripted-model.ts'

/** One request as it came, and who answered it. Headers are kept as sent, keys included: see `logLine`. */
export type RecordedRequest = {
  /** When it had arrived whole, epoch milliseconds. */
  at: number
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  /** The parsed JSON; the text when it is none. */
  body: unknown
  /** Size of the body. */
  bytes: number
  session: number | null
  reply: number | null
  by: string
}

export type ScriptedModel = {
  /** For `ANTHROPIC_BASE_URL`. */
  url: string
  /** All requests so far, in the order of their arrival. */
  requests: readonly RecordedRequest[]
  /** Ends every connection at once, hanging ones included. */
  close: () => Promise<void>
}

const secretHeaders = ['x-api-key', 'authorization']

const redacted = (value: string): string => `…${value.length > 8 ? value.slice(-4) : ''}`

/** A request as one line of JSON for a log file; of keys only the last four characters are left. */
export const logLine = (request: RecordedRequest): string => {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    secretHeaders.includes(name) ? redacted(value) : value,
  ])
  return `${JSON.stringify({ ...request, headers: Object.fromEntries(headers) })}\n`
}

const flatHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The body's text and size; the text is empty when the body is larger than the API takes. */
const readBody = async (request: IncomingMessage): Promise<{ text: string; bytes: number }> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return { text: bytes > maxBytes ? '' : Buffer.concat(chunks).toString('utf8'), bytes }
}

const parsedBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Longer than any run: a timer of Node holds at most 2^31 - 1 milliseconds. */
const forever = 2 ** 31 - 1

const perform = async (steps: readonly Step[], response: ServerResponse, signal: AbortSignal) => {
  for (const step of steps) {
    switch (step.do) {
      case 'wait':
        await sleep(step.millis ?? forever, undefined, { signal })
        break
      case 'head':
        response.writeHead(step.status, step.headers)
        response.flushHeaders()
        break
      case 'write':
        await new Promise((written) => response.write(step.text, written))
        break
      case 'cut':
        response.destroy()
        return
      default:
        step satisfies never
    }
  }
  response.end()
}

/**
 * Starts a server on 127.0.0.1 that speaks the Messages API and plays `scenario`. `port` 0 takes a free one.
 * `log` hears each request as it is answered. Rejects when the port is taken.
 */
export const startScriptedModel = async (options: {
  scenario: Scenario
  port?: number
  log?: (request: RecordedRequest) => void
}): Promise<ScriptedModel> => {
  const { scenario, port = 0, log } = options
  const requests: RecordedRequest[] = []
  let state = startOfPlay(scenario)

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const { text, bytes } = await readBody(request)
    const heard = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: flatHeaders(request.headers),
      body: parsedBody(text),
      bytes,
    }
    const played = answer(scenario, state, heard)
    state = played.state
    const { session, reply, by } = played
    const recorded = { at: Date.now(), ...heard, session, reply, by }
    requests.push(recorded)
    log?.(recorded)
    await perform(played.plan, response, gone.signal)
  }

  const server = createServer((request, response) => {
    // A client that leaves, or close(), ends the answer; the connection is gone then.
    serve(request, response).catch(() => response.destroy())
  })
  // Else a tool that runs for longer than five seconds races the next request with the end of its connection.
  server.keepAliveTimeout = 0
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/**
 * Plays a scenario file on `port`. `logFile` gets one line for each request, keys redacted.
 * Returns the problems, each one line with its fix, when the file is no valid scenario; rejects
 * when it cannot be read, the log file cannot be written, or the port is taken.
 */
export const serveScenario = async (
  file: string,
  port: number,
  logFile?: string,
): Promise<ScriptedModel | { problems: readonly string[] }> => {
  const parsed = parseScenario(await readFile(file, 'utf8'))
  if ('problems' in parsed) return { problems: parsed.problems.map(problemText) }
  const { scenario } = parsed
  if (logFile === undefined) return startScriptedModel({ scenario, port })
  appendFileSync(logFile, '')
  return startScriptedModel({ scenario, port, log: (request) => appendFileSync(logFile, logLine(request)) })
}
