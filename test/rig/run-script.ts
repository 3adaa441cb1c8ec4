import { resolve } from 'node:path'
import { contextVariables } from './contexts.ts'
import { runEntryProcess } from './entry-process.ts'
import { evaluateTemplate } from './expressions.ts'
import type { StepBody } from './run-step.ts'
import { prepareShell } from './shell.ts'
import type { RunStep } from './step.ts'
import type { StepEnd } from './step-book.ts'
import type { StepLog } from './step-log.ts'

/**
 * The body of a `run:` step: header, script file, entry process. Raises when it cannot be started.
 * Source: actions/runner ScriptHandler.
 */
export const runScript = async (step: RunStep, body: StepBody): Promise<StepEnd & { failed: boolean }> => {
  const { job, site, book } = body
  const script = evaluateTemplate(step.run, site)
  const added = [...job.path].reverse()
  const command = prepareShell({
    script,
    shell: step.shell === undefined ? undefined : evaluateTemplate(step.shell, site),
    temp: job.temp,
    path: [...added, job.host.PATH ?? ''].join(':'),
  })
  writeHeader(book.log, script, command.shown, body.env)

  const env = {
    CI: 'true',
    ...job.host,
    ...body.env,
    PATH: [...added, body.env.PATH ?? job.host.PATH ?? ''].join(':'),
    ...contextVariables(body.github, job.runner),
    GITHUB_ACTIONS: 'true',
  }
  const exit = await runEntryProcess({
    file: command.file,
    args: command.args,
    cwd: resolve(job.workspace, evaluateTemplate(step.workingDirectory ?? '', site)),
    env,
    schedule: job.schedule,
    signal: body.signal,
    onStart: (pid) => job.observe.started?.({ id: step.id, name: body.name }, pid),
    onLine: body.read,
  })
  job.hold(exit.held)
  const failed = exit.exitCode !== 0
  if (failed && !body.signal.aborted)
    book.log.annotate('error', `Process completed with exit code ${exit.exitCode}.`)
  return { failed, exitCode: exit.exitCode, signals: exit.signals, env }
}

/** The script, the shell and the environment, masked like every line. */
const writeHeader = (log: StepLog, script: string, shell: string, env: Record<string, string>): void => {
  const lines = script.replaceAll('\r\n', '\n').replace(/\n+$/, '').split('\n')
  log.write(`##[group]Run ${script.replace(/^[ \t\r\n]+/, '').split(/\r|\n/)[0] ?? ''}`)
  for (const line of lines) log.write(`\u001b[36;1m${line}\u001b[0m`)
  log.write(shell)
  writeMapping(log, 'env', env)
  log.write('##[endgroup]')
}

export const writeMapping = (log: StepLog, title: string, mapping: Record<string, string>): void => {
  const entries = Object.entries(mapping)
  if (entries.length > 0) log.write(`${title}:`)
  for (const [key, value] of entries) log.write(`  ${key}: ${value}`)
}
