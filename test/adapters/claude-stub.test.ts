import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calls, deniedCall, failed, result, says } from '../core/transcript.ts'
import { playing, requestIn, run, temporary } from './session-fixture.ts'

const begin = { start: true }
const done = { print: result() }
const turn = { print: says('m1', 'Done.') }

describe('what the CLI is given', () => {
  it('F30, F31: the prompt whole by standard input, closed; no text of it in an argument', async () => {
    using place = temporary()
    const prompt = `Task\n${'é中😀 --dangerously-x /deploy now\n'.repeat(9000)}`
    const { session, given } = await playing(place, [begin, turn, done], { prompt })
    expect(session.end).toBe('completed')
    expect(given().stdin).toBe(prompt)
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(300_000)
    expect(given().argv.join('\n')).not.toMatch(/deploy|dangerously/)
  })

  it.each(['/deploy now', '--dangerously-x', '-p', '@/etc/hostname'])(
    'F31: a prompt %j stays text',
    async (prompt) => {
      using place = temporary()
      const { given } = await playing(place, [begin, turn, done], { prompt })
      expect(given().stdin.replace(/^\n/, '')).toBe(prompt)
      expect(given().stdin.startsWith('/')).toBe(false)
      expect(given().argv).not.toContain(prompt)
    },
  )

  it('F62: exactly the environment given to it, and ours; the key by descriptor alone', async () => {
    using place = temporary()
    const { given } = await playing(place, [begin, turn, done], { environment: { SHOWN: '1' } })
    const { env, key, argv } = given()
    expect(key).toBe('sk-ant-not-a-key')
    expect(JSON.stringify([env, argv])).not.toContain('sk-ant-not-a-key')
    expect(env).toMatchObject({ SHOWN: '1', CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3' })
    const passed = ['PATH', 'HOME', 'STUB_PLAY', 'SHOWN', 'RALPH_MARK', 'ENABLE_TOOL_SEARCH']
    const ours = /^(CLAUDE_|BASH_(DEFAULT|MAX)_TIMEOUT_MS|API_TIMEOUT_MS|DISABLE_AUTOUPDATER)/
    expect(Object.keys(env).filter((name) => !passed.includes(name) && !ours.test(name))).toEqual([])
  })

  it('the stable prompt in a file of the session', async () => {
    using place = temporary()
    const { given, request } = await playing(place, [begin, turn, done], { systemPrompt: 'Ä stable 中\n' })
    const { argv } = given()
    const file = argv[argv.indexOf('--append-system-prompt-file') + 1] ?? ''
    expect(file.startsWith(request.folder)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('Ä stable 中\n')
  })

  it('F1: the limits, and a rule for the judge beside the ones that always hold', async () => {
    using place = temporary()
    const agent = { ...requestIn(place).agent, disallowedTools: ['Edit(tests/**)'] }
    const { given } = await playing(place, [begin, turn, done], { agent })
    expect(given().argv.join(' ')).toContain('--max-turns 10 --max-budget-usd 5 ')
    expect(given().argv).toContain('--disallowedTools=Edit(.github/**),Edit(tests/**)')
  })
})

describe('what is read', () => {
  it('F6: an event of 8 MB in pieces of 4 KB; no character is lost', { timeout: 60_000 }, async () => {
    using place = temporary()
    const text = 'a中b😀'.repeat(750_000)
    const { session } = await playing(place, [
      begin,
      { print: says('m1', text), pieces: 4096 },
      { print: result({ result: '' }) },
    ])
    expect(session.end).toBe('completed')
    expect(session.text === text).toBe(true)
  })

  it('F7: noise, an empty line, an unknown event, CRLF', async () => {
    using place = temporary()
    const steps = [{ print: 'npm warn old' }, { print: '' }, begin, { print: { type: 'brand_new' } }]
    const crlf = { raw: `${JSON.stringify(says('m1', 'x'))}\r\n${JSON.stringify(result())}\r\n` }
    const { session } = await playing(place, [...steps, crlf])
    expect(session).toMatchObject({ end: 'completed', turns: 1 })
    expect(session.warnings).toEqual(['The CLI printed 1 line that is no event: npm warn old'])
  })

  it('a result without a line end is read', async () => {
    using place = temporary()
    const { session } = await playing(place, [begin, turn, { raw: JSON.stringify(result()) }])
    expect(session.end).toBe('completed')
  })

  it('turns, calls and denials are told as they come, and the stream is kept whole', async () => {
    using place = temporary()
    const transcript = join(place.root, 'stream.ndjson')
    const denied = { print: deniedCall('t1') }
    const steps = [
      begin,
      { print: calls('m1', 'Bash', { command: 'curl x' }, 't1') },
      denied,
      { print: says('m2', 'Ende 中') },
      done,
    ]
    const { turns, calls: asked, denials, session } = await playing(place, steps, { transcript })
    expect(turns.map((each) => each.turns)).toEqual([1, 2])
    expect(turns[0]).toMatchObject({ tokens: 21_500 })
    expect(asked).toEqual([{ tool: 'Bash', input: 'curl x' }])
    expect(denials).toEqual([{ tool: 'Bash', input: 'curl x' }])
    expect(session.denials).toEqual(denials)
    const kept = readFileSync(transcript, 'utf8').trimEnd().split('\n')
    expect(kept.length).toBe(6)
    expect(JSON.parse(kept[4] ?? '')).toEqual(says('m2', 'Ende 中'))
  })

  it('F8: denied tools are named although the session calls itself a success', async () => {
    using place = temporary()
    const denials = [
      { tool_name: 'Write', tool_input: { file_path: 'a' } },
      { tool_name: 'Bash', tool_input: { command: 'b' } },
    ]
    const { session } = await playing(place, [
      begin,
      { print: result({ num_turns: 0, permission_denials: denials }) },
    ])
    expect(session).toMatchObject({ end: 'completed', turns: 0 })
    expect(session.denials.map(({ tool }) => tool)).toEqual(['Write', 'Bash'])
    expect(session.warnings.join()).toContain('no turn')
  })
})

describe('how it ends', () => {
  it.each([
    [
      'F1: the turn limit, although its words speak of a login',
      [
        turn,
        { stderr: 'claude setup-token' },
        { print: failed('error_max_turns', 'max_turns') },
        { exit: 1 },
      ],
      'turns',
    ],
    ['F4: is_error beats exit status 0', [turn, { print: result({ is_error: true }) }], 'crashed'],
    ['F4: a success with exit status 1', [turn, done, { exit: 1 }], 'completed'],
    [
      'F5: a bogus result behind the real one',
      [turn, done, { print: failed('error_during_execution', 'x', { num_turns: 0, total_cost_usd: 0 }) }],
      'completed',
    ],
    ['F5: no result', [turn], 'crashed'],
    ['R32: a crash in the middle', [turn, { kill: 'SIGSEGV' }], 'crashed'],
  ] as const)('%s', async (_, steps, end) => {
    using place = temporary()
    const { session, left } = await playing(place, [begin, ...steps])
    expect(session.end).toBe(end)
    expect(session.turns).toBe(1)
    expect(left).toBe(0)
  })

  it.each([
    ['F4: nothing at all', [{ exit: 0 }], 'crashed'],
    [
      'F70: an installation without its binary',
      [{ stderr: 'Error: claude native binary not installed.\n' }, { exit: 1 }],
      'refused',
    ],
    [
      'F71: a refusal at the start',
      [{ stderr: 'cannot be used with root/sudo privileges\n' }, { exit: 1 }],
      'refused',
    ],
  ] as const)('%s', async (_, steps, end) => {
    using place = temporary()
    const { session } = await playing(place, steps)
    expect(session).toMatchObject({ end, turns: 0, costUsd: null })
    for (const step of steps) if ('stderr' in step) expect(session.detail).toContain(step.stderr.trim())
  })

  it('F70: no CLI at the path', async () => {
    using place = temporary()
    const { session } = await run(requestIn(place, { claudePath: '/no/such/claude' }))
    expect(session).toMatchObject({ end: 'refused', detail: '/no/such/claude could not be started: ENOENT.' })
  })
})
