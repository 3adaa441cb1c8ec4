import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Context, defaultGithub } from './contexts.ts'
import { runnerSchedule, type Schedule } from './entry-process.ts'
import type { Json, Status } from './expressions.ts'
import { killLeftovers, type Leftovers, snapshotProcesses } from './leftovers.ts'
import { createMasker, type Masker } from './masker.ts'

/** What the steps of one job share. */
export type Job = {
  readonly workspace: string
  readonly temp: string
  readonly github: Context
  readonly runner: Record<string, string>
  /** `strategy`, `matrix` and what `job` holds besides its status. */
  readonly contexts: { strategy: Json; matrix: Json; job: Context }
  /** The environment of the runner's own process, all that a step inherits. */
  readonly host: Record<string, string>
  /** The job's `env:`, then what steps wrote to GITHUB_ENV. */
  readonly env: Record<string, string>
  /** What steps wrote to GITHUB_PATH; the last stands first in PATH. */
  readonly path: string[]
  readonly masker: Masker
  /** Masked. */
  readonly log: string[]
  readonly schedule: Schedule
  readonly debug: boolean
  readonly observe: Observer
  readonly cancelled: AbortSignal
  status: Status
  /** As "Cancel workflow" does. */
  cancel(): void
  /** Keeps streams open that outlived their step. */
  hold(streams: readonly Readable[]): void
  /** The end of the job: what still runs is reported and killed. */
  finish(): Promise<Leftovers>
}

export type JobOptions = {
  /** The checkout; must exist. */
  workspace: string
  /** RUNNER_TEMP; made when it is missing. */
  temp: string
  /** The workflow's and the job's `env:`. */
  env?: Record<string, string>
  /** Laid over PATH (this Node's folder and the system's), HOME (a folder beside `temp`), LANG and USER. */
  host?: Record<string, string>
  /** Laid over `defaultGithub`; `event` is written to GITHUB_EVENT_PATH. */
  github?: Context
  runner?: Record<string, string>
  contexts?: Partial<Job['contexts']>
  /** Values to mask from the start, besides `github.token`. */
  secrets?: readonly string[]
  schedule?: Partial<Schedule>
  /** ACTIONS_STEP_DEBUG. */
  debug?: boolean
  observe?: Observer
}

export type Observer = {
  /** A step begins; `pid` is that of its entry process, absent for a `uses:` step. */
  started?(step: StepName, pid: number | undefined): void
  /** A line of output, before the runner looks for commands in it. */
  line?(step: StepName, line: string): void
}
export type StepName = { id: string; name: string }

export const createJob = (options: JobOptions): Job => {
  const { workspace, temp } = options
  const before = snapshotProcesses()
  const trackingId = `github_${randomUUID()}`
  const tools = join(dirname(temp), '_tool')
  const home = join(dirname(temp), '_home')
  for (const folder of [temp, tools, home]) mkdirSync(folder, { recursive: true })

  const github: Context = {
    ...defaultGithub(workspace),
    ...options.github,
    event_path: writeEvent(temp, options.github?.event),
  }
  const token = String(github.token)
  const held: Readable[] = []
  const controller = new AbortController()

  return {
    workspace,
    temp,
    github,
    runner: {
      arch: process.arch === 'arm64' ? 'ARM64' : 'X64',
      environment: 'github-hosted',
      name: 'rig',
      os: process.platform === 'darwin' ? 'macOS' : 'Linux',
      temp,
      tool_cache: tools,
      workspace: dirname(workspace),
      ...(options.debug === true ? { debug: '1' } : {}),
      ...options.runner,
    },
    contexts: {
      strategy: { 'fail-fast': true, 'job-index': 0, 'job-total': 1, 'max-parallel': 1 },
      matrix: null,
      job: {},
      ...options.contexts,
    },
    host: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
      USER: 'runner',
      ...options.host,
      RUNNER_TRACKING_ID: trackingId,
    },
    env: { ...options.env },
    path: [],
    masker: createMasker([
      token,
      Buffer.from(`x-access-token:${token}`).toString('base64'),
      ...(options.secrets ?? []),
    ]),
    log: [],
    schedule: { ...runnerSchedule, ...options.schedule },
    debug: options.debug ?? false,
    observe: options.observe ?? {},
    cancelled: controller.signal,
    status: 'success',
    cancel() {
      this.status = 'cancelled'
      controller.abort()
    },
    hold: (streams) => held.push(...streams),
    async finish() {
      this.log.push('Cleaning up orphan processes')
      const leftovers = await killLeftovers({ before, trackingId, folders: [workspace, temp] })
      for (const { pid, name } of leftovers.orphans)
        this.log.push(`Terminate orphan process: pid (${pid}) (${name})`)
      for (const stream of held) stream.destroy()
      return leftovers
    },
  }
}

const writeEvent = (temp: string, event: Json | undefined): string => {
  const folder = join(temp, '_github_workflow')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'event.json')
  writeFileSync(path, JSON.stringify(event ?? {}, null, 2))
  return path
}
