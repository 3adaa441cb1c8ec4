import { accept, type Kind, type Parsed, refuse } from './input-kinds.ts'

/** Why git or a reader would take `name` for something else than a branch; the rules of `git check-ref-format`. */
const faults: readonly [RegExp, string][] = [
  [/^refs\//i, 'is a full reference; write the name alone, without `refs/heads/`'],
  [/^-/, 'begins with `-` and could be taken for an option'],
  [/^(HEAD|@)$/i, 'means a place in git, not a branch'],
  [/[\0-\x20\x7f]/, 'contains a space or a control character'],
  [/[~^:?*[\\]/, 'contains one of `~ ^ : ? * [ \\`, which git does not allow'],
  [/\.\./, 'contains `..`'],
  [/@\{/, 'contains `@{`'],
  [/^\/|\/$|\/\//, 'begins or ends with `/`, or has two in a row'],
  [/(^|\/)\./, 'has a part that begins with `.`'],
  [/\.$/, 'ends with `.`'],
  [/\.lock(\/|$)/i, 'has a part that ends with `.lock`'],
]

/** Longest name of a branch; git adds folders and `.lock` to it within the 255 bytes of a file's name. */
const longestBranch = 200

const branch = (name: string): Parsed<string> => {
  const fault = faults.find(([shape]) => shape.test(name))
  if (fault !== undefined) return refuse(fault[1])
  return name.length > longestBranch ? refuse(`is longer than ${longestBranch} characters`) : accept(name)
}

/** A branch that exists. That it does, and is no tag, only git can tell. */
export const existingBranch: Kind<string> = {
  accepts: 'the name of a branch',
  parse: (name) => (/^[0-9a-f]{40,64}$/i.test(name) ? refuse('is a commit, not a branch') : branch(name)),
}

/** A branch of ours: plain ASCII, and none of the usual default branches. */
export const loopBranch: Kind<string> = {
  accepts: 'the name of a branch for the loop alone',
  parse: (name) => {
    if (/^(main|master|trunk|gh-pages)$/i.test(name)) return refuse('is no branch for unattended work')
    const parsed = branch(name)
    if (!parsed.ok || /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name)) return parsed
    return refuse('contains something else than letters, digits, `.`, `_`, `-` and `/`')
  },
}

export type Identity = { name: string; email: string }

/** Git takes a name only if something is left when it strips punctuation. */
export const identity: Kind<Identity> = {
  accepts: 'a name and an e-mail address in angle brackets',
  parse: (text) => {
    const [, name, email] = /^([^<>\p{C}]{1,200}) <([^<>\s\p{C}]{1,200})>$/u.exec(text) ?? []
    if (name === undefined || email === undefined) return refuse('is not of the form `Name <email>`')
    if (!/^[^@]+@[^@]+$/.test(email)) return refuse('has no e-mail address between the brackets')
    return /[\p{L}\p{N}]/u.test(name) ? accept({ name: name.trim(), email }) : refuse('has no name')
  },
}
