import { closeSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Everything that the process was started with, read once. Nothing else looks at `process.env`. */
export type Context = {
  environment: Readonly<Record<string, string>>
  onActions: boolean
  workspace: string
  /** A folder for what need not outlive the job. */
  temp: string
  /** `owner/name`; the folder's name outside GitHub. */
  repository: string
  /** Address of the repository's pages; empty outside GitHub. */
  url: string
  runUrl: string
  /** Tells one attempt of one job from all others; part of the artifact's name. */
  runName: string
  /** The action's own folder: `action.yml`, `cli/`, `dist/`. */
  home: string
  /** Inputs as the action got them; null when they come from the command line. */
  inputs: Readonly<Record<string, string>> | null
  /** What the install step told: where this run works, and the CLI. Empty when it told nothing. */
  place: string
  claude: string
  /** `success`, `failure` or `cancelled`, as the runner sees the job; empty outside GitHub. */
  jobStatus: string
}

export const readContext = (): Context => {
  const environment = readEnvironment()
  const get = (name: string) => environment[name] ?? ''
  const server = get('GITHUB_SERVER_URL').replace(/\/$/, '')
  const onActions = get('GITHUB_ACTIONS') === 'true'
  const workspace = resolve(get('GITHUB_WORKSPACE') || process.cwd())
  const repository = get('GITHUB_REPOSITORY')
  const url = onActions && server !== '' && repository !== '' ? `${server}/${repository}` : ''
  return {
    environment,
    onActions,
    workspace,
    temp: get('RUNNER_TEMP') || tmpdir(),
    repository: repository || basename(workspace),
    url,
    runUrl: url === '' || get('GITHUB_RUN_ID') === '' ? '' : `${url}/actions/runs/${get('GITHUB_RUN_ID')}`,
    runName: onActions
      ? `${get('GITHUB_RUN_ID') || '0'}-${get('GITHUB_RUN_ATTEMPT') || '1'}-${get('GITHUB_JOB') || 'job'}`
      : 'local',
    home: resolve(dirname(fileURLToPath(import.meta.url)), '../..'),
    inputs: readInputs(get('RALPH_INPUTS')),
    place: get('RALPH_PLACE'),
    claude: get('RALPH_CLAUDE'),
    jobStatus: get('RALPH_JOB_STATUS'),
  }
}

/** The launcher hands the environment over by a descriptor, so that it stands in no process's own; a person's shell does not. */
const readEnvironment = (): Record<string, string> => {
  if (process.env.RALPH_ENVIRONMENT !== '3') {
    return Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
  }
  const text = readFileSync(3, 'utf8')
  closeSync(3)
  return Object.fromEntries(
    text
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

const readInputs = (json: string): Record<string, string> | null => {
  if (json === '') return null
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).map(([name, input]) => [name, typeof input === 'string' ? input : String(input)]),
  )
}
