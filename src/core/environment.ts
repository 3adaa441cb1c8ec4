/**
 * Which variables of the step's environment the agent and the verifier get: all but those that carry a secret, let a
 * process speak to the runner or GitHub, or steer our own tools. HOME and PATH stay; toolchains need them.
 */
export type Withheld = { environment: Record<string, string>; names: readonly string[] }

/** Files and addresses by which a process can command the runner or act as the job. */
const runner = [
  /^GITHUB_(TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY|EVENT_PATH)$/,
  /^GH_TOKEN$/,
  /^GH_ENTERPRISE_TOKEN$/,
  /^GITHUB_ENTERPRISE_TOKEN$/,
  /^ACTIONS_/,
  /^INPUT_/,
  /^RALPH_/,
  /_RUNTIME_TOKEN$/,
]

/** Settings of another Claude Code, or of its credentials and endpoints. */
const claude = [/^CLAUDE/, /^ANTHROPIC_/, /^AWS_BEARER_TOKEN_BEDROCK$/]

/** What would make a child run other code than its own. */
const loaders = [
  /^NODE_OPTIONS$/,
  /^BASH_ENV$/,
  /^ENV$/,
  /^LD_PRELOAD$/,
  /^LD_AUDIT$/,
  /^GIT_/,
  /^SSH_ASKPASS$/,
  /^SSH_AUTH_SOCK$/,
  /^PROMPT_COMMAND$/,
]

/** Names that are secrets by the way they are written. */
const secret =
  /(^|_)(TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CREDENTIALS|APIKEY|PAT|PRIVATE_KEY|ACCESS_KEY|ACCESS_KEY_ID|API_KEY|AUTH_KEY|SIGNING_KEY|ENCRYPTION_KEY|WEBHOOK|DSN)($|_)/i

const withheld = (name: string): boolean =>
  [...runner, ...claude, ...loaders].some((pattern) => pattern.test(name)) || secret.test(name)

/**
 * The environment for a child. `give` names variables to hand over although they would be withheld (`verify-env`).
 * `CI` is always `true`. The names of what was withheld come back sorted, without values.
 */
export const withhold = (step: Readonly<Record<string, string>>, give: readonly string[] = []): Withheld => {
  const environment: Record<string, string> = {}
  const names: string[] = []
  for (const [name, value] of Object.entries(step)) {
    if (give.includes(name) || !withheld(name)) environment[name] = value
    else names.push(name)
  }
  return { environment: { ...environment, CI: 'true' }, names: names.sort() }
}
