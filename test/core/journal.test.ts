import { describe, expect, test } from 'vitest'
import { fold, journalHeader, journalLine, readJournal } from '../../src/core/journal.ts'
import { initialState } from '../../src/core/state.ts'
import { aVerdict, baseline, confirmed, history, iteration, pushed, started, worked } from './history.ts'

const red = aVerdict('fail', { feedback: 'expected “中 😀”\n\tgot "x\\n"' })
const green = aVerdict('pass')

/** A journal with every type of event in it. */
const events = history(
  started({ task: 'Naïve 課題 👩‍🚀\u2028"quotes" \\ and\nlines' }),
  baseline(red),
  iteration(1, 't1', red),
  { type: 'push-failed', why: 'network', text: 'It did not answer.', bundle: 'work.bundle' },
  { type: 'waited', millis: 1000, why: 'The limit resets.' },
  iteration(2, 't2', green),
  confirmed('t2', green, true),
  { type: 'sealed', commit: 'seal', tree: 't2' },
  pushed('t2'),
  { type: 'cancelled', signal: 'SIGINT' },
  { type: 'failed', reason: 'SETUP_FAILED', text: 'Line one.\nLine two.' },
  { type: 'stopped', stop: { reason: 'SUCCESS', detail: 'All is well.' } },
)
const text = journalHeader() + events.map(journalLine).join('')

test('what was written is read', () => {
  expect(readJournal(text)).toEqual(events)
  expect(fold(readJournal(text)).stop?.reason).toBe('SUCCESS')
})

test('an empty journal, or one whose first line is torn, holds nothing', () => {
  expect(readJournal('')).toEqual([])
  expect(readJournal('{"journal"')).toEqual([])
  expect(readJournal(journalHeader())).toEqual([])
  expect(fold([])).toBe(initialState)
})

test('F67: a journal torn at any byte holds exactly the events whose lines are whole', () => {
  const bytes = Buffer.from(text)
  for (let end = 0; end <= bytes.length; end += 1) {
    const torn = bytes.subarray(0, end)
    const lines = torn.filter((byte) => byte === 10).length
    expect(readJournal(torn.toString())).toHaveLength(Math.max(0, lines - 1))
  }
})

test('F67: every history folds, wherever it ends', () => {
  for (let end = 0; end <= events.length; end += 1)
    expect(fold(events.slice(0, end)).run === null).toBe(end === 0)
})

describe('F67: what is no journal is refused, and the line is named', () => {
  const third = (line: string) => `${journalHeader()}${journalLine(events[0]!)}${line}\n`
  test.each([
    ['another version', '{"journal":2}\n', 'not of version 1: its first line is {"journal":2}'],
    ['a state file', '{"iteration":3,"branch":"ralph"}\n', 'not of version 1'],
    ['null', 'null\n', 'not of version 1'],
    ['a list', '[]\n', 'not of version 1'],
    ['a number too large', '1e999\n', 'not of version 1'],
    ['text', 'hello\n', 'Line 1 of the journal is not JSON'],
    ['an empty first line', '\n', 'Line 1 of the journal is not JSON'],
    ['garbage in between', third('{"iteration": 3, "branch": "ra'), 'Line 3 of the journal is not JSON'],
    ['an empty line', third(''), 'Line 3 of the journal is not JSON'],
    ['an unknown type', third('{"at":1,"type":"dreamt"}'), 'Line 3 of the journal is no event'],
    [
      'an inherited name for a type',
      third('{"at":1,"type":"constructor"}'),
      'Line 3 of the journal is no event',
    ],
    ['no time', third('{"type":"pushed","sha":"a"}'), 'Line 3 of the journal is no event'],
    [
      'a time that is no number',
      third('{"at":"1","type":"pushed","sha":"a"}'),
      'Line 3 of the journal is no event',
    ],
    [
      'an event without its facts',
      third('{"at":1,"type":"session-ended"}'),
      'Line 3 of the journal is no event',
    ],
    [
      'facts of the wrong kind',
      third('{"at":1,"type":"judged","purpose":"verify","pristine":1,"tree":"t","verdict":{}}'),
      'Line 3 of the journal is no event',
    ],
    [
      'facts that are null',
      third('{"at":1,"type":"checkpointed","checkpoint":null}'),
      'Line 3 of the journal is no event',
    ],
    [
      'facts that are inherited',
      third('{"at":1,"type":"session-ended","__proto__":{"session":{}}}'),
      'Line 3 of the journal is no event',
    ],
    [
      'an unknown stop reason',
      third('{"at":1,"type":"stopped","stop":{"reason":"DONE","detail":"x"}}'),
      'Line 3 of the journal is no event',
    ],
    [
      'an unknown reason of a failure',
      third('{"at":1,"type":"failed","reason":"DONE","text":"x"}'),
      'Line 3 of the journal is no event',
    ],
  ])('%s', (_, journal, message) => expect(() => readJournal(journal)).toThrow(message))
})

test('__proto__ in a journal changes nothing but itself', () => {
  const line = '{"at":1,"type":"pushed","sha":"a","__proto__":{"polluted":true}}'
  const [event] = readJournal(`${journalHeader()}${line}\n`)
  expect(fold(event === undefined ? [] : [event]).pushed).toBe('a')
  expect('polluted' in {}).toBe(false)
})

test('a text of the agent cannot begin a line of the journal', () => {
  const [said] = history(
    worked({ text: 'a\n{"at":1,"type":"stopped","stop":{"reason":"SUCCESS","detail":"x"}}\n' }),
  )
  expect(said && journalLine(said).split('\n')).toHaveLength(2)
})
