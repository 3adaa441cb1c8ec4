import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGit } from '../adapters/git.ts'
import { startScriptedModel } from '../adapters/scripted-model.ts'
import { demoFiles, demoScenario, demoTask, demoVerifier } from '../core/demo.ts'
import { parseScenario } from '../core/scenario/parse-scenario.ts'
import { Failure } from '../run.ts'
import type { Context } from './context.ts'
import { runHere } from './local.ts'

const usage =
  'Usage: ralph demo [--live]\n\n  --live  use the real model, with the key in ANTHROPIC_API_KEY, for at most $1\n'

/** The whole loop on a small repository: the real Claude Code, the real git, and a scripted model unless `--live`. */
export const demo = async (context: Context, args: readonly string[]): Promise<number> => {
  const live = args.includes('--live')
  if (args.some((arg) => arg !== '--live')) {
    process.stderr.write(usage)
    return 2
  }
  const key = context.environment.ANTHROPIC_API_KEY ?? ''
  if (live && key === '') {
    process.stderr.write('--live needs a key in ANTHROPIC_API_KEY.\n')
    return 2
  }
  const temp = realpathSync(mkdtempSync(join(context.temp, 'ralph-demo-')))
  const workspace = join(temp, 'shopping-cart')
  const remote = join(temp, 'remote.git')
  await makeRepository(context, workspace, remote)
  process.stdout.write(
    `A repository with two bugs: ${workspace}\n${live ? 'The model is the real one, and costs money: at most $1.' : 'The model is a scripted one on this machine: no key, no cost.'}\n`,
  )
  const here: Context = {
    ...context,
    onActions: false,
    workspace,
    temp,
    repository: 'you/shopping-cart',
    url: '',
    runUrl: '',
    runName: 'demo',
  }
  const inputs = { task: demoTask, verify: demoVerifier, 'max-iterations': '5', 'budget-usd': '1' }
  const code = live
    ? await runHere(here, { ...inputs, 'anthropic-api-key': key })
    : await scripted(here, inputs)
  process.stdout.write(`Look at the work: git --git-dir=${remote} log --stat --all\n`)
  return code
}

const scripted = async (here: Context, inputs: Record<string, string>): Promise<number> => {
  const parsed = parseScenario(demoScenario)
  if ('problems' in parsed)
    throw new Error(`The demo's own scenario is not valid: ${JSON.stringify(parsed.problems)}`)
  const model = await startScriptedModel({ scenario: parsed.scenario })
  try {
    return await runHere(here, {
      ...inputs,
      'anthropic-api-key': 'demo-key',
      'anthropic-base-url': model.url,
    })
  } finally {
    await model.close()
  }
}

const makeRepository = async (context: Context, workspace: string, remote: string): Promise<void> => {
  for (const [path, content] of Object.entries(demoFiles)) {
    const file = join(workspace, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const git = createGit(context.environment)
  const run = (...words: string[]) => git(words, { cwd: workspace })
  const identity = ['-c', 'user.name=You', '-c', 'user.email=you@example.com']
  try {
    await run('init', '-q', '--initial-branch=main')
    await run('add', '-A')
    await run(...identity, 'commit', '-q', '-m', 'A shopping cart with two bugs')
    await run('init', '-q', '--bare', '--initial-branch=main', remote)
    await run('remote', 'add', 'origin', remote)
    await run('push', '-q', 'origin', 'main')
  } catch (error) {
    throw new Failure(
      'SETUP_FAILED',
      `git could not make the demo's repository: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
