import { jsonStrings, type Kind, refuse } from './input-kinds.ts'

/** Flags that have an input of their own. */
const byInput: Readonly<Record<string, string>> = {
  '--model': 'model',
  '--fallback-model': 'fallback-model',
  '--effort': 'effort',
  '--max-turns': 'max-turns',
  '--max-budget-usd': 'budget-usd',
  '--allowedtools': 'allowed-tools',
  '--allowed-tools': 'allowed-tools',
  '--disallowedtools': 'disallowed-tools',
  '--disallowed-tools': 'disallowed-tools',
}

/**
 * Flags of Claude Code 2.1.332 that would undo the isolation, the bounds or the stream the action reads, or that end or
 * leave the session. Each also stands for every flag that begins with it and a `-`.
 */
// biome-ignore format: rows
const refused = [
  '--dangerously', '--allow-dangerously', '--permission', '--inherit-permission-mode', '--enable-auto-mode',
  '--settings', '--setting-sources', '--managed-settings', '--forward-home-settings',
  '--project-config-root', '--mcp-config', '--plugin', '--channels', '--add-dir', '--tools', '--agent',
  '--agents', '--append-subagent', '--bare', '--safe-mode', '--restricted', '--system-prompt',
  '--append-system-prompt', '--json-schema', '--print', '--output-format', '--input-format',
  '--replay-user-messages', '--prefill', '--sdk-url', '--resume', '--continue', '--session',
  '--parent-session', '--fork-session', '--from-pr', '--rewind-files', '--bg', '--background', '--cloud',
  '--remote', '--rc', '--teleport', '--environment', '--desktop', '--ide', '--chrome', '--worktree',
  '--tmux', '--init', '--maintenance', '--version', '--help', '--cwd',
]

/** Further arguments for Claude Code. Flags are refused in both spellings, `--flag value` and `--flag=value`. */
export const claudeArgs: Kind<readonly string[]> = {
  ...jsonStrings,
  parse: (text) => {
    const parsed = jsonStrings.parse(text)
    if (!parsed.ok) return parsed
    const [first] = parsed.value
    if (first !== undefined && !first.startsWith('-'))
      return refuse('is no flag and would be taken for a prompt', { part: first })
    for (const argument of parsed.value) {
      const refusal = refusalOf(argument)
      if (refusal !== null) return refusal
    }
    return parsed
  },
}

const refusalOf = (argument: string) => {
  if (!argument.startsWith('-')) return null
  const flag = argument.replace(/=.*/s, '')
  const name = flag.toLowerCase()
  if (!name.startsWith('--')) return refuse('is a short flag', { part: flag, fix: 'Write its long form.' })
  const input = byInput[name]
  if (input !== undefined)
    return refuse('has an input of its own', { part: flag, fix: `Use the input \`${input}\`.` })
  const stem = refused.find((each) => name === each || name.startsWith(`${each}-`))
  if (name !== '--' && stem === undefined) return null
  return refuse('would undo the isolation or the bounds of a session', { part: flag, fix: 'Leave it out.' })
}
