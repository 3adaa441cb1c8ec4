import { randomUUID } from 'node:crypto'
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The command line for a `run:` step.
 * Source: actions/runner ScriptHandler and ScriptHandlerHelpers.
 */
export type ShellCommand = { file: string; args: string[]; shown: string }

const defaultArguments: Record<string, string> = {
  bash: '--noprofile --norc -e -o pipefail {0}',
  sh: '-e {0}',
  python: '{0}',
}
const extensions: Record<string, string> = { bash: '.sh', sh: '.sh', python: '.py' }

/**
 * Writes the script into the runner's temp folder and says how to run it. Without a shell (allowed in workflows, not
 * in composites) it is bash with the arguments of sh. Raises for a shell that is unknown or not on `path`.
 */
export const prepareShell = (options: {
  script: string
  shell: string | undefined
  temp: string
  path: string
}): ShellCommand => {
  const [name = 'sh', ...rest] = options.shell === undefined ? ['sh'] : options.shell.split(' ')
  const format = rest.join(' ').trimStart() || (defaultArguments[name] ?? '')
  const file =
    options.shell === undefined
      ? (which('bash', options.path) ?? which('sh', options.path))
      : which(name, options.path)
  if (file === undefined) throw new Error(`${name}: command not found`)
  if (!format.includes('{0}')) throw new Error(invalidShell)
  const script = join(options.temp, `${randomUUID()}${extensions[name] ?? ''}`)
  writeFileSync(script, options.script)
  return {
    file,
    args: splitArguments(format).map((argument) => argument.replaceAll('{0}', script)),
    shown: `shell: ${file} ${format}`,
  }
}

const invalidShell =
  "Invalid shell option. Shell must be a valid built-in (bash, sh, cmd, powershell, pwsh) or a format string containing '{0}'"

const splitArguments = (format: string): string[] =>
  [...format.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([part]) => part.replaceAll('"', ''))

const which = (name: string, path: string): string | undefined => {
  if (name.includes('/')) return isExecutable(name) ? name : undefined
  return path
    .split(':')
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
