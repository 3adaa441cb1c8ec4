import { type Context, readContext } from './context.ts'

/** Answers with the exit code. */
type Command = (context: Context, args: readonly string[]) => Promise<number>

/** The sub-commands, each loaded when it is asked for. Exit codes: 0 well, 1 the run failed, 2 wrong usage, 130 cancelled. */
const commands: Readonly<Record<string, { help: string; load: () => Promise<Command> }>> = {
  demo: {
    help: 'Show the whole loop on a small repository, at no cost',
    load: async () => (await import('./demo.ts')).demo,
  },
  run: {
    help: 'Run the loop on the repository you stand in',
    load: async () => (await import('./local.ts')).local,
  },
  model: {
    help: 'Serve a scripted model, for dry tests without a key',
    load: async () => (await import('./model.ts')).model,
  },
  install: { help: '(a step of the action)', load: async () => (await import('./install.ts')).install },
  loop: { help: '(a step of the action)', load: async () => (await import('./loop.ts')).loop },
  finish: { help: '(a step of the action)', load: async () => (await import('./finish.ts')).finish },
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
  return (await command.load())(context, rest)
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
