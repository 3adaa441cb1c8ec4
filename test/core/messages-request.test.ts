import { expect, test } from 'vitest'
import { readModelRequest } from '../../src/core/scenario/messages-request.ts'

const read = (body: unknown, headers: Record<string, string> = {}) =>
  readModelRequest({ method: 'POST', path: '/v1/messages', headers, body, bytes: 0 })

const user = (content: unknown) => ({ role: 'user', content })

test('the texts of a request stand where the API puts them', () => {
  const result = { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'out' }] }
  expect(
    read({
      model: 'claude-x',
      stream: true,
      system: [{ type: 'text', text: 'you are' }],
      messages: [
        user([{ type: 'text', text: 'the task' }]),
        { role: 'system', content: 'the place' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] },
        user([result, { type: 'tool_result', tool_use_id: 'b', content: 'plain' }, { type: 'image' }]),
        { role: 'system', content: 'a note' },
      ],
    }),
  ).toEqual({
    model: 'claude-x',
    stream: true,
    conversation: null,
    fresh: false,
    system: 'you are\nthe place\na note',
    prompt: 'the task',
    lastUser: 'out\nplain\n',
    toolResults: 'out\nplain',
    texts: ['you are', 'the task', 'the place', '', 'out\nplain\n', 'a note'],
    cwd: '',
  })
})

test.for([
  [
    '2.1.332',
    [
      user('do'),
      { role: 'system', content: '# Environment\n - Primary working directory: /w/a b\n - Is a git' },
    ],
  ],
  ['--bare', [{ role: 'system', content: 'CWD: /w/a b\nDate: 2026-11-30' }]],
  ['older ones', [user('<env>\nWorking directory: /w/a b\nIs directory a git repo: No\n</env>')]],
  [
    '2.1.332, and a prompt with such a line',
    [
      user('Working directory: packages/api\n - Primary working directory: nowhere'),
      { role: 'system', content: ' - Primary working directory: /w/a b' },
    ],
  ],
] as const)('the working directory is found as Claude Code writes it: %s', ([, messages]) => {
  expect(read({ model: 'x', messages })?.cwd).toBe('/w/a b')
})

test.for([[undefined], ['text'], [{}], [{ model: 'x', messages: 'hi' }], [{ messages: [] }]] as const)(
  '%j is no request of the Messages API',
  ([body]) => {
    expect(read(body)).toBeNull()
  },
)
