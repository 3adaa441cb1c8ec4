import { errorBody, jsonPieces, type Piece, streamPieces } from './messages-api.ts'
import type { Fault, Headers, Reply, Usage } from './scenario.ts'

/** One thing to do on the connection. A plan that runs to its end ends the response. `millis` null: for ever. */
export type Step =
  | { do: 'wait'; millis: number | null }
  | { do: 'head'; status: number; headers: Headers }
  | { do: 'write'; text: string }
  | { do: 'cut' }

/** What a reply needs to become a response: the request's model and way, and the number of the request. */
export type Occasion = { model: string; stream: boolean; number: number; usage: Usage }

const id = (prefix: string, number: number): string => `${prefix}_scripted_${String(number).padStart(5, '0')}`

/**
 * Milliseconds between the last byte and a cut. Claude Code 2.1.332 throws away what it has not read when the
 * connection drops: without a pause, 10 of 12 runs did not see the tool call that had been sent whole.
 */
const timeToArrive = 100

const faultSteps = (fault: Fault): Step[] => {
  if (fault.type === 'hang') return [{ do: 'wait', millis: fault.millis }]
  return fault.at === 'before-headers'
    ? [{ do: 'cut' }]
    : [{ do: 'wait', millis: timeToArrive }, { do: 'cut' }]
}

const withFault = (head: Step, pieces: readonly Piece[], fault: Fault | null): Step[] => {
  const steps: Step[] = fault?.at === 'before-headers' ? [...faultSteps(fault), head] : [head]
  for (const { text, reaches } of pieces) {
    if (text !== '') steps.push({ do: 'write', text })
    if (fault !== null && reaches.includes(fault.at)) steps.push(...faultSteps(fault))
  }
  return steps
}

const wholeBody = (text: string): Piece[] => [
  { text: '', reaches: ['after-start'] },
  { text, reaches: [] },
]

const contentType = (stream: boolean): string =>
  stream ? 'text/event-stream; charset=utf-8' : 'application/json'

/** The steps that answer one request with `reply`. */
export const planResponse = (reply: Reply, occasion: Occasion): Step[] => {
  const { answer, delayMillis, fault } = reply
  const requestId = id('req', occasion.number)
  const head = (status: number, type: string, headers: Headers = {}): Step => ({
    do: 'head',
    status,
    headers: { 'content-type': type, 'request-id': requestId, ...headers },
  })
  const delay: Step[] = delayMillis > 0 ? [{ do: 'wait', millis: delayMillis }] : []
  switch (answer.type) {
    case 'message': {
      const tooled = answer.blocks.some((block) => block.type === 'tool')
      const message = {
        id: id('msg', occasion.number),
        model: occasion.model,
        blocks: answer.blocks,
        stopReason: answer.stopReason ?? (tooled ? 'tool_use' : 'end_turn'),
        usage: answer.usage ?? occasion.usage,
      }
      const pieces = occasion.stream ? streamPieces(message) : jsonPieces(message)
      return [...delay, ...withFault(head(200, contentType(occasion.stream)), pieces, fault)]
    }
    case 'error': {
      const body = errorBody(answer.kind, answer.message, requestId)
      const first = head(answer.status, 'application/json', answer.headers)
      return [...delay, ...withFault(first, wholeBody(body), fault)]
    }
    case 'raw': {
      const type = answer.contentType ?? contentType(occasion.stream)
      const first = head(answer.status, type, answer.headers)
      return [...delay, ...withFault(first, wholeBody(answer.body), fault)]
    }
    default:
      return answer satisfies never
  }
}

/** A plain error response of the API, for what no scenario answers. */
export const planError = (status: number, kind: string, message: string, number: number): Step[] =>
  planResponse(
    { answer: { type: 'error', status, kind, message, headers: {} }, delayMillis: 0, fault: null },
    { model: '', stream: false, number, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  )

/** A JSON body with status 200. */
export const planJson = (body: string, number: number): Step[] => [
  {
    do: 'head',
    status: 200,
    headers: { 'content-type': 'application/json', 'request-id': id('req', number) },
  },
  { do: 'write', text: body },
]
