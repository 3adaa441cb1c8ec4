import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { leftoverPatterns, literalPattern } from '../core/excludes.ts'
import { isGitlink } from '../core/left-out.ts'
import { decodePath, indexInfo } from '../core/tree-diff.ts'
import {
  hasCredential,
  lfsFilter,
  originOf,
  quote,
  readingOf,
  readSettings,
  remoteOf,
  type Settings,
} from './checkout-settings.ts'
import { writeWhole } from './files.ts'
import { type Git, GitError, type GitOptions, line, parts } from './git.ts'
import { changesOf, type Run } from './objects.ts'
import type { Start, StoreRequest } from './store.ts'

/** Most untracked paths that are told one by one; of more, whole folders are. */
const mostUntracked = 2000

/** From this size on a file is stored as it is and never held in memory, in bytes. */
const bigFile = '16m'

/**
 * Makes the store and takes in what there is before any agent has run. Nothing of the checkout's own settings is in
 * force here but how line ends, modes and names are read. Answers with the token that stood in the remote's address.
 */
export const importStart = async (request: StoreRequest, file: string): Promise<string | null> => {
  const { git, dir, lfs } = request
  const workspace = realpathSync(request.workspace)
  rmSync(dir, { recursive: true, force: true }) // of a start that was killed
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const settings = await readSettings(git, workspace)
  const remote = await remoteOf(git, workspace, settings)
  const reading = await makeStore(git, dir, workspace, settings)
  const store = (args: readonly string[], options?: GitOptions) => git(args, { gitDir: dir, ...options })
  const work = (args: readonly string[], options?: GitOptions) =>
    store(args, { workTree: workspace, ...options })

  const gitFolder = await fetchHead(store, git, dir, workspace)
  const [head = '', headTree = ''] = line(
    await store(['rev-parse', 'refs/ralph/start', 'refs/ralph/start^{tree}']),
  ).split('\n')
  await store(['read-tree', head])
  const listed = parts(await store(['ls-files', '-s', '-z'])).map(listing)
  const tracked = listed.map(({ path }) => path)

  const used = await filtersOf(store, listed)
  const filters = used.filter(
    (name) => name !== 'lfs' && settings.some(([key]) => key.startsWith(`filter.${name}.`)),
  )
  const runLfs = used.includes('lfs') && lfs !== null
  if (runLfs) appendFileSync(join(dir, 'config'), lfsFilter(lfs) + originOf(remote.url))

  const submodules = listed.filter(({ mode }) => isGitlink(mode)).map(({ path, id }) => ({ path, id }))
  await flag(work, '--assume-unchanged', submodules)

  await work(['add', '-u', '--ignore-errors', '--sparse'], { accept: [0, 1] })
  const changes = await changesOf(store, ['diff-index', '--cached', '--raw', '-z', '--no-renames', head])
  const tree = changes.length === 0 ? headTree : line(await store(['write-tree']))
  const gone = changes.filter((change) => change.new === null)
  if (gone.length > 0) {
    const back = gone.map(({ bytes, old }) => ({ bytes, to: old }))
    await store(['update-index', '-z', '--index-info'], { input: indexInfo(back, head.length) })
    await flag(work, '--skip-worktree', gone)
    appendFileSync(join(dir, 'config'), '[core]\n\tsparseCheckout = true\n')
  }

  const ownExcludes = readIfThere(join(gitFolder, 'info/exclude'))
  const ours = request.exclude.map((path) => path.replace(/^\//, ''))
  const excludes = [ownExcludes, ...leftoverPatterns(tracked), ...ours.map(literalPattern)]
  mkdirSync(join(dir, 'info'), { recursive: true })
  writeFileSync(join(dir, 'info/attributes'), readIfThere(join(gitFolder, 'info/attributes')))
  writeFileSync(join(dir, 'info/exclude'), `${excludes.join('\n')}\n`)
  const untracked = await untrackedOf(work)
  appendFileSync(join(dir, 'info/exclude'), untracked.map((path) => `${literalPattern(path)}\n`).join(''))

  const start: Start = {
    version: 1,
    workspace,
    head,
    headTree,
    branch: await branchOf(git, dir, workspace),
    tree,
    dirty: changes.flatMap(({ path, new: now }) => (now === null ? [] : [{ path, ...now }])),
    untracked,
    ours,
    submodules,
    filters,
    lfs: runLfs ? lfs : null,
    remote: remote.url,
    credential: remote.token !== null || hasCredential(settings),
    sparse: settings.findLast(([key]) => key === 'core.sparsecheckout')?.[1] === 'true',
    reading: runLfs ? reading + lfsFilter(lfs) : reading,
    warnings: [
      ...(used.includes('lfs') && !runLfs
        ? ['Git LFS is used here but git-lfs is not installed: large files are taken as they lie.']
        : []),
      ...filters.map((name) => `The filter ${name} is not run: changes to its files are left out.`),
    ],
  }
  writeWhole(file, `${JSON.stringify(start, null, 1)}\n`)
  return remote.token
}

const makeStore = async (git: Git, dir: string, workspace: string, settings: Settings): Promise<string> => {
  const partial = settings.some(([key]) => /^(remote\..*\.promisor|extensions\.partialclone)$/.test(key))
  if (partial) throw new Error('The checkout is a partial clone. Check out without `filter`.')
  const format = settings.findLast(([key]) => key === 'extensions.objectformat')?.[1] ?? 'sha1'
  await git(['init', '-q', '--bare', `--object-format=${format}`, dir])
  const reading = readingOf(settings)
  appendFileSync(
    join(dir, 'config'),
    `${reading}[core]\n\tfsmonitor = false\n\thooksPath = /dev/null\n\tattributesFile = /dev/null\n` +
      `\texcludesFile = /dev/null\n\tlogAllRefUpdates = false\n\tbigFileThreshold = ${bigFile}\n` +
      `[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[fetch]\n\tunpackLimit = 1\n\tfsckObjects = true\n` +
      `[submodule]\n\trecurse = false\n[advice]\n\taddEmbeddedRepo = false\n`,
  )
  // read by the upload-pack that a fetch starts, which gets no settings by environment
  writeFileSync(
    join(dir, 'owner'),
    `[safe]\n\tdirectory = ${quote(workspace)}\n\tdirectory = ${quote(`${workspace}/.git`)}\n`,
  )
  return reading
}

/** Takes in the commit that is checked out, with its history and the tags on it; answers with the checkout's git folder. */
const fetchHead = async (store: Run, git: Git, dir: string, workspace: string): Promise<string> => {
  const env = { GIT_CONFIG_GLOBAL: join(dir, 'owner') }
  try {
    await store(
      [
        'fetch',
        '-q',
        '--update-shallow',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--',
        workspace,
        '+HEAD:refs/ralph/start',
      ],
      { env, group: true },
    )
  } catch (error) {
    if (error instanceof GitError && /couldn't find remote ref HEAD/.test(error.message))
      throw new Error('The repository has no commit yet.')
    throw error
  }
  return line(await git(['rev-parse', '--path-format=absolute', '--git-common-dir'], { cwd: workspace, env }))
}

const branchOf = async (git: Git, dir: string, cwd: string): Promise<string | null> => {
  const env = { GIT_CONFIG_GLOBAL: join(dir, 'owner') }
  const named = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { cwd, env, accept: [0, 1] })
  return named.code === 0 ? line(named) : null
}

type Listed = { mode: string; id: string; path: string; bytes: Uint8Array }

/** One record of `ls-files -s -z`. */
const listing = (record: Buffer): Listed => {
  const tab = record.indexOf(9)
  const [mode = '', id = ''] = record.subarray(0, tab).toString('latin1').split(' ')
  const bytes = record.subarray(tab + 1)
  return { mode, id, bytes, path: decodePath(bytes).path }
}

/** Names of the filters that the attribute files of the commit ask for. */
const filtersOf = async (store: Run, listed: readonly Listed[]): Promise<string[]> => {
  const files = listed.filter(({ path }) => /(^|\/)\.gitattributes$/.test(path))
  if (files.length === 0) return []
  const { stdout } = await store(['cat-file', '--batch'], {
    input: files.map(({ id }) => `${id}\n`).join(''),
  })
  return [
    ...new Set(Array.from(stdout.toString('utf8').matchAll(/\sfilter=(\S+)/g), ([, name = '']) => name)),
  ]
}

const flag = async (work: Run, option: string, entries: readonly { path: string; bytes?: Uint8Array }[]) => {
  if (entries.length === 0) return
  const input = Buffer.concat(
    entries.flatMap(({ path, bytes }) => [bytes ?? Buffer.from(path), Buffer.of(0)]),
  )
  await work(['update-index', option, '-z', '--stdin'], { input })
}

const untrackedOf = async (work: Run): Promise<string[]> => {
  const list = async (...options: string[]) =>
    parts(await work(['ls-files', '-o', '-z', '--exclude-standard', ...options])).map(
      (bytes) => decodePath(bytes).path,
    )
  const single = await list()
  return single.length <= mostUntracked ? single : list('--directory')
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
