import type { Masker } from './masker.ts'
import type { StepLog } from './step-log.ts'
import { parseCommand, type WorkflowCommand } from './workflow-command.ts'

/**
 * Reads a step's output line by line, obeys the workflow commands in it and writes the rest to the log. One for each
 * step: an unclosed `stop-commands` ends with its step.
 * Source: actions/runner ActionCommandManager.
 */
export type CommandInterpreter = {
  readonly seen: readonly SeenCommand[]
  /** A command could not be obeyed: the step fails even with exit code 0. */
  readonly failed: boolean
  read(line: string): void
}

/** `refused` says why a command was not obeyed. */
export type SeenCommand = WorkflowCommand & { line: string; refused?: string }

export type CommandEffects = {
  setOutput(name: string, value: string): void
  setEnv(name: string, value: string): void
  addPath(folder: string): void
}

const stopCommand = 'stop-commands'

/** Never shown by `echo on`, and named alone in an error. */
const quietNames = new Set(['add-mask', 'debug', 'warning', 'error', 'notice'])

export const createInterpreter = (options: {
  log: StepLog
  masker: Masker
  effects: CommandEffects
  /** The step's environment carries `ACTIONS_ALLOW_UNSECURE_COMMANDS: true`. */
  allowUnsecure: boolean
  echo: boolean
}): CommandInterpreter => {
  const { log, masker, effects } = options
  const seen: SeenCommand[] = []
  let stopToken: string | undefined
  let echo = options.echo
  let failed = false

  const stop = ({ data }: WorkflowCommand, line: string): void => {
    const token = data.toLowerCase()
    if (token === '' || token === 'pause-logging' || registered.has(token)) throw new Error(weakStopToken)
    stopToken = token
    registered.add(token)
    if (token.length > 6) masker.add(data)
    log.write(line)
  }

  const resume = (line: string, token: string): void => {
    log.write(line)
    registered.delete(token)
    stopToken = undefined
  }

  const addMask = ({ data }: WorkflowCommand): void => {
    if (data.trim() === '') {
      log.annotate('warning', emptyMask)
      return
    }
    if (echo) log.write('::add-mask::***')
    masker.add(data)
  }

  const setEnv = ({ data, properties }: WorkflowCommand): void => {
    if (!options.allowUnsecure) throw new Error(disabled('set-env'))
    const name = required(properties, 'name', 'set-env')
    if (isBlockedEnv(name)) {
      log.annotate(
        'error',
        `Can't update ${name.toUpperCase()} environment variable using ::set-env:: command.`,
      )
    } else effects.setEnv(name, data)
  }

  const handlers: Record<string, (command: WorkflowCommand, line: string) => void> = {
    [stopCommand]: stop,
    error: ({ data, properties }) => log.annotate('error', data, properties),
    warning: ({ data, properties }) => log.annotate('warning', data, properties),
    notice: ({ data, properties }) => log.annotate('notice', data, properties),
    debug: ({ data }) => log.debug(data),
    group: ({ data }) => log.write(`##[group]${data}`),
    endgroup: () => log.write('##[endgroup]'),
    'add-mask': addMask,
    'set-output': ({ data, properties }) => {
      log.annotate('warning', deprecated('set-output'))
      effects.setOutput(required(properties, 'name', 'set-output'), data)
    },
    'save-state': ({ properties }) => {
      log.annotate('warning', deprecated('save-state'))
      required(properties, 'name', 'save-state')
    },
    'set-env': setEnv,
    'add-path': ({ data }) => {
      if (!options.allowUnsecure) throw new Error(disabled('add-path'))
      if (data === '') throw new Error("Value cannot be null. (Parameter 'path')")
      effects.addPath(data)
    },
    echo: ({ data }) => {
      echo = parseSwitch(data)
    },
    // Problem matchers are recorded in `seen` and not applied.
    'add-matcher': () => {},
    'remove-matcher': () => {},
  }
  const registered = new Set(Object.keys(handlers))

  return {
    seen,
    get failed() {
      return failed
    },
    read: (line) => {
      const command = parseCommand(line, registered)
      const name = command?.name.toLowerCase()
      if (command === undefined || name === undefined || (stopToken !== undefined && name !== stopToken)) {
        log.write(line)
        return
      }
      if (stopToken !== undefined) {
        resume(line, stopToken)
        return
      }
      const quiet = quietNames.has(name)
      if (echo && !quiet && name !== stopCommand) log.write(line)
      try {
        handlers[name]?.(command, line)
        seen.push({ ...command, line })
      } catch (error) {
        const refused = error instanceof Error ? error.message : String(error)
        seen.push({ ...command, line, refused })
        log.annotate('error', `Unable to process command '${quiet ? name : line}' successfully.`)
        log.annotate('error', refused)
        failed = true
      }
    },
  }
}

/** Names that neither `set-env` nor GITHUB_ENV may set. */
export const isBlockedEnv = (name: string): boolean => name.toUpperCase() === 'NODE_OPTIONS'

const required = (properties: Record<string, string>, key: string, command: string): string => {
  const value = properties[key]
  if (value === undefined || value === '')
    throw new Error(`Required field '${key}' is missing in ##[${command}] command.`)
  return value
}

const parseSwitch = (data: string): boolean => {
  const value = data.trim().toUpperCase()
  if (value === 'ON') return true
  if (value === 'OFF') return false
  throw new Error(
    `Invalid echo command value. Possible values can be: 'on', 'off'. Current value is: '${data}'.`,
  )
}

const emptyMask = "Can't add secret mask for empty string in ##[add-mask] command."

const weakStopToken =
  "You cannot use a endToken that is an empty string, the string 'pause-logging', or another workflow command. For more information see: https://docs.github.com/actions/learn-github-actions/workflow-commands-for-github-actions#example-stopping-and-starting-workflow-commands or opt into insecure command execution by setting the `ACTIONS_ALLOW_UNSECURE_STOPCOMMAND_TOKENS` environment variable to `true`."

const disabled = (command: string): string =>
  `The \`${command}\` command is disabled. Please upgrade to using Environment Files or opt into unsecure command execution by setting the \`ACTIONS_ALLOW_UNSECURE_COMMANDS\` environment variable to \`true\`. For more information see: https://github.blog/changelog/2020-10-01-github-actions-deprecating-set-env-and-add-path-commands/`

const deprecated = (command: string): string =>
  `The \`${command}\` command is deprecated and will be disabled soon. Please upgrade to using Environment Files. For more information see: https://github.blog/changelog/2022-10-11-github-actions-deprecating-save-state-and-set-output-commands/`
