import { expect, test } from 'vitest'
import { type CommandInterpreter, createInterpreter } from './command-interpreter.ts'
import { createMasker } from './masker.ts'
import { createStepLog, type StepLog } from './step-log.ts'

type Opened = { interpreter: CommandInterpreter; log: StepLog; effects: string[]; masks(): string[] }

const open = (options: { allowUnsecure?: boolean; echo?: boolean; showDebug?: boolean } = {}): Opened => {
  const masker = createMasker()
  const effects: string[] = []
  const log = createStepLog({
    masker,
    workspace: '/w',
    showDebug: options.showDebug ?? false,
    onLine: () => {},
  })
  const interpreter = createInterpreter({
    log,
    masker,
    effects: {
      setOutput: (name, value) => effects.push(`output ${name}=${value}`),
      setEnv: (name, value) => effects.push(`env ${name}=${value}`),
      addPath: (folder) => effects.push(`path ${folder}`),
    },
    allowUnsecure: options.allowUnsecure ?? false,
    echo: options.echo ?? false,
  })
  return { interpreter, log, effects, masks: masker.values }
}

test.each(['', 'pause-logging', 'ERROR'])(
  'the stop token %j is refused, and commands go on being obeyed',
  (token) => {
    const { interpreter, log } = open()
    interpreter.read(`::stop-commands::${token}`)
    interpreter.read('::notice::still obeyed')
    expect(log.annotations.map(({ kind }) => kind)).toEqual(['error', 'error', 'notice'])
    expect(interpreter.failed).toBe(true)
    expect(interpreter.seen[0]?.refused).toContain('You cannot use a endToken')
  },
)

test('a stop token counts in any case and in both syntaxes; a long one is masked', () => {
  const { interpreter, log, masks } = open()
  for (const line of ['::stop-commands::Token77', '::error::a', '##[tOKEN77]', '::error::b', '::token77::']) {
    interpreter.read(line)
  }
  expect(log.lines).toEqual([
    '::stop-commands::***',
    '::error::a',
    '##[tOKEN77]',
    '##[error]b',
    '::token77::',
  ])
  expect(masks()).toEqual(['Token77'])
})

test('set-output and save-state are obeyed with a warning; without a name they fail the step', () => {
  const { interpreter, log, effects } = open()
  interpreter.read('::set-output name=a::1')
  interpreter.read('::save-state name=a::1')
  expect(effects).toEqual(['output a=1'])
  expect(log.annotations.map(({ message }) => message.slice(0, 40))).toEqual([
    'The `set-output` command is deprecated a',
    'The `save-state` command is deprecated a',
  ])
  expect(interpreter.failed).toBe(false)
  interpreter.read('::set-output::1')
  expect(interpreter.failed).toBe(true)
})

test('set-env and add-path are obeyed only where the environment allows them, NODE_OPTIONS never', () => {
  const lines = ['::set-env name=A::1', '##[set-env name=node_options]x', '::add-path::/bin', '::add-path::']
  const refusing = open()
  lines.forEach(refusing.interpreter.read)
  expect(refusing.effects).toEqual([])
  expect(refusing.interpreter.seen.map(({ refused }) => refused !== undefined)).toEqual([
    true,
    true,
    true,
    true,
  ])
  const allowing = open({ allowUnsecure: true })
  lines.forEach(allowing.interpreter.read)
  expect(allowing.effects).toEqual(['env A=1', 'path /bin'])
  expect(allowing.log.annotations[0]?.message).toBe(
    "Can't update NODE_OPTIONS environment variable using ::set-env:: command.",
  )
})

test('debug shows only with step debugging; echo shows commands, but not those that make annotations', () => {
  const quiet = open()
  quiet.interpreter.read('::debug::hidden')
  expect(quiet.log.lines).toEqual([])
  const { interpreter, log } = open({ showDebug: true })
  for (const line of [
    '::debug::shown',
    '::echo::on',
    '::group::g',
    '::error::e',
    '::add-mask::secret-1',
    '::echo::off',
  ]) {
    interpreter.read(line)
  }
  interpreter.read('::endgroup::')
  expect(log.lines).toEqual([
    '##[debug]shown',
    ...['::group::g', '##[group]g', '##[error]e', '::add-mask::***', '::echo::off', '##[endgroup]'],
  ])
  interpreter.read('::echo::maybe')
  expect(interpreter.failed).toBe(true)
})

test('an annotation message is cut at 4,096 characters, its log line is not', () => {
  const { interpreter, log } = open()
  interpreter.read(`::error::${'x'.repeat(5000)}`)
  expect(log.annotations[0]?.message).toHaveLength(4096)
  expect(log.lines[0]).toHaveLength('##[error]'.length + 5000)
})

test('an empty mask is a warning, and each line of a longer one is masked', () => {
  const { interpreter, log, masks } = open()
  interpreter.read('::add-mask:: ')
  interpreter.read('::add-mask::first line%0Asecond line')
  interpreter.read('a second line')
  expect(log.lines.at(-1)).toBe('a ***')
  expect(log.annotations.map(({ kind }) => kind)).toEqual(['warning'])
  expect(masks()).toEqual(['first line\nsecond line', 'first line', 'second line'])
})
