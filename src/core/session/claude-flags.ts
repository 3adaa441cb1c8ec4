import type { Credential } from '../inputs/config.ts'

export type SessionFlags = {
  limits: { turns: number; usd: number }
  /** The settings object as JSON, already validated. */
  settings: string
  /** File with the stable part of the prompt. */
  systemPromptFile: string
  tools: readonly string[]
  /** Permission rules, such as `Bash` and `Edit(src/**)`. */
  allowedTools: readonly string[]
  disallowedTools: readonly string[]
  model: string | null
  fallbackModel: string | null
  effort: string | null
  /** JSON schema of the answer; the answer's JSON is then the session's text. */
  jsonSchema: string | null
  /** From `claude-args`, refused flags already taken out by the input's parser. */
  extraArgs: readonly string[]
}

/** What the work needs and no more: each tool is described in every request. */
export const defaultTools: readonly string[] = ['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep']
/** `Edit` rules also hold for Write. A scoped Bash would be no boundary once tests run the agent's code. */
export const defaultAllowed: readonly string[] = ['Bash', 'Edit(./**)']
export const defaultDisallowed: readonly string[] = ['Edit(.github/**)']

/** Money without an exponent, in millionths at the finest. */
const dollars = (usd: number): string => usd.toFixed(6).replace(/\.?0+$/, '')

/** One argument, so that no value can be taken for a flag of its own. */
const given = (flag: string, value: string | null): string[] => (value === null ? [] : [`${flag}=${value}`])

const listed = (flag: string, values: readonly string[]): string[] =>
  given(flag, values.length === 0 ? null : values.join(','))

/**
 * The arguments of a session. No text of the task, of an issue or of the repository is among them. What the user
 * adds stands first, so that ours, which bound and isolate the session, are the last word.
 */
export const claudeArguments = (flags: SessionFlags): string[] => [
  ...flags.extraArgs,
  ...['--print', '--output-format', 'stream-json', '--verbose'],
  ...['--max-turns', String(flags.limits.turns), '--max-budget-usd', dollars(flags.limits.usd)],
  ...['--permission-mode', 'dontAsk', '--tools', flags.tools.join(',')],
  ...listed('--allowedTools', flags.allowedTools),
  ...listed('--disallowedTools', flags.disallowedTools),
  // Without sources the repository's and the machine's own settings, hooks, agents and instructions stay out.
  ...['--setting-sources', '', '--strict-mcp-config', '--no-session-persistence'],
  ...['--settings', flags.settings, '--append-system-prompt-file', flags.systemPromptFile],
  ...given('--model', flags.model),
  ...given('--fallback-model', flags.fallbackModel),
  ...given('--effort', flags.effort),
  ...given('--json-schema', flags.jsonSchema),
]

/** The descriptor by which the credential is handed over; the CLI reads it once, at its start. */
export const credentialDescriptor = 3

/** The longest legal silence of a tool call or a request, as a share of the idle limit. */
const shareOfIdle = 0.8
const mostRequestMillis = 300_000
const mostStreamSilenceMillis = 120_000
const usualBashMillis = 120_000

export type SessionEnvironment = {
  /** The environment of the step, secrets and other tools' settings already withheld. */
  base: Readonly<Record<string, string>>
  configDir: string
  /** For the CLI's own temporary files; what the agent runs keeps the machine's. */
  tmpDir: string
  baseUrl: string | null
  credential: Credential['kind'] | null
  idleMillis: number
  /** How often in a row a Stop hook may say no. */
  stopBlocks: number | null
}

/**
 * The environment of a session: lean, with bounded waits, the credential only by descriptor. Every wait inside the
 * CLI is shorter than the idle limit, so that only a session in which nothing goes on any more is ended for silence.
 */
export const claudeEnvironment = (options: SessionEnvironment): Record<string, string> => {
  const longest = Math.floor(options.idleMillis * shareOfIdle)
  const atMost = (millis: number) => String(Math.max(1, Math.min(millis, longest)))
  const descriptor =
    options.credential === 'api-key'
      ? 'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR'
      : 'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR'
  return {
    ...options.base,
    CLAUDE_CONFIG_DIR: options.configDir,
    CLAUDE_CODE_TMPDIR: options.tmpDir,
    ...(options.baseUrl === null ? {} : { ANTHROPIC_BASE_URL: options.baseUrl }),
    ...(options.credential === null ? {} : { [descriptor]: String(credentialDescriptor) }),
    ...(options.stopBlocks === null ? {} : { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: String(options.stopBlocks) }),
    // Nothing outlives the session's answer.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Nothing of an earlier session, and no file that a text happens to name, is read into this one.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    // The start of every request is the same in all sessions of a run, so that it is cached.
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
    ENABLE_TOOL_SEARCH: 'false',
    // No traffic but the model's.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    API_TIMEOUT_MS: atMost(mostRequestMillis),
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: atMost(mostStreamSilenceMillis),
    BASH_DEFAULT_TIMEOUT_MS: atMost(usualBashMillis),
    BASH_MAX_TIMEOUT_MS: atMost(Number.MAX_SAFE_INTEGER),
  }
}
