import { expect, test } from 'vitest'
import type { HttpRequest } from '../../src/core/scenario/messages-request.ts'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import type { Step } from '../../src/core/scenario/response-plan.ts'
import type { Scenario } from '../../src/core/scenario/scenario.ts'
import { answer, maxBytes, startOfPlay } from '../../src/core/scenario/scripted-model.ts'

const scenario = (text: string): Scenario => {
  const parsed = parseScenario(`version: 1\n${text}`)
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.scenario
}

type Asked = Partial<{
  conversation: string
  messages: unknown[]
  system: string
  model: string
  stream: boolean
}>

const user = (content: unknown) => ({ role: 'user', content })
const assistant = { role: 'assistant', content: [{ type: 'text', text: 'so far' }] }

const request = ({ conversation = '', ...body }: Asked = {}): HttpRequest => ({
  method: 'POST',
  path: '/v1/messages?beta=true',
  headers: conversation === '' ? {} : { 'x-claude-code-session-id': conversation },
  body: { model: 'claude-x', stream: false, messages: [user('hi')], ...body },
  bytes: 100,
})

const bodyOf = (plan: readonly Step[]): string =>
  plan.map((step) => (step.do === 'write' ? step.text : '')).join('')

/** Plays the requests in turn; what each was answered by and with. */
const playAll = (played: Scenario, requests: readonly HttpRequest[]) => {
  let state = startOfPlay(played)
  return requests.map((each) => {
    const { plan, ...next } = answer(played, state, each)
    state = next.state
    const { by, session, reply } = next
    const head = plan.find((step) => step.do === 'head')
    return { by, session, reply, status: head?.status, body: bodyOf(plan), plan }
  })
}

const bys = (played: Scenario, requests: readonly HttpRequest[]): string[] =>
  playAll(played, requests).map(({ by }) => by)

const twoSessions = scenario(`
sessions:
  - replies: [{ text: a1 }, { text: a2 }]
  - replies: [{ text: b1 }]
`)

test('each session plays its own entry, whatever the order of the requests', () => {
  const [one, two] = [request({ conversation: 'one' }), request({ conversation: 'two' })]
  expect(bys(twoSessions, [one, two, one, one, two])).toEqual([
    'session 1, reply 1',
    'session 2, reply 1',
    'session 1, reply 2',
    'end of session 1',
    'end of session 2',
  ])
})

test('without a session id, a request without an assistant message begins a session', () => {
  const later = request({ messages: [user('hi'), assistant, user('go on')] })
  expect(bys(twoSessions, [request(), later, request(), later])).toEqual([
    'session 1, reply 1',
    'session 1, reply 2',
    'session 2, reply 1',
    'end of session 2',
  ])
})

test('a retried first request takes the next reply of the same session', () => {
  const retried = { ...request(), headers: { 'x-stainless-retry-count': '1' } }
  expect(bys(twoSessions, [request(), retried])).toEqual(['session 1, reply 1', 'session 1, reply 2'])
})

test('the session id is also found in the metadata', () => {
  const named = (id: string) =>
    request({ metadata: { user_id: JSON.stringify({ session_id: id }) } } as Asked)
  expect(bys(twoSessions, [named('x'), named('y'), named('x')]).at(-1)).toBe('session 1, reply 2')
})

test('sessions beyond the list repeat its last entry, or end at once with after: end', () => {
  const requests = ['1', '2', '3'].map((conversation) => request({ conversation }))
  expect(bys(twoSessions, requests).at(-1)).toBe('session 3, reply 1')
  expect(playAll(twoSessions, requests).at(-1)?.body).toContain('b1')
  const last = playAll({ ...twoSessions, after: 'end' }, requests).at(-1)
  expect(last?.by).toBe('end of session 3')
  expect(JSON.parse(last?.body ?? '')).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] })
})

test('a reply serves as many requests as repeat says', () => {
  const played = scenario(`
sessions:
  - replies: [{ error: 529, repeat: 2 }, { text: once }, { text: on, repeat: forever }]
`)
  const requests = Array.from({ length: 6 }, () => request({ conversation: 'one' }))
  expect(bys(played, requests).map((by) => by.replace('session 1, reply ', ''))).toEqual([
    ...['1', '1', '2', '3', '3', '3'],
  ])
})

test('message ids, tool ids and request ids are distinct over the whole play', () => {
  const played = scenario('sessions: [{ replies: [{ tool: [{ name: A }, { name: B }], repeat: forever }] }]')
  const answers = playAll(
    played,
    ['1', '1', '2'].map((conversation) => request({ conversation })),
  )
  const ids = answers.flatMap(({ body }) => [...body.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id))
  expect(ids).toHaveLength(9)
  expect(new Set(ids).size).toBe(9)
})

const rule = (when: string, more = ''): Scenario =>
  scenario(`
sessions: [{ replies: [{ text: scripted, repeat: forever }] }]
rules: [{ when: ${when}, ${more} reply: { text: ruled } }]
`)

const toolResult = { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'exit 1 ' }] }
const full = request({
  conversation: 'one',
  system: 'You review code.',
  model: 'claude-haiku-5',
  messages: [
    user('Task: add'),
    { role: 'system', content: [{ type: 'text', text: '# Environment' }] },
    assistant,
    user([toolResult, { type: 'text', text: 'note' }]),
  ],
})

test.for([
  ['{ contains: review }', true],
  ['{ contains: review, in: system }', true],
  ['{ contains: Environment, in: system }', true],
  ['{ contains: review, in: last-user }', false],
  ['{ contains: note, in: last-user }', true],
  ['{ contains: exit 1, in: last-user }', true],
  ['{ contains: Task, in: last-user }', false],
  ['{ contains: Task, in: prompt }', true],
  ['{ contains: so far, in: any }', true],
  ['{ contains: so far, in: prompt }', false],
  ['{ matches: "^exit \\\\d" }', true],
  ['{ matches: "^xit" }', false],
  ['{ tool-result-contains: exit }', true],
  ['{ tool-result-contains: note }', false],
  ['{ model: haiku }', true],
  ['{ model: opus }', false],
  ['{ session: 1, reply: 1 }', true],
  ['{ session: 2 }', false],
  ['{ reply: 2 }', false],
  ['{ stream: false }', true],
  ['{ stream: true }', false],
  ['{ contains: review, model: opus }', false],
  ['{}', true],
] as const)('a rule with %s: %s', ([when, expected]) => {
  expect(bys(rule(when), [full])).toEqual([expected ? 'rule 1' : 'session 1, reply 1'])
})

test('a rule answers at most as often as times says', () => {
  const requests = Array.from({ length: 3 }, () => request({ conversation: 'one' }))
  expect(bys(rule('{ contains: hi }', 'times: 2,'), requests)).toEqual([
    'rule 1',
    'rule 1',
    'session 1, reply 1',
  ])
})

test('what a rule answers, the script does not lose', () => {
  const played = { ...twoSessions, rules: rule('{ reply: 2 }').rules }
  const requests = Array.from({ length: 3 }, () => request({ conversation: 'one' }))
  expect(bys(played, requests)).toEqual(['session 1, reply 1', 'rule 1', 'session 1, reply 2'])
})

test('a session that only rules by content answer takes no number: a review does not shift the iterations', () => {
  const played = { ...twoSessions, rules: rule('{ contains: review, in: system }').rules }
  const review = request({ conversation: 'review', system: 'review' })
  const answers = playAll(played, [
    request({ conversation: 'one' }),
    review,
    request({ conversation: 'two' }),
  ])
  expect(answers.map(({ by, session }) => [by, session])).toEqual([
    ['session 1, reply 1', 1],
    ['rule 1', null],
    ['session 2, reply 1', 2],
  ])
})

test('a session answered by a rule that names its number keeps that number', () => {
  const played = { ...twoSessions, rules: rule('{ session: 2 }').rules }
  const requests = ['1', '2', '2', '3'].map((conversation) => request({ conversation }))
  expect(bys(played, requests)).toEqual(['session 1, reply 1', 'rule 1', 'rule 1', 'session 3, reply 1'])
})

test('placeholders are filled from the request', () => {
  const played = scenario(`
sessions:
  - replies:
      - text: "{{session}}.{{reply}} at {{cwd}}: {{match:ST-(\\\\d+)}} {{match:[0-9a-f]{8}}} {{match:none}} {{other}}"
        tool: { name: Write, input: { "{{cwd}}": ["{{reply}}", 1, null] } }
`)
  const messages = [
    user('old ST-001, commit 0123abcd'),
    { role: 'system', content: ' - Primary working directory: /tmp/a b\n - Is a git repository: false' },
    user('new ST-002'),
  ]
  const [played1] = playAll(played, [request({ messages })])
  expect(JSON.parse(played1?.body ?? '').content).toEqual([
    { type: 'text', text: '1.1 at /tmp/a b: 002 0123abcd {{match:none}} {{other}}' },
    expect.objectContaining({ name: 'Write', input: { '/tmp/a b': ['1', 1, null] } }),
  ])
})

test('paths beside the messages', () => {
  const at = (method: string, path: string, more: Partial<HttpRequest> = {}) => ({
    ...request(),
    ...{ method, path, ...more },
  })
  const answers = playAll(twoSessions, [
    at('HEAD', '/'),
    at('GET', '/api/hello'),
    at('POST', '/v1/messages/count_tokens?beta=true', {
      body: { model: 'x', messages: [user('a'.repeat(400))] },
    }),
    at('GET', '/v1/messages'),
    at('POST', '/v1/complete'),
    at('POST', '/v1/messages', { body: 'no JSON' }),
    at('POST', '/v1/messages', { bytes: maxBytes + 1 }),
    at('POST', '/v1/messages'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 400, 413, 200])
  expect(answers[2]?.body).toBe('{"input_tokens":100}')
  expect(JSON.parse(answers[4]?.body ?? '')).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error' },
  })
  expect(answers.at(-1)?.by).toBe('session 1, reply 1')
})
