import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const claude = new URL('../../node_modules/@anthropic-ai/claude-code-linux-x64/claude', import.meta.url)
  .pathname

export type CliRun = {
  code: number | null
  signal: NodeJS.Signals | null
  events: Record<string, unknown>[]
  result: Record<string, unknown> | undefined
  cwd: string
  millis: number
}

/** Runs the real CLI once against `url`; killed after `limit` milliseconds. */
export const runCli = async (
  url: string,
  { prompt = 'do it', args = [] as string[], env = {}, limit = 20_000, cwd = '' } = {},
): Promise<CliRun> => {
  const home = await mkdtemp(join(tmpdir(), 'ralph-home-'))
  const place = cwd === '' ? await mkdtemp(join(tmpdir(), 'ralph-cwd-')) : cwd
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
      cwd: place,
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
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearTimeout(timer)
  const events = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line))
  const result = events.find((event) => event.type === 'result')
  return { code, signal, events, result, cwd: place, millis: Date.now() - started }
}
