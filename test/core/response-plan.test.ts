import { expect, test } from 'vitest'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { planResponse, type Step } from '../../src/core/scenario/response-plan.ts'

const plan = (fields: string, stream = true): Step[] => {
  const parsed = parseScenario(`version: 1\nsessions: [{ replies: [{ ${fields} }] }]`)
  const reply = 'problems' in parsed ? undefined : parsed.scenario.sessions[0]?.replies[0]
  if (!reply) throw new Error(JSON.stringify(parsed))
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  return planResponse(reply, { model: 'claude-x', stream, number: 7, usage })
}

/** The steps as words: what is sent by its event names. */
const words = (steps: readonly Step[]): string[] =>
  steps.map((step) => {
    switch (step.do) {
      case 'wait':
        return `wait ${step.millis}`
      case 'head':
        return `head ${step.status}`
      case 'write':
        return /^event: (\S+)/.exec(step.text)?.[1] ?? 'body'
      case 'cut':
        return 'cut'
      default:
        return step satisfies never
    }
  })

const start = ['head 200', 'message_start']
const half = [...start, 'content_block_start', 'content_block_delta']
const text = [...half, 'content_block_delta', 'content_block_stop']
const tool = [
  ...text,
  'content_block_start',
  'content_block_delta',
  'content_block_delta',
  'content_block_stop',
]

test.for([
  ['before-headers', []],
  ['after-start', start],
  ['mid-text', half],
  ['after-text', text],
  ['after-tool', tool],
] as const)('a cut at %s comes after exactly what belongs before it', ([at, before]) => {
  const steps = words(plan(`text: ab, tool: { name: A }, cut: ${at}`))
  const arriving = at === 'before-headers' ? [] : ['wait 100']
  expect(steps.slice(0, steps.indexOf('cut'))).toEqual([...before, ...arriving])
})

test('a hang waits at its place and then goes on', () => {
  const steps = words(plan('text: ab, hang: { at: mid-text, seconds: 1.5 }, delay-ms: 20'))
  expect(steps).toEqual([
    'wait 20',
    ...half,
    'wait 1500',
    ...text.slice(half.length),
    'message_delta',
    'message_stop',
  ])
  expect(words(plan('text: ab, hang: before-headers'))[0]).toBe('wait null')
})

test.for([
  ['before-headers', 0],
  ['after-start', 0],
  ['mid-text', 0.5],
  ['after-text', 1],
] as const)('without streaming, a cut at %s leaves the body incomplete', ([at, share]) => {
  const whole = plan('text: abcdef', false)
  const length = whole.reduce((sum, step) => sum + (step.do === 'write' ? step.text.length : 0), 0)
  const steps = plan(`text: abcdef, cut: ${at}`, false)
  const sent = steps.slice(
    0,
    steps.findIndex((step) => step.do === 'cut'),
  )
  const bytes = sent.reduce((sum, step) => sum + (step.do === 'write' ? step.text.length : 0), 0)
  expect(bytes).toBe(share === 1 ? length - 1 : Math.ceil(length * share))
})

test('an error carries its status, type, message and headers, streamed or not', () => {
  const fields =
    'error: { status: 429, message: slow down, headers: { Retry-After: 2, x-should-retry: false } }'
  for (const stream of [true, false]) {
    const [head, body] = plan(fields, stream)
    expect(head).toMatchObject({
      status: 429,
      headers: {
        'content-type': 'application/json',
        'retry-after': '2',
        'x-should-retry': 'false',
        'request-id': 'req_scripted_00007',
      },
    })
    expect(body?.do === 'write' && JSON.parse(body.text)).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'slow down' },
      request_id: 'req_scripted_00007',
    })
  }
})

test('an error or a raw reply cut after its start has headers and no body', () => {
  expect(words(plan('error: 500, cut: after-start'))).toEqual(['head 500', 'wait 100', 'cut', 'body'])
  expect(words(plan('raw: text, cut: after-start'))).toEqual(['head 200', 'wait 100', 'cut', 'body'])
})

test('a raw reply is sent verbatim, as a stream to who asked for one', () => {
  expect(plan('raw: "event: x"')).toMatchObject([
    { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
    { do: 'write', text: 'event: x' },
  ])
  expect(plan('raw: "{}"', false)).toMatchObject([{ headers: { 'content-type': 'application/json' } }, {}])
  expect(
    plan('raw: { body: "<html>", status: 502, content-type: text/html, headers: { a: 1 } }'),
  ).toMatchObject([{ status: 502, headers: { 'content-type': 'text/html', a: '1' } }, { text: '<html>' }])
})

test('the stop reason follows from the content unless it is given', () => {
  const reason = (fields: string) =>
    /"stop_reason":"(\w+)"/.exec(JSON.stringify(plan(fields)).replaceAll('\\', ''))
  expect(reason('text: a')?.[1]).toBe('end_turn')
  expect(reason('tool: { name: A }')?.[1]).toBe('tool_use')
  expect(reason('text: a, stop-reason: max_tokens')?.[1]).toBe('max_tokens')
})
