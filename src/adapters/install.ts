import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exec } from '@actions/exec'
import { isAtLeast, pinnedVersion, readVersion } from '../core/session/claude-version.ts'
import { start } from './process.ts'

export type Claude = { path: string; version: string; warnings: readonly string[] }

/** How often a person is told that npm is still at work: 3 seconds. */
const tick = 3000
/** Longest time for `claude --version`: 30 seconds. */
const versionLimit = 30_000

/**
 * Installs the pinned Claude Code CLI from the lockfile in `from` into `into`, with npm and without running any
 * install script; npm checks the integrity of every file. Does nothing when it is there already.
 *
 * @throws Error with the fix when npm is missing, fails, or leaves no program behind.
 */
export const installClaude = async (options: {
  from: string
  into: string
  environment: Readonly<Record<string, string>>
  /** Told now and then while npm is at work. */
  onProgress: (text: string) => void
  /** The npm to use; when not given, the one beside this Node.js, else the one on PATH. */
  npm?: string
}): Promise<string> => {
  const { from, into, environment, onProgress } = options
  const there = existsSync(into) ? findProgram(into) : null
  if (there !== null) return there
  mkdirSync(dirname(into), { recursive: true })
  const folder = mkdtempSync(`${into}-`)
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(from, file), join(folder, file))
    const output: string[] = []
    const listen = (line: string) => void output.push(line)
    const began = performance.now()
    onProgress(`Installing Claude Code ${pinnedVersion}: some 100 MB to load, 400 MB on disk …`)
    const ticking = setInterval(
      () => onProgress(`… ${Math.round((performance.now() - began) / 1000)} s`),
      tick,
    )
    const code = await exec(options.npm ?? npmHere(), npmArguments, {
      cwd: folder,
      env: { ...environment },
      silent: true,
      ignoreReturnCode: true,
      listeners: { stdline: listen, errline: listen },
    })
      .catch((error: Error) => {
        throw new Error(
          `npm could not be run to install Claude Code ${pinnedVersion}: ${error.message} Give claude-path to bring your own.`,
        )
      })
      .finally(() => clearInterval(ticking))
    const tail = output.slice(-5).join(' ')
    if (code !== 0)
      throw new Error(`npm could not install Claude Code ${pinnedVersion} (exit code ${code}): ${tail}`)
    if (findProgram(folder) === null) {
      throw new Error(
        `npm ended well but left no Claude Code ${pinnedVersion} for ${process.platform} ${process.arch}. ${tail}`,
      )
    }
    renameSync(folder, into)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    // Another process may have been faster.
    const other = existsSync(into) ? findProgram(into) : null
    if (other !== null) return other
    throw error
  }
  const installed = findProgram(into)
  if (installed === null) throw new Error(`Claude Code vanished from ${into} after it was installed.`)
  return installed
}

const npmArguments = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

const npmHere = (): string => {
  const beside = join(dirname(process.execPath), 'npm')
  return existsSync(beside) ? beside : 'npm'
}

/** The program of this platform inside a folder that npm filled; null when it is not there. */
const findProgram = (folder: string): string | null => {
  const scope = join(folder, 'node_modules', '@anthropic-ai')
  if (!existsSync(scope)) return null
  const prefix = `claude-code-${process.platform}-${process.arch}`
  const name = readdirSync(scope).find(
    (entry) => entry.startsWith(prefix) && existsSync(join(scope, entry, 'claude')),
  )
  return name === undefined ? null : join(scope, name, 'claude')
}

/**
 * Asks the program for its version.
 *
 * @throws Error with the fix when it is no program, prints no version, or is older than what the action works with.
 */
export const checkClaude = async (
  path: string,
  environment: Readonly<Record<string, string>>,
  configDir: string,
  mark: string,
): Promise<Claude> => {
  await access(path, constants.X_OK).catch(() => {
    throw new Error(
      `There is no program at ${path}. Give claude-path the absolute path of Claude Code ${pinnedVersion} or newer, or leave it out.`,
    )
  })
  const printed: Buffer[] = []
  const end = await start({
    program: path,
    args: ['--version'],
    cwd: dirname(path),
    env: { ...environment, CLAUDE_CONFIG_DIR: configDir, DISABLE_AUTOUPDATER: '1' },
    stdin: 'closed',
    onStdout: (chunk) => printed.push(chunk),
    mark,
    limitMillis: versionLimit,
  }).end
  const text = Buffer.concat(printed).toString('utf8').slice(0, 200)
  const version = readVersion(text)
  if (end.how !== 'exited' || end.exitCode !== 0 || version === null) {
    throw new Error(
      `${path} --version did not print a version of Claude Code (exit code ${end.exitCode ?? 'none'}). Version ${pinnedVersion} is needed.`,
    )
  }
  if (!isAtLeast(version, pinnedVersion)) {
    throw new Error(
      `${path} is Claude Code ${version}, and ${pinnedVersion} or newer is needed. Update it, or leave claude-path out to have it installed.`,
    )
  }
  const warnings =
    version === pinnedVersion
      ? []
      : [`Claude Code is ${version}; this version of the action was tested with ${pinnedVersion}.`]
  return { path, version, warnings }
}
