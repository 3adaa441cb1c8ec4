import { describe, expect, it } from 'vitest'
import {
  claudeArguments,
  claudeEnvironment,
  defaultAllowed,
  defaultDisallowed,
  defaultTools,
  type SessionEnvironment,
  type SessionFlags,
} from '../../src/core/session/claude-flags.ts'

const flags = (more: Partial<SessionFlags> = {}): SessionFlags => ({
  limits: { turns: 30, usd: 1.5 },
  settings: '{"hooks":{}}',
  systemPromptFile: '/r/system.md',
  tools: defaultTools,
  allowedTools: defaultAllowed,
  disallowedTools: defaultDisallowed,
  model: null,
  fallbackModel: null,
  effort: null,
  jsonSchema: null,
  extraArgs: [],
  ...more,
})

const environment = (more: Partial<SessionEnvironment> = {}) =>
  claudeEnvironment({
    base: { PATH: '/bin', HOME: '/home/x' },
    configDir: '/r/config',
    tmpDir: '/r/tmp',
    baseUrl: null,
    credential: 'api-key',
    idleMillis: 720_000,
    stopBlocks: null,
    ...more,
  })

describe('the arguments', () => {
  it('are these', () => {
    expect(claudeArguments(flags())).toEqual([
      ...['--print', '--output-format', 'stream-json', '--verbose'],
      ...['--max-turns', '30', '--max-budget-usd', '1.5'],
      ...['--permission-mode', 'dontAsk', '--tools', 'Bash,Edit,Read,Write,Glob,Grep'],
      ...['--allowedTools=Bash,Edit(./**)', '--disallowedTools=Edit(.github/**)'],
      ...['--setting-sources', '', '--strict-mcp-config', '--no-session-persistence'],
      ...['--settings', '{"hooks":{}}', '--append-system-prompt-file', '/r/system.md'],
    ])
  })

  it('and what was chosen', () => {
    const chosen = claudeArguments(
      flags({
        model: 'sonnet',
        fallbackModel: 'haiku',
        effort: 'low',
        jsonSchema: '{}',
        extraArgs: ['--betas', 'x'],
      }),
    )
    expect(chosen.slice(0, 3)).toEqual(['--betas', 'x', '--print'])
    expect(chosen.slice(-4)).toEqual([
      '--model=sonnet',
      '--fallback-model=haiku',
      '--effort=low',
      '--json-schema={}',
    ])
  })

  const hostile = [
    '--dangerously-skip-permissions',
    '-p',
    '--',
    '-rf',
    'x --resume y',
    '"; touch x',
    '$(id)',
    'a\nb',
    '',
    '@/etc/passwd',
  ]
  it.each(hostile)(
    'T13: %j as a model, a rule or an effort is one value and no argument of its own',
    (value) => {
      const plain = claudeArguments(
        flags({ allowedTools: ['Bash'], disallowedTools: ['Edit'], model: 'm', effort: 'e' }),
      )
      const odd = claudeArguments(
        flags({ allowedTools: [value], disallowedTools: [value], model: value, effort: value }),
      )
      expect(odd.length).toBe(plain.length)
      expect(odd.filter((each) => !plain.includes(each))).toEqual(
        ['--allowedTools', '--disallowedTools', '--model', '--effort'].map((flag) => `${flag}=${value}`),
      )
    },
  )

  it('F69: never resume a session', () => {
    expect(claudeArguments(flags()).filter((each) => /resume|continue|session-id/.test(each))).toEqual([])
  })

  it('F71: never ask for what the CLI refuses to root', () => {
    expect(claudeArguments(flags()).join(' ')).not.toMatch(/dangerously|bypass/)
  })

  it('a session without tools or rules says so', () => {
    const bare = claudeArguments(flags({ tools: [], allowedTools: [], disallowedTools: [] }))
    expect(bare[bare.indexOf('--tools') + 1]).toBe('')
    expect(bare.join(' ')).not.toMatch(/allowedTools/i)
  })

  it.each([
    [5, '5'],
    [10, '10'],
    [100, '100'],
    [0.01, '0.01'],
    [1.23456789, '1.234568'],
    [0.1 + 0.2, '0.3'],
    [1e-6, '0.000001'],
  ])('F24: $%d is written %s', (usd, written) => {
    const all = claudeArguments(flags({ limits: { turns: 1, usd } }))
    expect(all[all.indexOf('--max-budget-usd') + 1]).toBe(written)
  })
})

describe('the environment', () => {
  it('is the given one and what makes a session lean, bounded and silent', () => {
    expect(environment()).toEqual({
      PATH: '/bin',
      HOME: '/home/x',
      CLAUDE_CONFIG_DIR: '/r/config',
      CLAUDE_CODE_TMPDIR: '/r/tmp',
      CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
      CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
      ENABLE_TOOL_SEARCH: 'false',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      API_TIMEOUT_MS: '300000',
      CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '120000',
      BASH_DEFAULT_TIMEOUT_MS: '120000',
      BASH_MAX_TIMEOUT_MS: '576000',
    })
  })

  it('an address, a subscription, a hook that may block', () => {
    const other = environment({ baseUrl: 'http://127.0.0.1:1', credential: 'subscription', stopBlocks: 3 })
    expect(other).toMatchObject({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: '3',
      CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3',
    })
    expect(other).not.toHaveProperty('CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR')
    expect(Object.keys(environment({ credential: null })).filter((name) => /DESCRIPTOR/.test(name))).toEqual(
      [],
    )
  })

  it('ours are the last word', () => {
    const base = { DISABLE_AUTOUPDATER: '0', BASH_MAX_TIMEOUT_MS: '9999999', CLAUDE_CONFIG_DIR: '/evil' }
    expect(environment({ base })).toMatchObject({
      DISABLE_AUTOUPDATER: '1',
      BASH_MAX_TIMEOUT_MS: '576000',
      CLAUDE_CONFIG_DIR: '/r/config',
    })
  })

  it.each([1000, 60_000, 300_000, 720_000, 7_200_000])(
    'F29: with an idle limit of %d ms every legal silence is shorter',
    (idleMillis) => {
      const limits = environment({ idleMillis })
      const waits = [
        'API_TIMEOUT_MS',
        'CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS',
        'BASH_DEFAULT_TIMEOUT_MS',
        'BASH_MAX_TIMEOUT_MS',
      ]
      for (const name of waits) expect(Number(limits[name])).toBeLessThan(idleMillis)
      for (const name of waits) expect(Number(limits[name])).toBeGreaterThan(0)
    },
  )
})
