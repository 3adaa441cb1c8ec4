import { withhold } from './environment.ts'
import type { Config } from './inputs/config.ts'

/** Shorter values of the environment are too common to be looked for, in characters. */
const shortest = 20

/** A key or a token, and no path, address or sentence. */
const keyLike = (value: string): boolean =>
  value.length >= shortest && !/[\s/]/.test(value) && /\d/.test(value) && /[a-z]/i.test(value)

/**
 * The values that no commit may hold: the model's credential, the GitHub token as it is and as git sends it, and what
 * is withheld from the agent and looks like a key.
 */
export const secretsOf = (
  { credential, git }: Pick<Config, 'credential' | 'git'>,
  environment: Readonly<Record<string, string>>,
): string[] => {
  const token = git.token === null ? [] : [git.token, btoa(`x-access-token:${git.token}`)]
  const withheld = withhold(environment).names.map((name) => environment[name] ?? '')
  return [...new Set([credential.value, ...token, ...withheld.filter(keyLike)])]
}
