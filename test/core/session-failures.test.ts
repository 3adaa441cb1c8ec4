import { describe, expect, it } from 'vitest'
import { nothingHeard } from '../../src/core/session/session-fold.ts'
import { following, now, told } from './heard-session.ts'
import { apiError, apiFailure, failed, reply, result, says } from './transcript.ts'

const failing = { exitCode: 1 }

describe('what the API refused', () => {
  it.each([
    ['authentication_failed', 401, 'auth'],
    ['authentication_failed', 403, 'auth'],
    ['authentication_failed', null, 'auth'],
    ['oauth_org_not_allowed', 403, 'auth'],
    ['billing_error', 400, 'auth'],
    ['rate_limit', 429, 'rate-limited'],
    ['server_error', 500, 'unavailable'],
    ['server_error', 529, 'unavailable'],
    ['server_error', null, 'unavailable'],
    ['overloaded', 529, 'unavailable'],
    ['model_not_found', 404, 'refused'],
    ['invalid_request', 413, 'context'],
    ['invalid_request', 400, 'crashed'],
    ['unknown', 400, 'crashed'],
    ['unknown', 502, 'unavailable'],
    ['word_of_tomorrow', 429, 'rate-limited'],
    ['word_of_tomorrow', 401, 'auth'],
  ])('F22: %s with status %s is %s', (error, status, end) => {
    const session = following([apiFailure(error, status), apiError(status)], failing)
    expect(session.end).toBe(end)
    expect(session.detail).toContain(error)
    expect(session.detail).toContain('API Error: it was refused')
  })

  it('the status alone is enough', () => {
    expect(following([apiError(529)], failing)).toMatchObject({ end: 'unavailable', turns: 0, costUsd: 0 })
  })

  it('F1: words in the text decide nothing', () => {
    const text = '401 invalid api key, rate limit, overloaded, credit balance'
    expect(following([says('m1', text), result({ result: text })]).end).toBe('completed')
    expect(
      following([says('m1', text), failed('error_during_execution', 'x', { result: text })], failing).end,
    ).toBe('crashed')
  })

  it('F20, F21: a rate limit tells when it resets, from either structured place', () => {
    const at = now / 1000 + 10_800
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: at } }
    const params = { api_error_params: { rate_limit_info: { status: 'rejected', resetsAt: at } } }
    expect(following([limit, apiFailure('rate_limit', 429), apiError(429)], failing).resetAt).toBe(at * 1000)
    expect(following([apiFailure('rate_limit', 429, params), apiError(429)], failing).resetAt).toBe(at * 1000)
    expect(following([apiFailure('rate_limit', 429), apiError(429)], failing).resetAt).toBeNull()
    expect(following([limit, says('m1', 'x'), result()]).resetAt).toBeNull()
  })
})

describe('without a result', () => {
  it.each([
    ['exit status 0', {}, 'crashed'],
    ['a crash', { exitCode: 134 }, 'crashed'],
    ['out of memory', { exitCode: null, signal: 'SIGKILL' }, 'crashed'],
    ['SIGTERM of others', { exitCode: 143 }, 'crashed'],
    ['an error', failing, 'crashed'],
  ] as const)('F5, R32, R33: %s in the middle', (_, ended, end) => {
    const session = following([says('m1', 'Half')], ended)
    expect(session).toMatchObject({ end, turns: 1, costUsd: null, text: 'Half', contextFill: null })
    expect(session.detail).not.toBe('')
  })

  it.each([
    ['F4: nothing at all, exit status 0', {}, 'crashed'],
    ['F70, F71: refused before any event', failing, 'refused'],
    ['ended by a signal before any event', { exitCode: null, signal: 'SIGSEGV' }, 'crashed'],
    ['not executable', { exitCode: 126 }, 'crashed'],
    ['out of memory before any event', { exitCode: 137 }, 'crashed'],
  ] as const)('%s', (_, ended, end) => {
    const session = told(nothingHeard, ended, { stderr: 'Error: no such flag\nmore' })
    expect(session).toMatchObject({ end, turns: 0, costUsd: null, model: '' })
    expect(session.detail).toContain('Error: no such flag more')
  })

  it('F70: a program that is not there', () => {
    const ended = { how: 'not started', exitCode: null, reason: '/x could not be started: ENOENT' } as const
    expect(told(nothingHeard, ended)).toMatchObject({
      end: 'refused',
      detail: '/x could not be started: ENOENT.',
    })
  })
})

it('a reply whose content is no list is a turn all the same', () => {
  expect(following([reply('m1', 'text'), result()]).turns).toBe(1)
})
