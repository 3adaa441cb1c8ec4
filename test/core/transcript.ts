/** Lines of `stream-json` as Claude Code 2.1.332 prints them, reduced to the fields that matter, with overrides. */
type Fields = Record<string, unknown>

export const init = (more: Fields = {}) => ({
  type: 'system',
  subtype: 'init',
  model: 'claude-opus-5-5',
  claude_code_version: '2.1.332',
  tools: ['Bash', 'Edit'],
  session_id: '../../x',
  ...more,
})

export const canary = 'ralph-canary'

export const hook = (more: Fields = {}) => ({
  type: 'system',
  subtype: 'hook_response',
  hook_event: 'SessionStart',
  stdout: '',
  stderr: `${canary}\n`,
  exit_code: 0,
  ...more,
})

const usage = {
  input_tokens: 1000,
  cache_read_input_tokens: 20_000,
  cache_creation_input_tokens: 500,
  output_tokens: 1,
}

export const reply = (id: string, content: unknown, more: Fields = {}, message: Fields = {}) => ({
  type: 'assistant',
  message: { id, model: 'claude-opus-5-5', role: 'assistant', content, usage, ...message },
  parent_tool_use_id: null,
  ...more,
})

export const says = (id: string, text: string, more: Fields = {}) => reply(id, [{ type: 'text', text }], more)

export const calls = (id: string, name: string, input: unknown, call = `call-${id}`) =>
  reply(id, [{ type: 'tool_use', id: call, name, input }])

export const answered = (content = 'ok') => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', content, is_error: false }] },
  parent_tool_use_id: null,
})

export const deniedCall = (call: string, tool = 'Bash') => ({
  type: 'system',
  subtype: 'permission_denied',
  tool_name: tool,
  tool_use_id: call,
  message: 'Permission to use it has been denied',
})

export const retry = (status: number | null, error = 'server_error') => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: 531,
  error_status: status,
  error,
})

/** What the CLI puts in the place of a reply when the API refused. */
export const apiFailure = (error: string, status: number | null, more: Fields = {}) =>
  reply(
    'synthetic-id',
    [{ type: 'text', text: 'API Error' }],
    { error, api_error_status: status, ...more },
    { model: '<synthetic>' },
  )

export const result = (more: Fields = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  terminal_reason: 'completed',
  api_error_status: null,
  num_turns: 2,
  total_cost_usd: 0.25,
  result: 'Done.',
  permission_denials: [],
  modelUsage: { 'claude-opus-5-5': { contextWindow: 200_000, costUSD: 0.25 } },
  ...more,
})

export const failed = (subtype: string, terminal: string, more: Fields = {}) =>
  result({ subtype, is_error: true, terminal_reason: terminal, result: undefined, errors: [], ...more })

export const apiError = (status: number | null, more: Fields = {}) =>
  result({
    is_error: true,
    terminal_reason: 'api_error',
    api_error_status: status,
    total_cost_usd: 0,
    num_turns: 1,
    result: 'API Error: it was refused',
    ...more,
  })

export const line = (event: unknown): string => JSON.stringify(event)
