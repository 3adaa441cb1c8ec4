import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/core/inputs/config.ts'
import { expression } from '../../src/core/inputs/input.ts'
import { allInputs } from '../../src/core/inputs/inputs.ts'
import { rawInputs } from '../../src/core/inputs/raw-inputs.ts'
import { accepted, refused } from './input-values.ts'

const key = 'sk-ant-fake-0123456789'
const enough = { task: 'Fix it', verify: 'npm test', 'anthropic-api-key': key }

/** A complete set of inputs, with changes. */
const given = (changes: Record<string, string> = {}) =>
  parseConfig('task-file' in changes ? { ...enough, task: '', ...changes } : { ...enough, ...changes })

const problemsOf = (changes: Record<string, string>) => {
  const result = given(changes)
  return result.ok ? [] : result.problems
}

const configOf = (changes: Record<string, string> = {}) => {
  const result = given(changes)
  if (!result.ok) throw new Error(result.problems.map((problem) => problem.message).join('\n'))
  return result.config
}

const bad = refused.flatMap(({ input, row, values }) =>
  values.map((value) => ({ input, row, value, short: value.slice(0, 80) })),
)

test.each(bad)('$row: $input refuses $short', ({ input, value }) => {
  const problems = problemsOf({ [input]: value })
  expect(problems.map((problem) => problem.input)).toEqual([input])
  const [problem] = problems
  // One or two sentences of a fault, then the fix; on one line, and short whatever the value.
  expect(problem?.message).toMatch(
    new RegExp(`^${input} .*\\. (Did you mean .*\\? )?(Give|Use|Leave|Raise|Write) .*\\.$`),
  )
  expect(problem?.message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  expect(problem?.message.length).toBeLessThan(700)
})

const good = accepted.flatMap(({ input, values }) =>
  values.map(([value, expected]) => ({ input, value, expected })),
)

test.each(good)('$input takes $short', ({ input, value, expected }) => {
  const declared = allInputs.find(({ name }) => name === input)
  if (declared === undefined) throw new Error(`no input ${input}`)
  const raw = rawInputs({ [input]: value }, allInputs)
  expect(raw.take(declared)).toEqual(expected)
  expect(raw.problems()).toEqual([])
})

test('the tables hold more than 400 values and every input', () => {
  expect(bad.length + good.length).toBeGreaterThan(400)
  const tried = new Set([...bad, ...good].map(({ input }) => input))
  expect(allInputs.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([
    'claude-code-oauth-token',
  ])
})

test('with the least that must be given, everything else has its default', () => {
  expect(configOf()).toEqual({
    task: { kind: 'text', text: 'Fix it' },
    goal: 'auto',
    verifier: {
      command: 'npm test',
      env: [],
      timeoutMillis: 1_800_000,
      confirmations: 'auto',
      report: null,
      tests: 'additive',
      protectedPaths: [],
    },
    bounds: {
      iterations: 10,
      turnsPerIteration: 40,
      turns: 400,
      usd: 5,
      usdEnforced: true,
      millis: 3_600_000,
      idleMillis: 720_000,
      windDownAt: 80,
    },
    agent: {
      model: null,
      fallbackModel: null,
      effort: null,
      allowedTools: null,
      disallowedTools: [],
      path: null,
      args: [],
      baseUrl: null,
    },
    git: {
      token: null,
      branch: null,
      base: null,
      author: {
        name: 'github-actions[bot]',
        email: '41898282+github-actions[bot]@users.noreply.github.com',
      },
    },
    credential: { kind: 'api-key', value: key },
    failOn: null,
    workingDirectory: '.',
    dryRun: false,
    uploadTranscript: false,
    warnings: [],
  })
})

test('every input reaches the configuration: none is accepted and then forgotten (F24)', () => {
  const plain = JSON.stringify(configOf())
  const values: Record<string, string> = {
    'task-file': 'docs/task.md',
    'claude-code-oauth-token': 'token-of-a-subscription',
    'job-timeout-minutes': '20',
    'dry-run': 'true',
    'upload-transcript': 'true',
  }
  for (const { name, example } of allInputs) {
    const value = values[name] ?? example.replace(/^'(.*)'$/, '$1').replace(/^\$\{\{.*/, 'another-secret')
    const config = configOf({
      [name]: value,
      ...(name === 'claude-code-oauth-token' ? { 'anthropic-api-key': '' } : {}),
      ...(name === 'verify' ? { verify: 'make check' } : {}),
    })
    expect(JSON.stringify(config), name).not.toBe(plain)
  }
})

test('all problems come at once, in the order of the declaration, unknown names last', () => {
  const result = parseConfig({ 'dry-run': 'yes', nonsense: '', 'max-iterations': '0', goal: 'x', model: '-' })
  const inputs = result.ok ? [] : result.problems.map((problem) => problem.input)
  expect(inputs).toEqual([
    'task',
    'goal',
    'verify',
    'max-iterations',
    'anthropic-api-key',
    'model',
    'dry-run',
    'nonsense',
  ])
})

test.each([
  [
    { task: '' },
    'task',
    'task is not given. Say what is to be done, for example `task: Make the failing tests in packages/api pass`, or name a file by `task-file`.',
  ],
  [
    { 'task-file': 'a.md', task: 'x' },
    'task-file',
    'task and task-file are both given. Leave one of them out.',
  ],
  [
    { verify: ' ' },
    'verify',
    'verify is not given. Name the command that judges the work, for example `verify: npm test`.',
  ],
  [
    { 'claude-code-oauth-token': 'y' },
    'claude-code-oauth-token',
    'anthropic-api-key and claude-code-oauth-token are both given, and only one can pay. Leave one of them out.',
  ],
  [
    { branch: 'Develop', base: 'develop' },
    'branch',
    'branch is "Develop", which is the base as well, and the base is never touched. Give the work a branch of its own, for example `branch: ralph/fix-api`.',
  ],
])('between inputs: %j', (changes, input, message) => {
  const raw: Record<string, string> = { ...enough, ...changes }
  const result = parseConfig(raw)
  expect(result).toEqual({ ok: false, problems: [{ input, message }] })
})

test.each(['', ' ', '\n\t'])('F19: a key of %j is not set, and runs from forks are named', (value) => {
  expect(problemsOf({ 'anthropic-api-key': value })).toEqual([
    {
      input: 'anthropic-api-key',
      message: `anthropic-api-key is not set, nor is claude-code-oauth-token. Store the key as a secret of the repository and give \`anthropic-api-key: ${expression('secrets.ANTHROPIC_API_KEY')}\`. GitHub gives no secrets to runs from forks, so there it is always empty.`,
    },
  ])
})

test('a key that was refused is not called missing as well', () => {
  expect(problemsOf({ 'anthropic-api-key': 'Bearer abcdefgh' })).toHaveLength(1)
  expect(problemsOf({ 'anthropic-api-key': '', 'claude-code-oauth-token': 'sk-ant-api03-x' })).toEqual([
    {
      input: 'claude-code-oauth-token',
      message: `claude-code-oauth-token is an API key; give it as \`anthropic-api-key\`. Give the token alone, for example \`claude-code-oauth-token: ${expression('secrets.CLAUDE_CODE_OAUTH_TOKEN')}\`.`,
    },
  ])
})

test('F3: the message for a cap of one turn says why', () => {
  expect(problemsOf({ 'max-turns': '1' })[0]?.message).toBe(
    'max-turns is "1", which is below 2: a session of one turn ends before the agent can read the result of its first tool call. Give a whole number from 2 to 500, for example `max-turns: 60`.',
  )
})

test.each([
  ['max-iteration', 'There is no input "max-iteration". Did you mean `max-iterations`?'],
  ['anthropic_api_key', 'There is no input "anthropic_api_key". Did you mean `anthropic-api-key`?'],
  ['stories', 'There is no input "stories". The action\'s README lists all inputs.'],
  ['__proto__', 'There is no input "__proto__". The action\'s README lists all inputs.'],
  ['a\nb', 'There is no input "a\\nb". The action\'s README lists all inputs.'],
  ['', 'There is no input "". The action\'s README lists all inputs.'],
])('row 13: the unknown name %j is a problem, whatever its value', (name, message) => {
  for (const value of ['', 'x']) {
    const result = parseConfig(Object.fromEntries([...Object.entries(enough), [name, value]]))
    expect(result.ok ? [] : result.problems.map((problem) => problem.message)).toEqual([message])
  }
})

test('names are matched without regard to case, as GitHub matches them', () => {
  expect(configOf({ 'Max-Iterations': '3', ' TASK-FILE ': '' }).bounds.iterations).toBe(3)
  expect(problemsOf({ 'max-turns': '3', 'Max-Turns': '4' })).toEqual([
    {
      input: 'max-turns',
      message: 'max-turns is given twice, in different spellings. Leave one of them out.',
    },
  ])
})

test('turns of a run follow from the other two bounds unless they are given', () => {
  expect(configOf({ 'max-iterations': '3', 'max-turns': '7' }).bounds.turns).toBe(21)
  expect(configOf({ 'budget-turns': '15' }).bounds.turns).toBe(15)
})

test.each([
  ['60', '', 60],
  ['60', '30', 25],
  ['10', '30', 10],
  ['60', '6', 1],
])('budget-minutes %j in a job of %j minutes leaves %j', (budget, job, minutes) => {
  expect(configOf({ 'budget-minutes': budget, 'job-timeout-minutes': job }).bounds.millis).toBe(
    minutes * 60_000,
  )
})

test('D21: dollars bind an API key always, a subscription only when they are given', () => {
  const subscription = { 'anthropic-api-key': '', 'claude-code-oauth-token': 'token-of-a-subscription' }
  expect(configOf({ 'budget-usd': '3' }).bounds).toMatchObject({ usd: 3, usdEnforced: true })
  expect(configOf(subscription).bounds).toMatchObject({ usd: 5, usdEnforced: false })
  expect(configOf({ ...subscription, 'budget-usd': '5' }).bounds).toMatchObject({ usd: 5, usdEnforced: true })
  expect(configOf(subscription).credential).toEqual({
    kind: 'subscription',
    value: 'token-of-a-subscription',
  })
})

test.each([
  ['npm test || true', '|| true'],
  ['npm test ||true;', '||true'],
  ['npm test || :', '|| :'],
  ['npm test; true', '; true'],
  ['(npm test || exit 0)', '|| exit 0'],
  ['npm test || /bin/true', '|| /bin/true'],
  ['npm test\ntrue', 'true'],
  ['true', 'true'],
])('F15: %j is warned of, and names its ending', (verify, ending) => {
  expect(configOf({ verify }).warnings).toEqual([
    `verify ends in \`${ending}\`, which can turn a failure into a pass. Take it out, so that the exit code of the tests decides.`,
  ])
})

test.each([
  'npm test',
  'npm test && echo true',
  'make true',
  'echo :',
  'false | tee out.log',
  'test "$x" = true',
])('F15: %j is not warned of', (verify) => {
  expect(configOf({ verify }).warnings).toEqual([])
})

test('a token for the verifier and a fallback that is the model itself are warned of', () => {
  const { warnings } = configOf({ 'verify-env': 'GITHUB_TOKEN, X', model: 'opus', 'fallback-model': 'opus' })
  expect(warnings).toEqual([
    'verify-env gives GITHUB_TOKEN to the verifier, which runs code that the agent wrote. Give it a token that can only read.',
    'fallback-model is the same as model and has no effect. Name another model, or leave it out.',
  ])
})

test('what a long value shows is its beginning, on one line', () => {
  expect(problemsOf({ model: `A\n${'x'.repeat(1000)}` })[0]?.message).toContain(`"A\\n${'x'.repeat(58)}…"`)
})

test('a key pasted into another input is not shown', () => {
  for (const pasted of [
    'sk-ant-api03-abcdefgh',
    'ghp_abcdefghijk',
    'github_pat_abcdefgh',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
  ])
    expect(problemsOf({ model: `A ${pasted}` })[0]?.message).toMatch(/^model is "A \*\*\*"/)
})

const secretNames = allInputs.filter((input) => input.secret).map((input) => input.name)
const name = fc.oneof(
  fc.constantFrom(...allInputs.map((input) => input.name)),
  fc.string(),
  fc.constant('__proto__'),
)
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...bad.map((each) => each.value).filter((text) => text.length < 1000)),
  fc.json(),
)

test('whatever is given, the answer is a configuration or problems with names', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), (raw) => {
      const result = parseConfig(raw)
      if (result.ok) expect(result.config.task).toBeDefined()
      else expect(result.problems.length).toBeGreaterThan(0)
    }),
    { numRuns: 1000 },
  )
})

test('a secret is in no problem, wherever it was pasted', () => {
  const secret = fc.string({ minLength: 12, unit: fc.constantFrom(...'abcdefXYZ0189-_+/=') })
  const pasted = [
    (text: string) => text,
    (text: string) => `Bearer ${text}`,
    (text: string) => `"${text}"`,
    (text: string) => `${text}\n`,
    (text: string) => `a b ${text}, c`,
  ]
  const around = fc.constantFrom(...pasted)
  const wrap = fc.constantFrom(
    ...pasted,
    (text: string) => `["--${text}", "--settings=${text}"]`,
    (text: string) => `https://u:${text}@x.example`,
    (text: string) => `A=${text}`,
    (text: string) => `${'x'.repeat(50)}${text}`,
  )
  const places = fc.dictionary(fc.constantFrom(...allInputs.map((input) => input.name)), wrap)
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom(...secretNames),
      around,
      places,
      wrap,
      (hidden, owner, own, others, typo) => {
        const raw = Object.fromEntries(Object.entries(others).map(([input, put]) => [input, put(hidden)]))
        const result = parseConfig({ ...raw, [typo(hidden)]: 'x', [owner]: own(hidden) })
        const texts = result.ok ? [] : result.problems.flatMap((problem) => [problem.input, problem.message])
        expect(texts.filter((text) => text.includes(hidden))).toEqual([])
      },
    ),
    { numRuns: 1000 },
  )
})
