import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bash, modelWith, requestTo, run, temporary, toolResults } from './session-fixture.ts'

const limits = { turns: 10, usd: 5, millis: 60_000, idleMillis: 30_000 }
const forever = (reply: object) => ({ ...reply, repeat: 'forever' })
const long = 'node -e "setTimeout(() => {}, 300000)"'
const later = async (test: () => boolean) => {
  for (let i = 0; i < 1000 && !test(); i++) await new Promise((next) => setTimeout(next, 10))
}

describe('how a session of the real CLI ends', () => {
  it('F1: at its turn limit, with its cost and its work', async () => {
    using place = temporary()
    await using model = await modelWith([forever(bash('true'))])
    const { session } = await run(requestTo(model, place, { limits: { ...limits, turns: 3 } }))
    expect(session).toMatchObject({
      end: 'turns',
      turns: 3,
      detail: 'It stopped at its 3-turn limit, after 3 turns.',
    })
    expect(session.costUsd).toBeGreaterThan(0)
    expect(model.requests.length).toBe(3)
  })

  it('F24: at its money limit, overshot by one reply at most', async () => {
    using place = temporary()
    await using model = await modelWith([
      forever({ ...bash('true'), usage: { input: 10_000, output: 1000 } }),
    ])
    const { session } = await run(requestTo(model, place, { limits: { ...limits, usd: 0.15 } }))
    const each = (session.costUsd ?? 0) / session.turns
    expect(session.end).toBe('usd')
    expect(session.costUsd).toBeGreaterThanOrEqual(0.15)
    expect(session.costUsd).toBeLessThan(0.15 + each)
  })

  it.each([
    ['R15: 401, which the CLI alone would repeat for three minutes', { error: 401 }, 'auth', 1],
    ['403', { error: 403 }, 'auth', 1],
    ['refused credit', { error: { status: 400, message: 'Your credit balance is too low' } }, 'auth', 1],
    [
      'F20: a rate limit whose reset is far',
      { error: { status: 429, headers: { 'retry-after': '100' } } },
      'rate-limited',
      1,
    ],
    ['F22: 529', { error: 529 }, 'unavailable', 3],
    [
      '500 that is not to be repeated',
      { error: { status: 500, headers: { 'x-should-retry': 'false' } } },
      'unavailable',
      1,
    ],
    ['an unknown model', { error: { status: 404, type: 'not_found_error' } }, 'refused', 2],
    [
      'a full context',
      { error: { status: 400, message: 'prompt is too long: 205000 tokens > 200000 maximum' } },
      'context',
      1,
    ],
    ['413', { error: 413 }, 'context', 1],
  ])('%s', async (_, reply, end, requests) => {
    using place = temporary()
    await using model = await modelWith([forever(reply)])
    const { session, millis } = await run(requestTo(model, place))
    expect(session).toMatchObject({ end, turns: 0 })
    expect(model.requests.length).toBe(requests)
    expect(millis).toBeLessThan(20_000)
  })

  it('R15: a refused credential is acted on within 2 s of its request', async () => {
    using place = temporary()
    await using model = await modelWith([forever({ error: 401 })])
    const { session } = await run(requestTo(model, place))
    expect(session.end).toBe('auth')
    expect(Date.now() - (model.requests[0]?.at ?? 0)).toBeLessThan(2000)
  })

  it('F21: the limit of a subscription tells when it resets', async () => {
    using place = temporary()
    const reset = Math.floor(Date.now() / 1000) + 10_800
    const headers = {
      'retry-after': '10000',
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(reset),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    }
    await using model = await modelWith([{ error: { status: 429, headers } }])
    const credential = { kind: 'subscription', value: 'sk-ant-oat01-x' } as const
    const { session } = await run(requestTo(model, place, { credential }))
    expect(session).toMatchObject({ end: 'rate-limited', resetAt: reset * 1000 })
  })

  it('F22: three times 529, then an answer: a success that tells of the repetitions', async () => {
    using place = temporary()
    await using model = await modelWith([{ error: 529 }, { error: 529 }, { text: 'done' }])
    const { session } = await run(requestTo(model, place))
    expect(session).toMatchObject({ end: 'completed', turns: 1, text: 'done' })
    expect(session.warnings).toEqual(['The CLI repeated 2 requests that failed (last: status 529).'])
  })

  it.each(['before-headers', 'after-start', 'mid-text'])(
    'R30, F29: an API that says nothing more %s is ended at the idle limit',
    async (hang) => {
      using place = temporary()
      await using model = await modelWith([bash('true'), forever({ text: 'never whole', hang })])
      const { session, left } = await run(
        requestTo(model, place, { limits: { ...limits, idleMillis: 2000 } }),
      )
      // Without headers the CLI may have begun to repeat the request, which is told apart.
      expect(session.end).toMatch(hang === 'before-headers' ? /stalled|unavailable/ : /stalled/)
      // Cut off in the middle, the CLI may ask once more, and the model begins another message.
      expect([1, 2]).toContain(session.turns)
      expect(left).toBe(0)
    },
  )

  it('F29: no command may take as long as the idle limit, and one that takes too long is ended by the CLI', async () => {
    using place = temporary()
    await using model = await modelWith([bash(long, { timeout: 1000 }), { text: 'It took too long.' }])
    const { session } = await run(requestTo(model, place))
    expect(session).toMatchObject({ end: 'completed', text: 'It took too long.' })
    expect(toolResults(model.requests[1]).join()).toContain('timed out')
    expect(JSON.stringify(model.requests[0]?.body)).toContain('max 24000 for a foreground command')
  })
})

describe('what of it is left', () => {
  it.each([
    ['waits for the API', [{ text: 'never', hang: 'before-headers' }]],
    ['runs a command', [bash(long)]],
    ['runs one that listens to no signal', [bash(`trap "" INT TERM HUP; ${long} & trap "" INT TERM; wait`)]],
  ])('a cancel while it %s ends everything, and its cost is known', async (_, replies) => {
    using place = temporary()
    const control = new AbortController()
    await using model = await modelWith([bash('true'), ...replies])
    const running = run(requestTo(model, place, { signal: control.signal }))
    await later(() => model.requests.length === 2)
    await new Promise((next) => setTimeout(next, 400))
    const began = performance.now()
    control.abort('SIGINT')
    const { session, left } = await running
    expect(performance.now() - began).toBeLessThan(5000)
    expect(session.end).toBe('cancelled')
    expect(session.costUsd).toBeGreaterThan(0)
    expect(left).toBe(0)
  })

  it('F28: a server left running by nohup, setsid or in the background is gone, and its port free', async () => {
    using place = temporary()
    const listen = (port: number) =>
      `node -e 'require("net").createServer().listen(${port})' >/dev/null 2>&1 &`
    const command = `nohup ${listen(14_101)} disown; setsid ${listen(14_102)} ${listen(14_103)} (setsid sh -c "${listen(14_104).replaceAll('"', '\\"')}") ; sleep 0.8; echo started`
    await using model = await modelWith([bash(command), { text: 'done' }])
    const { session, left } = await run(requestTo(model, place))
    expect(session.end).toBe('completed')
    expect(left).toBe(0)
    for (const port of [14_101, 14_102, 14_103, 14_104]) {
      const server = createServer()
      await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, listening))
      await new Promise((closed) => server.close(closed))
    }
  })

  it('F27: a background task does not keep it: there are none', async () => {
    using place = temporary()
    await using model = await modelWith([bash(long, { run_in_background: true }), { text: 'done' }])
    const { session, millis } = await run(
      requestTo(model, place, { limits: { ...limits, idleMillis: 8000 } }),
    )
    expect(session).toMatchObject({ end: 'completed', warnings: [] })
    expect(millis).toBeLessThan(12_000)
  })
})
