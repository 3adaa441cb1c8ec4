import { type Context, readContext } from './context.ts'
import { demo } from './demo.ts'
import { finish } from './finish.ts'
import { install } from './install.ts'
import { local } from './local.ts'
import { loop } from './loop.ts'
import { model } from './model.ts'

/** Answers with the exit code. */
type Command = (context: Context, args: readonly string[]) => Promise<number>

/** The sub-commands. Exit codes: 0 well, 1 the run failed, 2 wrong usage, 130 cancelled. */
const commands: Readonly<Record<string, { help: string; run: Command }>> = {
  demo: { help: 'Show the whole loop on a small repository, at no cost', run: demo },
  run: { help: 'Run the loop on the repository you stand in', run: local },
  model: { help: 'Serve a scripted model, for dry tests without a key', run: model },
  install: { help: '(a step of the action)', run: install },
  loop: { help: '(a step of the action)', run: loop },
  finish: { help: '(a step of the action)', run: finish },
}

const help = (): string =>
  `Usage: ralph <command> [options]\n\n${Object.entries(commands)
    .map(([name, { help }]) => `  ${name.padEnd(8)} ${help}`)
    .join('\n')}\n`

const main = async (context: Context, args: readonly string[]): Promise<number> => {
  const [name = '', ...rest] = args
  if (name === '' || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help())
    return name === '' ? 2 : 0
  }
  const command = commands[name]
  if (command === undefined) {
    process.stderr.write(`There is no command "${name}".\n\n${help()}`)
    return 2
  }
  return command.run(context, rest)
}

const context = readContext()

main(context, process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(
      `${context.onActions ? `::error::Ralph failed: ${text.split('\n')[0]}\n` : ''}${text}\n`,
    )
    process.exit(1)
  },
)
