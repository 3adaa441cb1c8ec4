import { accept, type Kind, pattern, refuse } from './input-kinds.ts'
import { nearest } from './nearest.ts'

export const model: Kind<string> = pattern(
  'the name or alias of a model, in lower case',
  /^[a-z0-9][a-z0-9.\-:[\]]{0,80}$/,
  'is not the name of a model',
)

/** Tools of Claude Code 2.1.332 that rules name; others may exist, so the list only helps with slips. */
const tools = [
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Read',
  'Task',
  'WebFetch',
  'WebSearch',
  'Write',
]

/** One permission rule as Claude Code writes it: `Edit`, `Bash(npm test *)`. Names are case-sensitive there. */
export const toolRule: Kind<string> = {
  accepts: 'a permission rule',
  parse: (text) => {
    if (/^[A-Z][A-Za-z]*(\(.+\))?$/.test(text) || /^mcp__\w[\w-]*$/.test(text)) return accept(text)
    return refuse('is not a permission rule of Claude Code', {
      near: nearest(text.replace(/\(.*/s, ''), tools),
    })
  },
}

/** `https`, or `http` to this machine alone: the credential travels there. */
export const baseUrl: Kind<string> = {
  accepts: 'an `https` address',
  parse: (text) => {
    if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return refuse('is not an address')
    const url = new URL(text)
    if (url.username !== '' || url.password !== '')
      return refuse('contains a user name or a password', { hide: true })
    if (url.search !== '' || url.hash !== '') return refuse('has a query or a fragment', { hide: true })
    const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
    if (url.protocol === 'https:' || (url.protocol === 'http:' && local))
      return accept(url.href.replace(/\/+$/, ''))
    return refuse('would send the credential unencrypted')
  },
}

/** What the verifier must not get back: the model's credentials, and the files by which a step talks to its runner. */
const withheld =
  /^(ANTHROPIC_|CLAUDE_|ACTIONS_RUNTIME_|ACTIONS_RESULTS_|GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$)/

export const environmentName: Kind<string> = {
  accepts: 'the name of an environment variable',
  parse: (name) => {
    if (name.includes('='))
      return refuse('holds a value; give the name alone and set the value by `env:`', { hide: true })
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
      return refuse('is not the name of an environment variable')
    return withheld.test(name.toUpperCase())
      ? refuse('is kept from the verifier, because it runs code the agent wrote')
      : accept(name)
  },
}
