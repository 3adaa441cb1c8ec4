import { describe, expect, it } from 'vitest'
import { init, result, retry, says } from '../core/transcript.ts'
import { playing, temporary } from './session-fixture.ts'

const begin = { start: true }
const done = { print: result() }
const turn = { print: says('m1', 'Done.') }

describe('supervision', () => {
  it('F27, R31: one that stays after its result is ended after the grace time', {
    timeout: 20_000,
  }, async () => {
    using place = temporary()
    const { session, millis, left } = await playing(place, [begin, turn, done, { sleep: 600_000 }])
    expect(session).toMatchObject({ end: 'completed', text: 'Done.' })
    expect(session.warnings).toEqual(['The CLI did not end by itself after its result and was ended.'])
    expect(millis).toBeGreaterThan(4900)
    expect(millis).toBeLessThan(8000)
    expect(left).toBe(0)
  })

  it('F27, F28: what it leaves running with its output held open is ended with it', async () => {
    using place = temporary()
    const { session, millis, left } = await playing(place, [
      begin,
      turn,
      { run: 'sleep 300 & setsid sleep 300 & nohup sleep 300 &' },
      { sleep: 100 },
      done,
      { exit: 0 },
    ])
    expect(session).toMatchObject({ end: 'completed', warnings: [] })
    expect(millis).toBeLessThan(3000)
    expect(left).toBe(0)
  })

  const limits = { turns: 5, usd: 5, millis: 60_000, idleMillis: 30_000 }

  it('F3: one that ignores its turn limit is ended two turns above it, and is no success', async () => {
    using place = temporary()
    const { session, left } = await playing(place, [begin, { turns: null, every: 30 }], { limits })
    expect(session.end).toBe('turns')
    expect(session.turns).toBeGreaterThanOrEqual(7)
    expect(session.turns).toBeLessThanOrEqual(8)
    expect(session.detail).toContain('5-turn limit')
    expect(left).toBe(0)
  })

  it('F29: silence in the middle is ended at the idle limit', async () => {
    using place = temporary()
    const idle = { ...limits, idleMillis: 1000 }
    const { session, millis } = await playing(place, [begin, turn, { sleep: 600_000 }], { limits: idle })
    expect(session).toMatchObject({ end: 'stalled', turns: 1, text: 'Done.' })
    expect(millis).toBeGreaterThan(900)
    expect(millis).toBeLessThan(3000)
  })

  it('F29: silence shorter than the idle limit is not', async () => {
    using place = temporary()
    const idle = { ...limits, idleMillis: 1000 }
    const pause = [{ sleep: 600 }, { print: { type: 'system', subtype: 'task_progress' } }]
    const { session } = await playing(place, [begin, ...pause, ...pause, ...pause, turn, done], {
      limits: idle,
    })
    expect(session.end).toBe('completed')
  })

  it('F22: an API that never answers is told as such, repeated requests being no sign of life', async () => {
    using place = temporary()
    const idle = { ...limits, idleMillis: 1000 }
    const again = [{ print: retry(null) }, { sleep: 400 }]
    const { session } = await playing(place, [begin, ...again, ...again, ...again, ...again, turn, done], {
      limits: idle,
    })
    expect(session).toMatchObject({ end: 'unavailable', turns: 0 })
  })

  it('its wall time is a bound', async () => {
    using place = temporary()
    const { session, millis } = await playing(place, [begin, { turns: 1 }, { sleep: 600_000 }], {
      limits: { ...limits, millis: 800 },
    })
    expect(session).toMatchObject({ end: 'minutes', detail: 'It was ended at its time limit of 0.8 s.' })
    expect(millis).toBeLessThan(2500)
  })

  it('R15: a refused credential that the CLI would try again for minutes ends at once', async () => {
    using place = temporary()
    const { session, millis } = await playing(place, [
      begin,
      { print: retry(401) },
      { sleep: 600_000 },
      { print: retry(401) },
    ])
    expect(session).toMatchObject({ end: 'auth', turns: 0 })
    expect(millis).toBeLessThan(2000)
  })

  it('D4: one whose settings were not taken is ended before it does anything', async () => {
    using place = temporary()
    const { session, millis, turns } = await playing(place, [{ print: init() }, { sleep: 300 }, turn, done])
    expect(session).toMatchObject({ end: 'refused', turns: 0 })
    expect(turns).toEqual([])
    expect(millis).toBeLessThan(1500)
  })

  it('a cancel ends it, also one that listens to no signal, well within 7 s', {
    timeout: 20_000,
  }, async () => {
    using place = temporary()
    const control = new AbortController()
    const hearing = { onTurn: () => control.abort('SIGTERM') }
    const steps = [
      { ignore: ['SIGINT', 'SIGTERM'] },
      begin,
      { run: 'setsid sleep 300 &' },
      { turns: 1 },
      { sleep: 600_000 },
    ]
    const { session, millis, left } = await playing(place, steps, { signal: control.signal, ...hearing })
    expect(session).toMatchObject({ end: 'cancelled', turns: 1 })
    expect(millis).toBeLessThan(5500)
    expect(left).toBe(0)
  })

  it('cancelled before its start, it is not started', async () => {
    using place = temporary()
    const { session, given } = await playing(place, [begin, done], { signal: AbortSignal.abort('SIGINT') })
    expect(session).toMatchObject({ end: 'cancelled', turns: 0, model: '' })
    expect(given).toThrow('ENOENT')
  })

  it('what a callback throws is thrown, and nothing is left running', async () => {
    using place = temporary()
    const onTurn = () => {
      throw new Error('no space left')
    }
    await expect(playing(place, [begin, turn, { sleep: 600_000 }], { onTurn })).rejects.toThrow(
      'no space left',
    )
  })
})
