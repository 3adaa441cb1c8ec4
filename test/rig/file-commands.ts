import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandEffects, isBlockedEnv } from './command-interpreter.ts'
import type { Masker } from './masker.ts'
import type { StepLog } from './step-log.ts'

/**
 * The files of one step behind GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH, GITHUB_STATE and GITHUB_STEP_SUMMARY.
 * Source: actions/runner FileCommandManager.
 */
export type FileCommands = {
  /** By the name in the `github` context, as `step_summary`. */
  readonly paths: Record<FileCommandName, string>
  /** Reads the files after the step's process has ended, whatever its end was. */
  process(options: { log: StepLog; masker: Masker; effects: CommandEffects }): {
    failed: boolean
    summary: string
  }
}

const prefixes = {
  path: 'add_path_',
  env: 'set_env_',
  step_summary: 'step_summary_',
  state: 'save_state_',
  output: 'set_output_',
} as const

type FileCommandName = keyof typeof prefixes

/** In bytes; a larger summary is dropped whole. */
const summaryLimit = 1024 * 1024

export const createFileCommands = (temp: string): FileCommands => {
  const folder = join(temp, '_runner_file_commands')
  mkdirSync(folder, { recursive: true })
  const suffix = randomUUID()
  const create = (name: FileCommandName): string => {
    const path = join(folder, prefixes[name] + suffix)
    writeFileSync(path, '')
    return path
  }
  const paths = {
    path: create('path'),
    env: create('env'),
    step_summary: create('step_summary'),
    state: create('state'),
    output: create('output'),
  }

  return {
    paths,
    process: ({ log, masker, effects }) => {
      let failed = false
      const guard = (name: FileCommandName, read: () => void): void => {
        try {
          read()
        } catch (error) {
          log.annotate('error', `Unable to process file command '${name}' successfully.`)
          log.annotate('error', error instanceof Error ? error.message : String(error))
          failed = true
        }
      }
      guard('path', () => {
        for (const line of readText(paths.path).split(/\r\n|\r|\n/)) if (line !== '') effects.addPath(line)
      })
      guard('env', () => {
        for (const [name, value] of readPairs(readText(paths.env))) {
          if (isBlockedEnv(name)) {
            log.annotate(
              'error',
              `Can't store ${name.toUpperCase()} output parameter using '$GITHUB_ENV' command.`,
            )
          } else effects.setEnv(named(name), value)
        }
      })
      const summary = readSummary(paths.step_summary, log, masker)
      guard('state', () => {
        for (const [name] of readPairs(readText(paths.state))) named(name)
      })
      guard('output', () => {
        for (const [name, value] of readPairs(readText(paths.output))) effects.setOutput(named(name), value)
      })
      return { failed, summary }
    },
  }
}

/**
 * The pairs of a file of `name=value` lines and `name<<delimiter` blocks. Only `\n` ends a line, so a `\r` stays in
 * the value. Raises on the first line that is neither, after having given out the pairs before it.
 */
export function* readPairs(text: string): Generator<[name: string, value: string]> {
  let at = 0
  const nextLine = (): { line: string; ended: boolean } | undefined => {
    if (at >= text.length) return undefined
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    at = end < 0 ? text.length : end + 1
    return { line, ended: end >= 0 }
  }

  for (let next = nextLine(); next !== undefined; next = nextLine()) {
    const { line } = next
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      yield [line.slice(0, equals), line.slice(equals + 1)]
    } else if (heredoc >= 0) {
      const delimiter = line.slice(heredoc + 2)
      if (heredoc === 0 || delimiter === '') {
        throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`)
      }
      const value: string[] = []
      for (let inner = nextLine(); inner?.line !== delimiter; inner = nextLine()) {
        if (inner === undefined) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`)
        if (!inner.ended) throw new Error('Invalid value. EOF marker missing new line.')
        value.push(inner.line)
      }
      yield [line.slice(0, heredoc), value.join('\n')]
    } else throw new Error(`Invalid format '${line}'`)
  }
}

const named = (name: string): string => {
  if (name === '') throw new Error("Value cannot be null. (Parameter 'name')")
  return name
}

/** A byte order mark decides the encoding and is dropped; a file that is gone is empty. */
const readText = (path: string): string => {
  if (!existsSync(path)) return ''
  const bytes = readFileSync(path)
  const mark = bytes.subarray(0, 2).toString('hex')
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes)
}

const readSummary = (path: string, log: StepLog, masker: Masker): string => {
  if (!existsSync(path)) return ''
  const { size } = statSync(path)
  if (size === 0) return ''
  if (size > summaryLimit) {
    log.annotate('error', summaryTooLarge(size))
    return ''
  }
  const lines = readText(path).split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => `${masker.mask(line)}\n`).join('')
}

const summaryTooLarge = (size: number): string =>
  `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${summaryLimit / 1024}k, got ${Math.floor(size / 1024)}k. For more information see: https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-markdown-summary`
