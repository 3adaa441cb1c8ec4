/** What a child may see of the step's environment, and the names of what was withheld, sorted. */
export type Withheld = { environment: Record<string, string>; names: readonly string[] }

/**
 * By which a process can command the runner or act as the job, and the event, which holds texts of strangers.
 * `RALPH_` are our own.
 */
const runner =
  /^(GITHUB_(TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY|EVENT_PATH)|GH_TOKEN|ACTIONS_.*|INPUT_.*|RALPH_.*|.*_RUNTIME_TOKEN)$/i

/** Settings of another Claude Code, and credentials and endpoints of a model or a cloud. */
const outer = /^(CLAUDE|ANTHROPIC_|AWS_)/i

/** What makes a child run other code than its own, read another configuration of git, use a key or skip TLS. */
const steering =
  /^(NODE_OPTIONS|NODE_TLS_REJECT_UNAUTHORIZED|BASH_ENV|BASH_FUNC_.*|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GIT_.*|SSH_ASKPASS|SSH_AUTH_SOCK)$/i

/** Names that are secrets by the way they are written. */
const secretName =
  /(^|_)(TOKENS?|SECRETS?|PASS|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|CREDS|AUTH|PAT|DSN|WEBHOOK(_URL)?|COOKIE|JWT|KUBECONFIG|CONNECTION_?STRING)(_|$)|PASSWORD|AUTHTOKEN|API_?KEY|ACCESS_?KEY|(?<!(CACHE|PUBLIC|PRIMARY|SORT|PARTITION))_KEY$|^KEY$/i

/** The shell's own, which only look like one. */
const workingDirectory = /^(OLD)?PWD$/i

/** Values too plain to be a secret. */
const plainValue = /^(|true|false|yes|no|on|off|\d{1,4})$/i

/** Keys and tokens as they are written by those who issue them. */
const secretValue =
  /gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{20}|sk-ant-[\w-]{10}|\bsk-[\w-]{20}|\b[sr]k_live_\w{10}|\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}|xox[abeprs]-[\w-]{10}|\bnpm_\w{36}|\bpypi-[\w-]{20}|\bhf_\w{30}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY/

/** A user name with a password in an address, and the host. A database on this machine, as tests use it, is no secret. */
const login = /:\/\/[^\s/:@]*:[^\s/@]+@(\[::1\]|[^\s/:?#]*)/g
const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/i

const holdsLogin = (value: string): boolean =>
  [...value.matchAll(login)].some(([, host = '']) => !thisMachine.test(host))

/** A proxy is how the network is reached at all, so it stays, also with its password. */
const proxy = /^(HTTPS?|ALL|FTP|NO)_PROXY$/i

const isWithheld = (name: string, value: string): boolean => {
  if (runner.test(name) || outer.test(name) || steering.test(name)) return true
  if (proxy.test(name) || plainValue.test(value)) return false
  return (
    (secretName.test(name) && !workingDirectory.test(name)) || secretValue.test(value) || holdsLogin(value)
  )
}

/**
 * The step's environment for the agent or the verifier: all of it but what carries a secret, by its name or its value,
 * lets a process speak to the runner or GitHub, or steers our own tools. HOME and PATH stay; toolchains need them.
 *
 * `give` names variables to hand over all the same (`verify-env`), as they are spelled. `CI` is always `true`.
 */
export const withhold = (step: Readonly<Record<string, string>>, give: readonly string[] = []): Withheld => {
  const entries = Object.entries(step)
  const kept = entries.filter(([name, value]) => give.includes(name) || !isWithheld(name, value))
  const names = entries.map(([name]) => name).filter((name) => !kept.some(([other]) => other === name))
  return { environment: { ...Object.fromEntries(kept), CI: 'true' }, names: names.sort() }
}
