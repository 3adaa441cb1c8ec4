import type { LeftOut } from './event.ts'
import type { Change } from './tree-diff.ts'

export const isLink = (mode: string): boolean => mode === '120000'
export const isGitlink = (mode: string): boolean => mode === '160000'

/** Names that Windows takes for devices, with or without an ending. */
const device = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i

/** Spellings of `.git` on file systems that fold case, drop marks that nobody sees, or have short names. */
const gitFolder = /^(\.git|git~1)[ .]*(:.*)?$/i
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Why a path may not be in a commit of ours by its name alone; null when it may. */
export const nameFault = (path: string, exact: boolean): string | null => {
  if (!exact) return 'its name is not UTF-8'
  if (/[\0-\x1f\x7f-\x9f]/.test(path)) return 'a control character in its name'
  for (const name of path.split('/')) {
    if (gitFolder.test(name.replace(unseen, ''))) return 'a part of its name means `.git`'
    if (device.test(name)) return 'a part of its name is a device on Windows'
    if (/[. ]$/.test(name)) return 'a part of its name ends with a dot or a space'
  }
  return null
}

/**
 * Whether a symbolic link stays inside the tree. The `..` of a target are counted from the link's own folder, which
 * in a tree is a real one; a `..` after a name is refused, since the name may itself be a link.
 */
export const linkStays = (path: string, target: string): boolean => {
  if (target.startsWith('/') || target.includes('\0')) return false
  const names = target.split('/').filter((name) => name !== '' && name !== '.')
  const ups = names.findIndex((name) => name !== '..')
  const up = ups < 0 ? names.length : ups
  const down = names.slice(up)
  return up < path.split('/').length && !down.includes('..') && !down.some((name) => nameFault(name, true))
}

const fold = (path: string): string => path.normalize('NFC').toLowerCase()

/** New paths that another path of the tree differs from by case or composition only; the first of two new ones stays. */
export const caseTwins = (added: readonly string[], all: Iterable<string>): Set<string> => {
  const news = new Set(added)
  const seen = new Set<string>()
  for (const path of all) if (!news.has(path)) seen.add(fold(path))
  const twins = new Set<string>()
  for (const path of news) {
    if (seen.has(fold(path))) twins.add(path)
    else seen.add(fold(path))
  }
  return twins
}

/** What the caller knows of the work tree, for `sift`. */
export type Known = {
  /** Paths of the whole tree; asked only when something was added. */
  all: Iterable<string>
  /** Targets of the new symbolic links, by path. */
  targets: ReadonlyMap<string, string>
  /** Folders (`a/`) and files of ours, and what was untracked at the start: never in, and not worth a word. */
  silent: (path: string) => boolean
  /** Files as they were before the first iteration, where that is not what the base has. */
  dirty: ReadonlyMap<string, { mode: string; id: string }>
  /** Paths whose content goes through a filter that is not run here, with its name. */
  filtered: ReadonlyMap<string, string>
  /** Paths whose content holds a secret of this run. */
  secret: ReadonlySet<string>
}

export type Sifted = { keep: Change[]; undo: Change[]; leftOut: LeftOut[] }

/** Parts what an import found into what is committed and what keeps the parent's version. */
export const sift = (changes: readonly Change[], known: Known): Sifted => {
  const added = changes.filter((change) => change.old === null).map(({ path }) => path)
  const twins = added.length === 0 ? new Set<string>() : caseTwins(added, known.all)
  const sifted: Sifted = { keep: [], undo: [], leftOut: [] }
  for (const change of changes) {
    const why = isQuiet(change, known) ? '' : fault(change, known, twins)
    if (why === null) sifted.keep.push(change)
    else sifted.undo.push(change)
    if (why) sifted.leftOut.push({ path: change.path, why })
  }
  return sifted
}

const isQuiet = ({ path, old, new: now }: Change, { silent, dirty }: Known): boolean => {
  if (old === null && silent(path)) return true
  const before = dirty.get(path)
  return before !== undefined && now !== null && before.mode === now.mode && before.id === now.id
}

const fault = ({ path, exact, old, new: now }: Change, known: Known, twins: Set<string>): string | null => {
  if (old !== null && isGitlink(old.mode)) return 'a submodule'
  if (now === null) return null
  if (isGitlink(now.mode)) return 'a nested repository'
  const name = old === null ? nameFault(path, exact) : null
  if (name !== null) return name
  if (twins.has(path)) return 'another path differs by case only'
  if (isLink(now.mode) && !linkStays(path, known.targets.get(path) ?? '/'))
    return 'a symbolic link that leaves the tree'
  if (known.secret.has(path)) return 'it holds a secret of this run'
  const filter = known.filtered.get(path)
  return filter === undefined ? null : `the filter ${filter} is not run here`
}
