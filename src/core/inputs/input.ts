import type { Kind, Refused } from './input-kinds.ts'

type Facts = {
  /** For action.yml and the README: whole sentences. What is accepted and the default are added to it. */
  description: string
  /** A value as it would be written in a workflow file, right of `name: `. */
  example: string
  /** One of the ten inputs that the README shows first. */
  main?: true
  /** Never shown, in no message. */
  secret?: true
  /** `default:` in action.yml, for what only the runner can evaluate. Everything else has its default here. */
  actionDefault?: string
}

/** One input: its text, what the text becomes, and what stands for it when it is not given. */
export type Input<T> = Facts & {
  name: string
  kind: Kind<T>
  /** The default as people write or describe it; empty when there is none. */
  default: string
  unset: T
}

/** An input with a default, which is read by the same parser as what a person gives. */
export const withDefault = <T>(name: string, kind: Kind<T>, facts: Facts & { default: string }): Input<T> => {
  const parsed = kind.parse(facts.default)
  if (!parsed.ok) throw new Error(`The default of ${name} ${parsed.wrong}.`)
  return { ...facts, name, kind, unset: parsed.value }
}

/** An input that may be left out; `default` then says in words what happens. */
export const optional = <T>(
  name: string,
  kind: Kind<T>,
  facts: Facts & { default?: string },
): Input<T | null> => ({ ...facts, name, kind, default: facts.default ?? '', unset: null })

/** Text that GitHub evaluates. */
export const expression = (text: string): string => `\${{ ${text} }}`

/** What is wrong with one input, in whole sentences that name it and give the fix. */
export type Problem = { input: string; message: string }

/** The sentences for a refused value. `secrets` are blotted out wherever they stand. */
export const problemWith = (
  input: Input<unknown>,
  text: string,
  refused: Refused,
  secrets: readonly string[],
): Problem => {
  const { name, kind, example } = input
  const hidden = input.secret === true || refused.hide === true
  const verb = refused.part === undefined ? 'is' : 'contains'
  const shown = show(refused.part ?? text, secrets)
  const said = hidden ? `${name} ${refused.wrong}.` : `${name} ${verb} ${shown}, which ${refused.wrong}.`
  const near = refused.near ? ` Did you mean \`${refused.near}\`?` : ''
  const fix = refused.fix ?? `Give ${kind.accepts}, for example \`${name}: ${example}\`.`
  return { input: name, message: `${said}${near} ${fix}` }
}

/** What looks like a key or a token, wherever it was pasted: how Anthropic's, GitHub's and web tokens begin. */
const secretLike = /(sk-|gh[a-z]_|github_pat_|eyJ)[\w.-]{6,}/g

/** At most 60 characters in double quotes, on one line, with no secret and nothing invisible in them. */
export const show = (text: string, secrets: readonly string[]): string => {
  const safe = secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replace(secretLike, '***')
  const shown = safe.length > 60 ? `${safe.slice(0, 60)}…` : safe
  return `"${shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => escapes[letter] ?? `\\u{${hex(letter)}}`)}"`
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const hex = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16)
