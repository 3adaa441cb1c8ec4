import { expect, test } from 'vitest'
import { parseScenario } from '../../src/core/scenario/parse-scenario.ts'
import { problemText } from '../../src/core/scenario/scenario-problems.ts'

const problems = (text: string): string[] => {
  const parsed = parseScenario(text)
  return 'problems' in parsed ? parsed.problems.map(problemText) : []
}

const scenario = (text: string) => {
  const parsed = parseScenario(text)
  if ('problems' in parsed) throw new Error(parsed.problems.map(problemText).join('\n'))
  return parsed.scenario
}

const reply = (fields: string): string => `version: 1\nsessions:\n  - replies:\n      - ${fields}\n`
const replyProblems = (fields: string): string[] =>
  problems(reply(fields)).map((problem) => problem.replace(/^sessions\[0\]\.replies\[0\]/, '').trim())

test('short forms are spelt out, and defaults filled in', () => {
  const { sessions, rules, usage, after } = scenario(`
version: 1
usage: { input: 5 }
sessions:
  - replies:
      - text: Hello
        tool: { name: Bash, input: { command: ls } }
        usage: { output: 7 }
      - error: 529
        repeat: forever
rules:
  - when: { contains: stop }
    reply: { hang: { at: after-start, seconds: 0.5 } }
`)
  expect(after).toBe('repeat')
  expect(usage).toEqual({ input: 5, output: 100, cacheRead: 0, cacheWrite: 0 })
  expect(sessions[0]?.replies[0]).toEqual({
    answer: {
      type: 'message',
      blocks: [
        { type: 'text', text: 'Hello' },
        { type: 'tool', name: 'Bash', input: { command: 'ls' } },
      ],
      stopReason: null,
      usage: { input: 5, output: 7, cacheRead: 0, cacheWrite: 0 },
    },
    delayMillis: 0,
    fault: null,
    times: 1,
  })
  expect(sessions[0]?.replies[1]).toMatchObject({
    answer: { type: 'error', status: 529, kind: 'overloaded_error' },
    times: null,
  })
  expect(rules[0]).toMatchObject({
    when: { contains: 'stop', in: 'any', session: null },
    times: null,
    reply: { fault: { type: 'hang', at: 'after-start', millis: 500 } },
  })
})

test('JSON is read as well as YAML', () => {
  const yaml = scenario('version: 1\nsessions:\n  - replies:\n      - text: hi\n')
  expect(scenario('{"version": 1, "sessions": [{"replies": [{"text": "hi"}]}]}')).toEqual(yaml)
})

test('every problem is reported at once, each with its path, its line and the fix', () => {
  expect(
    problems(`version: 2
nonsense:
  deep: 1
sessions:
  - replies:
      - tool: { nam: x }
      - hang: mid
      - error: 99
  - replies:
rules:
  - when: { in: nowhere, session: 0 }
`),
  ).toEqual([
    'version (line 1) is the number 2: write 1',
    'sessions[0].replies[0].tool.name (line 6) is missing: add a text',
    'sessions[0].replies[0].tool.nam (line 6) is no field here: remove it, or write one of name, input',
    'sessions[0].replies[1].hang (line 7) is the string "mid": write one of: before-headers, after-start, ' +
      'mid-text, after-text, after-tool, a map',
    'sessions[0].replies[2].error (line 8) is the number 99: write a number from 200 on',
    'sessions[1].replies (line 9) is empty: write a list',
    'rules[0].when.in (line 11) is the string "nowhere": write one of: last-user, prompt, system, any',
    'rules[0].when.session (line 11) is the number 0: write a number from 1 on',
    'rules[0].reply (line 11) is missing: add a map',
    'nonsense (line 2) is no field here: remove it, or write one of version, usage, after, sessions, rules',
  ])
})

test.for([
  ['text: a\n        error: 500', /^\(line 4\) holds a message .* and error: keep one of them$/],
  ['error: 500\n        raw: x', /holds error and raw: keep one of them$/],
  ['{}', /says nothing: add text/],
  ['delay-ms: 5', /says nothing: add text/],
  ['text: a\n        blocks: [{ text: b }]', /write them all as entries of blocks$/],
  ['blocks: [{ text: a, thinking: b }]', /blocks\[0\] .*exactly one of text, thinking and tool/],
  ['error: 500\n        usage: { input: 1 }', /^\.usage .*has no place in an error/],
  ['raw: x\n        stop-reason: end_turn', /^\.stop-reason .*has no place/],
  ['text: a\n        cut: mid-text\n        hang: mid-text', /holds hang and cut/],
  ['text: a\n        cut: after-tool', /^\.cut .*never reached: add a tool/],
  ['tool: { name: A }\n        hang: { at: after-text }', /^\.hang .*never reached: add a text/],
  ['error: 500\n        cut: mid-text', /^\.cut .*never reached: add a text or a tool/],
  ['text: "{{match:(}}"', /^\.text .*is no valid pattern .*Unterminated group/],
  ['tool: { name: A, input: { b: ["{{match:[}}"] } }', /^\.tool\.input\.b\[0\] .*is no valid pattern/],
  ['tool: { name: A, input: [1] }', /^\.tool\.input .*is a list: write one of: a map, a text$/],
  ['text: a\n        repeat: 0', /^\.repeat .*is the number 0: write a number from 1 on$/],
] as const)('a reply with %j is refused', ([fields, expected]) => {
  const found = replyProblems(fields)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(expected)
})

test.for([
  ['stop-reason: refusal'],
  ['cut: before-headers'],
  ['hang: after-start'],
  ['text: ""'],
  ['blocks: []'],
  ['blocks: [{ tool: { name: A } }]\n        cut: after-tool'],
  ['error: 500\n        cut: after-start'],
  ['tool: { name: A }\n        cut: mid-text'],
  ['text: "{{ github.token }} and {{other}}"'],
] as const)('a reply with %j is accepted', ([fields]) => {
  expect(replyProblems(fields)).toEqual([])
})

test.for([
  ['', /^the scenario is empty: write a map$/],
  ['[]', /is a list: write a map/],
  ['version: 1', /plays nothing: add sessions/],
  ['version: 1\nversion: 1\n', /\(line 2\) is no valid YAML or JSON: Map keys must be unique/],
  ['a: [', /\(line 1\) is no valid YAML or JSON/],
  ['a: *b', /is no valid YAML or JSON: Unresolved alias/],
  ['{"version": 1,', /is no valid YAML or JSON/],
  [
    'version: 1\nrules:\n  - when: { matches: "[" }\n    reply: { text: a }',
    /when\.matches \(line 3\) is no valid/,
  ],
  ['version: 1\nrules:\n  - when: { in: any }\n    reply: { text: a }', /when\.in .*add contains or matches/],
  ['version: 1\nrules:\n  - when: {}\n    reply: { text: a, repeat: 2 }', /reply\.repeat .*is no field here/],
  [
    'version: 1\nsessions:\n  - replies: [{ text: a, repeat: forever }, { text: b }]',
    /replies\[1\] .*never played, because reply 1 repeats forever/,
  ],
] as const)('a file with %j is refused', ([text, expected]) => {
  const found = problems(text)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(expected)
})
