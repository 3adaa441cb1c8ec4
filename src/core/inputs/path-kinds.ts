import { accept, type Kind, refuse } from './input-kinds.ts'

/** Longest path and longest name in it that Linux takes, in bytes; counted in UTF-16 units, which are never more. */
const longestPath = 4096
const longestName = 255

const faults: readonly [RegExp, string][] = [
  [/[\0-\x1f\x7f]/, 'contains a control character'],
  [/^[A-Za-z]:/, 'is a Windows path'],
  [/\\/, 'contains a backslash; write `/` between folders'],
  [/^~/, 'begins with `~`, which is not expanded here'],
  [/^-/, 'begins with `-` and could be taken for an option'],
  [/(^|\/)\.\.(\/|$)/, 'contains `..`'],
]

const faultOf = (text: string): string | null => {
  const fault = faults.find(([shape]) => shape.test(text))
  if (fault !== undefined) return fault[1]
  const tooLong = text.length > longestPath || text.split('/').some((name) => name.length > longestName)
  return tooLong ? 'is longer than a path can be' : null
}

/** A path inside the repository, normalised: no `./`, no doubled or closing slash; `.` is the repository itself. */
export const relativePath = (what: string): Kind<string> => ({
  accepts: `the path of ${what}, relative to the repository's root`,
  parse: (text) => {
    if (text.startsWith('/')) return refuse('is an absolute path')
    const fault = faultOf(text)
    if (fault !== null) return refuse(fault)
    const names = text.split('/').filter((name) => name !== '' && name !== '.')
    if (names.some((name) => name.toLowerCase() === '.git')) return refuse("lies in git's own folder")
    return accept(names.length === 0 ? '.' : names.join('/'))
  },
})

/** A file outside the agent's reach cannot be told from text alone; that it is absolute is what text can show. */
export const absolutePath = (what: string): Kind<string> => ({
  accepts: `the absolute path of ${what}`,
  parse: (text) => {
    const fault = faultOf(text)
    if (fault !== null) return refuse(fault)
    return text.startsWith('/') ? accept(text) : refuse('does not begin with `/`')
  },
})

/**
 * Matching takes time to the power of the wildcards. With these limits, the worst pattern on a path of three names of
 * 250 letters takes 9 s, on names of 100 letters 0.1 s.
 */
const longestGlob = 200
const mostWildcards = { inName: 2, inAll: 6, folders: 2 }

/** A pattern of paths inside the repository: `*`, `**`, `?`, `[a-z]` and one level of `{a,b}`; nothing that excludes. */
export const glob: Kind<string> = {
  accepts: "a pattern of paths, relative to the repository's root",
  parse: (text) => {
    if (text.startsWith('!')) return refuse('begins with `!`; a pattern can add paths, not take any away')
    if (text.startsWith('/')) return refuse('is absolute')
    const fault = faultOf(text)
    if (fault !== null) return refuse(fault)
    if (text.length > longestGlob) return refuse(`is longer than ${longestGlob} characters`)
    if (/[()]/.test(text)) return refuse('contains a parenthesis; write `?` for a parenthesis in a name')
    if (!bracesPair(text)) return refuse('has braces inside braces, or braces that do not pair')
    const names = text.replace(/^\.\//, '').split('/')
    if (names.some((name) => count(name, /\*+/g) > mostWildcards.inName))
      return refuse(`has more than ${mostWildcards.inName} wildcards in one name`)
    if (count(text, /\*+/g) > mostWildcards.inAll)
      return refuse(`has more than ${mostWildcards.inAll} wildcards`)
    if (count(text, /\*\*+/g) > mostWildcards.folders) return refuse(`has \`**\` more than twice`)
    return accept(names.join('/'))
  },
}

const count = (text: string, shape: RegExp): number => text.match(shape)?.length ?? 0

const bracesPair = (text: string): boolean => /^[^{}]*$/.test(text.replace(/\{[^{}]*\}/g, ''))

/** Like `glob`, but not one that matches everything. */
export const narrowGlob: Kind<string> = {
  ...glob,
  parse: (text) =>
    /^(\.\/)?(\*\*?\/)*(\*\*?|\.)?\/?$/.test(text) ? refuse('matches every path') : glob.parse(text),
}
