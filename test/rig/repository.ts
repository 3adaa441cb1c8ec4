import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createGit, type Git } from '../../src/adapters/git.ts'
import { openStore, type Store } from '../../src/adapters/store.ts'

/** The environment of a person at a keyboard who has told git nothing. */
const person = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

/** Plain git as a person or an agent runs it. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: person, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

export type Files = Readonly<Record<string, string | Buffer>>

/** Writes files; a name that ends with `*` becomes executable. */
export const write = (folder: string, files: Files): void => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name.replace(/\*$/, ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    if (name.endsWith('*')) chmodSync(path, 0o755)
  }
}

export type Bench = AsyncDisposable & {
  /** A temporary folder that holds the others. */
  root: string
  /** The checkout. */
  ws: string
  git: Git
  open: (options?: Partial<Parameters<typeof openStore>[0]>) => Promise<Store>
}

/** A repository with one commit, beside room for a store. */
export const bench = async (files: Files = { 'src/a.txt': 'one\n' }): Promise<Bench> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-store-')))
  const ws = join(root, 'ws')
  mkdirSync(ws)
  git(ws, 'init', '-q', '-b', 'main')
  write(ws, files)
  git(ws, 'add', '-A')
  git(ws, 'commit', '-q', '--allow-empty', '-m', 'Start')
  const ours = createGit({ PATH: process.env.PATH, HOME: '/nonexistent' })
  return {
    root,
    ws,
    git: ours,
    open: (options) =>
      openStore({
        git: ours,
        dir: join(root, 'store'),
        workspace: ws,
        exclude: ['/.harness/loop/'],
        lfs: null,
        ...options,
      }),
    [Symbol.asyncDispose]: async () => {
      execFileSync('chmod', ['-R', 'u+rwX', root])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Paths and contents of a tree. */
export const treeFiles = (store: Store, tree: string): Record<string, string> =>
  Object.fromEntries(
    git(store.dir, 'ls-tree', '-r', '-z', tree)
      .split('\0')
      .filter((record) => record !== '')
      .map((record) => record.split('\t'))
      .map(([head = '', path = '']) => [
        path,
        head.startsWith('160000')
          ? `commit ${head.split(' ')[2]}`
          : git(store.dir, 'cat-file', 'blob', head.split(' ')[2] ?? ''),
      ]),
  )

/** Every file under a folder with its content, `.git` left out unless asked for. */
export const folderFiles = (folder: string, withGit = false): Record<string, string> => {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => withGit || !/(^|\/)\.git\//.test(name))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
