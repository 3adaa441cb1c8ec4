import { errorKind } from './messages-api.ts'
import { type HttpRequest, type ModelRequest, readModelRequest } from './messages-request.ts'
import { planError, planJson, planResponse, type Step } from './response-plan.ts'
import type { Condition, Reply, Scenario, ScriptedReply } from './scenario.ts'
import { fillReply } from './template.ts'

/**
 * One conversation. `number` is its place among the sessions, null as long as only rules answered it; `requests`
 * counts all its requests; `played` counts those that its script answered.
 */
type Conversation = { number: number | null; requests: number; played: number }

export type PlayState = {
  /** All requests, of any path. */
  requests: number
  /** Sessions that have a number. */
  numbered: number
  /** Conversations without a name of their own, told apart by their first request. */
  nameless: number
  conversations: Readonly<Record<string, Conversation>>
  /** How often each rule answered. */
  fired: readonly number[]
}

export const startOfPlay = (scenario: Scenario): PlayState => ({
  requests: 0,
  numbered: 0,
  nameless: 0,
  conversations: {},
  fired: scenario.rules.map(() => 0),
})

/** What happened to a request: `session` and `reply` count from 1, null where they do not apply. */
export type Played = {
  state: PlayState
  plan: Step[]
  session: number | null
  reply: number | null
  /** Who answered: `rule 1`, `session 2, reply 3`, `end of session 2`, `path`. Scenario entries count from 1. */
  by: string
}

const textIn = (request: ModelRequest, place: Condition['in']): string => {
  switch (place) {
    case 'any':
      return request.texts.join('\n')
    case 'last-user':
      return request.lastUser
    case 'prompt':
      return request.prompt
    case 'system':
      return request.system
    default:
      return place satisfies never
  }
}

const holds = (when: Condition, request: ModelRequest, session: number, reply: number): boolean =>
  (when.contains === null || textIn(request, when.in).includes(when.contains)) &&
  (when.matches === null || new RegExp(when.matches, 'm').test(textIn(request, when.in))) &&
  (when.toolResultContains === null || request.toolResults.includes(when.toolResultContains)) &&
  (when.session === null || when.session === session) &&
  (when.reply === null || when.reply === reply) &&
  (when.model === null || request.model.includes(when.model)) &&
  (when.stream === null || when.stream === request.stream)

const atEnd: Reply = {
  answer: {
    type: 'message',
    blocks: [{ type: 'text', text: 'The scenario has no further reply for this session.' }],
    stopReason: null,
    usage: null,
  },
  delayMillis: 0,
  fault: null,
}

/** The reply at place `played` (from 0) of a script whose replies may serve several requests each. */
const scripted = (replies: readonly ScriptedReply[], played: number) => {
  let served = 0
  for (const [index, reply] of replies.entries()) {
    if (reply.times === null || played < served + reply.times) return { reply, place: index + 1 }
    served += reply.times
  }
  return null
}

const scriptOf = ({ sessions, after }: Scenario, session: number): readonly ScriptedReply[] =>
  (sessions[session - 1] ?? (after === 'repeat' ? sessions.at(-1) : undefined))?.replies ?? []

type Choice = { reply: Reply; by: string; rule: number | null }

const choose = (
  scenario: Scenario,
  state: PlayState,
  request: ModelRequest,
  session: number,
  { requests, played }: Conversation,
): Choice => {
  const rule = scenario.rules.findIndex(
    ({ when, times }, index) =>
      (times === null || (state.fired[index] ?? 0) < times) && holds(when, request, session, requests),
  )
  const found = scenario.rules[rule]
  if (found !== undefined) return { reply: found.reply, by: `rule ${rule + 1}`, rule }
  const next = scripted(scriptOf(scenario, session), played)
  if (next === null) return { reply: atEnd, by: `end of session ${session}`, rule: null }
  return { reply: next.reply, by: `session ${session}, reply ${next.place}`, rule: null }
}

const playMessage = (scenario: Scenario, state: PlayState, request: ModelRequest): Played => {
  const begun = request.conversation === null && (request.fresh || state.nameless === 0) ? 1 : 0
  const nameless = state.nameless + begun
  const name = request.conversation ?? `nameless ${nameless}`
  const before = state.conversations[name] ?? { number: null, requests: 0, played: 0 }
  const now = { ...before, requests: before.requests + 1 }
  const session = before.number ?? state.numbered + 1
  const { reply, by, rule } = choose(scenario, state, request, session, now)
  const when = rule === null ? null : scenario.rules[rule]?.when
  const counts = !when || when.session !== null || when.reply !== null
  const after: Conversation = {
    ...now,
    number: counts ? session : before.number,
    played: now.played + (rule === null ? 1 : 0),
  }
  const { cwd, texts, model, stream } = request
  const filled = fillReply(reply, { cwd, session, reply: now.requests, texts })
  return {
    state: {
      ...state,
      nameless,
      numbered: Math.max(state.numbered, after.number ?? 0),
      conversations: { ...state.conversations, [name]: after },
      fired: state.fired.map((times, index) => (index === rule ? times + 1 : times)),
    },
    plan: planResponse(filled, { model, stream, number: state.requests, usage: scenario.usage }),
    session: after.number,
    reply: now.requests,
    by,
  }
}

/** What the API takes at most. */
export const maxBytes = 32 * 1024 * 1024

/** About four characters to a token. */
const countTokens = (request: ModelRequest): string =>
  JSON.stringify({ input_tokens: Math.ceil(request.texts.join('').length / 4) })

/** Answers one request: the plan for the connection, and the state for the next one. */
export const answer = (scenario: Scenario, before: PlayState, http: HttpRequest): Played => {
  const state = { ...before, requests: before.requests + 1 }
  const number = state.requests
  const apart = (plan: Step[]): Played => ({ state, plan, session: null, reply: null, by: 'path' })
  const failed = (status: number, message: string) =>
    apart(planError(status, errorKind(status), message, number))
  const path = http.path.split('?')[0] ?? ''
  const greeting = path === '/' || path === '/api/hello'
  if (greeting && (http.method === 'GET' || http.method === 'HEAD')) return apart(planJson('{}', number))
  const known = path === '/v1/messages' || path === '/v1/messages/count_tokens'
  if (http.method !== 'POST' || !known) return failed(404, `The scripted model has no ${http.method} ${path}`)
  if (http.bytes > maxBytes) return failed(413, 'The request is larger than 32 MiB')
  const request = readModelRequest(http)
  if (request === null) return failed(400, 'The body is not a request of the Messages API')
  if (path !== '/v1/messages') return apart(planJson(countTokens(request), number))
  return playMessage(scenario, state, request)
}
