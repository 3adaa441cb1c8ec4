import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { branchFault } from '../core/branch.ts'
import { type RefusalClass, refusalMeans, refusalOf } from '../core/push-refusal.ts'
import { type Adoption, adopt, type MergeWords } from './adopt.ts'
import { type GitResult, line } from './git.ts'
import { pushLarge } from './lfs.ts'
import type { Run } from './objects.ts'
import type { Store } from './store.ts'

export type PushResult = { kind: 'pushed' } | { kind: 'refused'; class: RefusalClass; text: string }

export type PushRequest = {
  commit: string
  branch: string
  /** What the branch is on the remote as far as we know, an ancestor of `commit`; null: it must not exist. */
  expected: string | null
  /** Pushed in the same breath: both arrive or neither. `commit` null deletes it. */
  state?: { commit: string | null; expected: string | null }
}

export type Remote = {
  /** Without credentials. */
  url: string
  defaultBranch: string | null
  /** Names of the branches that were there when it was opened. */
  branches: readonly string[]
  /** Object id of a branch now, or null. */
  branch: (name: string) => Promise<string | null>
  push: (request: PushRequest) => Promise<PushResult>
  /** Takes over a branch of ours that is there already; null when it is not. */
  adopt: (name: string, words: MergeWords) => Promise<Adoption>
}

export type RemoteRequest = {
  store: Store
  /** Null: the one that stood in the remote's address, or none. */
  token: string | null
  /** Longest time for one conversation with the remote, in milliseconds; 120,000 when not given. */
  limitMillis?: number
  /** Waits before each further try of a remote that cannot be reached, in milliseconds. */
  waits?: readonly number[]
  /** Cuts the waits short when it is aborted. */
  signal?: AbortSignal
}

/** The hidden ref that holds a branch's state. */
export const stateRef = (branch: string): string =>
  `refs/ralph/${createHash('sha256').update(branch).digest('hex').slice(0, 16)}`

const defaultWaits = [1000, 4000, 15_000]

/**
 * Opens the remote that the checkout had at the start; null when it had none.
 *
 * @throws Error when it cannot be reached or refuses to be read.
 */
export const openRemote = async (request: RemoteRequest): Promise<Remote | null> => {
  const { store, limitMillis = 120_000, waits = defaultWaits, signal } = request
  const pause: Pause = (millis) => sleep(millis, undefined, { signal }).catch(() => {})
  const { remote: url } = store.start
  if (url === '') return null
  const env = conversation(store, url, request.token ?? store.token)
  const call: Run = (args, options) => store.git(args, { env, limitMillis, group: true, ...options })

  /** Object ids by full name of the refs that match; `HEAD` gives the default branch. */
  const look = async (...patterns: string[]): Promise<{ head: string | null; refs: Map<string, string> }> => {
    const told = await patiently(waits, pause, () =>
      call(['ls-remote', '--symref', '--', url, ...patterns], { accept: 'any' }),
    )
    if (told.code !== 0) {
      const refusal = refusalOf(answerOf(told))
      throw new Error(`${url} cannot be read. ${refusalMeans[refusal.class]} The remote: ${refusal.text}`)
    }
    const rows = told.stdout
      .toString('utf8')
      .split('\n')
      .map((row) => row.split('\t'))
    const head = rows.find(([what, name]) => name === 'HEAD' && what?.startsWith('ref: refs/heads/'))?.[0]
    const refs = rows.flatMap(([id = '', name = '']): [string, string][] =>
      id.startsWith('ref: ') || name === '' ? [] : [[name, id]],
    )
    return { head: head?.slice('ref: refs/heads/'.length) ?? null, refs: new Map(refs) }
  }

  const first = await look('HEAD', 'refs/heads/*')
  return {
    url,
    defaultBranch: first.head,
    branches: [...first.refs.keys()]
      .filter((name) => name.startsWith('refs/heads/'))
      .map((name) => name.slice(11)),
    branch: async (name) => (await look(`refs/heads/${name}`)).refs.get(`refs/heads/${name}`) ?? null,
    adopt: (name, words) => adopt(store, { call, url, name, words }),
    push: async (pushed) => {
      const fault = branchFault(pushed.branch, first.head)
      if (fault !== null) return { kind: 'refused', class: 'protected', text: fault }
      if (!(await descends(store, pushed)))
        return {
          kind: 'refused',
          class: 'moved',
          text: `${pushed.branch} does not lead from ${pushed.expected} to ${pushed.commit}.`,
        }
      const updates = updatesOf(pushed)
      const arrived = async (): Promise<boolean> => {
        const { refs } = await look(...updates.map(({ ref }) => ref))
        return updates.every(({ ref, to }) => (refs.get(ref) ?? null) === to)
      }
      const send = async (): Promise<GitResult> => {
        const large = await pushLarge(store, call, url, pushed.commit)
        return large !== null && large.code !== 0
          ? large
          : call(pushArguments(url, updates), { accept: 'any' })
      }
      return pushPatiently(send, arrived, waits, pause)
    },
  }
}

type Update = { ref: string; to: string | null; expected: string | null }

const updatesOf = ({ commit, branch, expected, state }: PushRequest): Update[] => [
  { ref: `refs/heads/${branch}`, to: commit, expected },
  ...(state === undefined ? [] : [{ ref: stateRef(branch), to: state.commit, expected: state.expected }]),
]

const pushArguments = (url: string, updates: readonly Update[]): string[] => [
  ...['push', '--porcelain', '--no-verify', '--atomic', '--no-follow-tags', '--recurse-submodules=no'],
  ...updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`),
  ...['--', url],
  ...updates.map(({ ref, to }) => `${to ?? ''}:${ref}`),
]

/** A lease alone would let a commit through that forgets what is there. */
const descends = async ({ git }: Store, { commit, expected }: PushRequest): Promise<boolean> =>
  expected === null ||
  expected === commit ||
  (await git(['merge-base', '--is-ancestor', expected, commit], { accept: [0, 1, 128] })).code === 0

const answerOf = ({ code, timedOut, stdout, stderr }: GitResult) => ({
  code,
  timedOut,
  stdout: stdout.toString('utf8'),
  stderr,
})

type Pause = (millis: number) => Promise<void>

/** A push that failed may have arrived all the same: the remote is asked before it is tried again. */
const pushPatiently = async (
  push: () => Promise<GitResult>,
  arrived: () => Promise<boolean>,
  waits: readonly number[],
  pause: Pause,
): Promise<PushResult> => {
  for (let tries = 0; ; tries++) {
    const answer = await push()
    if (answer.code === 0) return { kind: 'pushed' }
    const refusal = refusalOf(answerOf(answer))
    if (refusal.class !== 'unreachable' && refusal.class !== 'moved') return { kind: 'refused', ...refusal }
    const wait = waits[tries]
    if (refusal.class === 'unreachable' && wait !== undefined) await pause(wait)
    if (await arrived().catch(() => false)) return { kind: 'pushed' }
    if (refusal.class === 'moved' || wait === undefined) return { kind: 'refused', ...refusal }
  }
}

const patiently = async (
  waits: readonly number[],
  pause: Pause,
  call: () => Promise<GitResult>,
): Promise<GitResult> => {
  for (let tries = 0; ; tries++) {
    const answer = await call()
    const wait = waits[tries]
    if (answer.code === 0 || wait === undefined || refusalOf(answerOf(answer)).class !== 'unreachable')
      return answer
    await pause(wait)
  }
}

/**
 * The environment of one conversation: the token in it and nowhere else, exactly one header that carries it, no
 * other credentials, no address that the remote sends us on to.
 */
const conversation = (store: Store, url: string, token: string | null): Record<string, string> => {
  const settings: [string, string][] = [
    ['http.extraHeader', ''],
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', '60'],
  ]
  const [origin] = /^https?:\/\/[^/]+\//.exec(url) ?? []
  if (origin !== undefined && token !== null) {
    const login = Buffer.from(`x-access-token:${token}`).toString('base64')
    settings.push([`http.${origin}.extraHeader`, `Authorization: Basic ${login}`])
  }
  return {
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=20',
    ...(origin === undefined ? {} : { HOME: store.dir }), // a .netrc that an agent wrote is not read
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  }
}

/** Saves the commits from `base` to `tip` in a file that `git fetch` reads, for what could not be pushed. False when there are none. */
export const saveBundle = async (
  { git }: Store,
  path: string,
  base: string,
  tip: string,
): Promise<boolean> => {
  const count = line(await git(['rev-list', '--count', tip, `^${base}`]))
  if (count === '0') return false
  await git(['update-ref', 'refs/heads/ralph-work', tip])
  await git(['bundle', 'create', '-q', path, 'refs/heads/ralph-work', `^${base}`])
  return true
}
