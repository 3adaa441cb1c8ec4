import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export type GitOptions = {
  /** Where git starts; nowhere near the agent's work tree when not given. */
  cwd?: string
  gitDir?: string
  workTree?: string
  /** The index file, when not the git dir's own. */
  index?: string
  /** Added last; undefined takes a variable out. For what must stand in this one command's environment only. */
  env?: Readonly<Record<string, string | undefined>>
  input?: string | Uint8Array
  /** In milliseconds; 10 minutes when not given. */
  limitMillis?: number
  /** Exit codes that raise no error; 0 when not given, `any` for all. */
  accept?: readonly number[] | 'any'
  /** Takes the output piece by piece instead of collecting it. */
  onStdout?: (chunk: Buffer) => void
  /** Ends its children too when the limit is reached. For commands that start helpers, such as a push. */
  group?: boolean
}

export type GitResult = {
  /** -1 when it was ended by a signal or by us. */
  code: number
  stdout: Buffer
  stderr: string
  timedOut: boolean
}

/** @throws GitError when the exit code is not accepted, or git could not be started. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitResult>

export class GitError extends Error {
  override name = 'GitError'
  readonly result: GitResult

  constructor(args: readonly string[], result: GitResult) {
    const why = result.timedOut ? 'did not end within its limit' : `ended with ${result.code}`
    super(`git ${args.slice(0, 3).join(' ')} ${why}: ${result.stderr.trim().slice(-2000)}`)
    this.result = result
  }
}

/** What git needs of the step's environment. Everything else stays out, every `GIT_*` above all. */
const passed = [
  ...['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['CURL_CA_BUNDLE', 'http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  ...['no_proxy', 'NO_PROXY'],
]

const safe = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
}

/** Most of stderr that is kept, in characters. */
const mostStderr = 64 * 1024

/**
 * Git with a safe environment. The program is looked up once, now: what an agent puts on PATH later is not run. When
 * `signal` is aborted, commands that speak to others (`group`) are ended and reject; all others are quick and end well.
 *
 * @throws Error when there is no git on PATH.
 */
export const createGit = (step: Readonly<Record<string, string | undefined>>, signal?: AbortSignal): Git => {
  const program = onPath('git', step.PATH)
  if (program === null) throw new Error('There is no git on PATH.')
  const environment: Record<string, string> = { ...safe }
  for (const name of passed) {
    const value = step[name]
    if (value !== undefined) environment[name] = value
  }
  return (args, options = {}) => run(program, environment, args, options, options.group ? signal : undefined)
}

/** The absolute path of a program, or null. Relative entries of PATH are passed over. */
export const onPath = (name: string, path: string | undefined): string | null => {
  for (const folder of (path ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {}
  }
  return null
}

const run = (
  program: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  options: GitOptions,
  signal: AbortSignal | undefined,
): Promise<GitResult> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const { gitDir, workTree, group = false } = options
    const child = spawn(
      program,
      [
        ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
        ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
        ...args,
      ],
      {
        cwd: options.cwd ?? gitDir ?? '/',
        env: {
          ...environment,
          ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }),
          ...options.env,
        },
        stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: group,
      },
    )
    const stdout: Buffer[] = []
    let stderr = ''
    let timedOut = false
    const kill = () => {
      try {
        if (group && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        else child.kill('SIGKILL')
      } catch {} // gone already
      for (const stream of [child.stdout, child.stderr]) stream?.destroy() // a helper may hold them open
    }
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, options.limitMillis ?? 600_000)
    signal?.addEventListener('abort', kill)
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
    child.stdout?.on('data', options.onStdout ?? ((chunk: Buffer) => stdout.push(chunk)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-mostStderr)
    })
    child.stdin?.on('error', () => {}) // a reader that goes away early is told by its exit code
    child.stdin?.end(options.input)
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('close', (code) => {
      release()
      if (signal?.aborted) return reject(new Error(`git was ended: ${signal.reason}`))
      const result = { code: code ?? -1, stdout: Buffer.concat(stdout), stderr, timedOut }
      const { accept = [0] } = options
      if (!timedOut && (accept === 'any' || accept.includes(result.code))) resolve(result)
      else if (accept === 'any') resolve(result)
      else reject(new GitError(args, result))
    })
  })

/** The first line of the output. */
export const line = ({ stdout }: GitResult): string => stdout.toString('utf8').trim()

/** The parts of an output in `-z` form. */
export const parts = ({ stdout }: GitResult): Buffer[] => {
  const all: Buffer[] = []
  for (let from = 0; from < stdout.length; ) {
    const end = stdout.indexOf(0, from)
    all.push(stdout.subarray(from, end < 0 ? stdout.length : end))
    from = end < 0 ? stdout.length : end + 1
  }
  return all
}
