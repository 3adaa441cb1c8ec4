import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const claude = fileURLToPath(
  new URL('../../node_modules/@anthropic-ai/claude-code-linux-x64/claude', import.meta.url),
)

type CliEvent = Readonly<Record<string, unknown>> & { type: string }

export type CliRun = {
  code: number | null
  signal: NodeJS.Signals | null
  events: readonly CliEvent[]
  /** The result event; undefined when the CLI ended without one. */
  result: CliEvent | undefined
  /** Wall time of the process, in milliseconds. */
  millis: number
}

/**
 * Runs the real CLI once in `cwd` against the API at `url`, with `HOME` empty. It is killed when `kill` resolves, and
 * after `limit` milliseconds.
 */
export const runCli = async (options: {
  url: string
  cwd: string
  prompt?: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  kill?: Promise<unknown>
  limit?: number
}): Promise<CliRun> => {
  const { url, cwd, prompt = 'do it', args = [], env = {}, kill, limit = 25_000 } = options
  const home = await mkdtemp(join(tmpdir(), 'ralph-home-'))
  const started = Date.now()
  const child = spawn(
    claude,
    [
      ...['-p', '--output-format', 'stream-json', '--verbose', '--max-turns', '10'],
      ...['--permission-mode', 'dontAsk', '--tools', 'Bash,Edit,Read,Write'],
      ...['--allowedTools', 'Bash,Edit(./**)', '--setting-sources', '', '--strict-mcp-config'],
      ...['--no-session-persistence', ...args],
    ],
    {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_API_KEY: 'dummy-key-1234',
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdin.end(prompt)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), limit)
  kill?.then(() => child.kill('SIGKILL'))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearTimeout(timer)
  await rm(home, { recursive: true, force: true })
  const lines = out.split('\n').filter((line) => line !== '')
  const events = lines.map((line): CliEvent => JSON.parse(line))
  const result = events.find(({ type }) => type === 'result')
  return { code, signal, events, result, millis: Date.now() - started }
}
