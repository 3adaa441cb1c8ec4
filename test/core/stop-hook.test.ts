import { expect, test } from 'vitest'
import { noteText } from '../../src/core/session/claude-settings.ts'
import { answerStop, noteIn } from '../../src/core/stop-hook.ts'

const asked = (more: object = {}) =>
  JSON.stringify({ hook_event_name: 'Stop', session_id: 'x', stop_hook_active: false, ...more })
const note = 'You have used 32 of 40 turns of this session. Finish.'

test('D2: a note that was not heard yet is told in the form that the CLI honours, with the documents’ key', () =>
  expect(answerStop(asked(), `${note}\n`)).toEqual({
    decision: 'block',
    reason: note,
    hookSpecificOutput: { hookEventName: 'Stop', reasonForBlocking: note },
  }))

test.each([
  ['no note waits', asked(), ''],
  ['the note is blank', asked(), ' \n'],
  ['R23: the stop was blocked already', asked({ stop_hook_active: true }), note],
  ['the input is empty', '', note],
  ['the input is no JSON', '{"hook', note],
  ['the input is null', 'null', note],
  ['the input is a number', '3', note],
])('it passes when %s', (_, input, text) => expect(answerStop(input, text)).toBeNull())

test('an older CLI that does not say whether it was blocked is told once per note', () =>
  expect(answerStop('{}', note)?.reason).toBe(note))

test('a note is read back from the form in which it waits for the next tool call', () => {
  expect(noteIn(noteText('Finish now.'))).toBe('Finish now.')
  for (const file of ['', 'Finish now.', '[]', '{"hookSpecificOutput":{"additionalContext":7}}'])
    expect(noteIn(file)).toBe('')
})
