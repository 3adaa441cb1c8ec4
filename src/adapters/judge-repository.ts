import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { originOf } from './checkout-settings.ts'
import type { Store } from './store.ts'

export type JudgeHead = {
  /** The commit whose tree is judged. */
  commit: string
  /** The index that was laid out with it. */
  index: string
  base: { commit: string; name: string | null }
  /** Tags, as lines of `packed-refs`. */
  tags: string
}

/**
 * Makes the `.git` of the judge's folder anew: a plain repository at `commit`, its objects borrowed from the
 * store, the base present as a branch and as `origin`'s, no credentials. The verifier may have written into the last one.
 */
export const writeRepository = ({ dir, start }: Store, folder: string, head: JudgeHead): void => {
  const path = join(folder, '.git')
  rmSync(path, { recursive: true, force: true })
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    mkdirSync(join(path, name), { recursive: true })
  const sha256 = head.commit.length === 64
  const { commit, name } = head.base
  const refs = name === null ? [] : [`refs/heads/${name}`, `refs/remotes/origin/${name}`]
  const files = {
    HEAD: head.commit,
    config:
      `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = false\n${start.reading}` +
      (sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '') +
      originOf(start.remote),
    'objects/info/alternates': join(dir, 'objects'),
    'packed-refs': refs.map((ref) => `${commit} ${ref}\n`).join('') + head.tags,
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), `${text.trimEnd()}\n`)
  copyFileSync(join(dir, 'info/exclude'), join(path, 'info/exclude'))
  if (existsSync(join(dir, 'shallow'))) copyFileSync(join(dir, 'shallow'), join(path, 'shallow'))
  copyFileSync(head.index, join(path, 'index'))
}
