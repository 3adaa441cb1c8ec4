import { join } from 'node:path'
import { agentGit } from '../adapters/agent-git.ts'
import { checkoutBranches } from '../adapters/checkout-branch.ts'
import { hasCredential, readSettings } from '../adapters/checkout-settings.ts'
import { createGit, type Git, onPath } from '../adapters/git.ts'
import { hideCredentials } from '../adapters/hidden-credentials.ts'
import type { Claude } from '../adapters/install.ts'
import type { Log } from '../adapters/log.ts'
import { openPlace } from '../adapters/place.ts'
import { openRemote } from '../adapters/remote.ts'
import { openStore } from '../adapters/store.ts'
import { withhold } from '../core/environment.ts'
import type { RunFacts } from '../core/event.ts'
import type { Config } from '../core/inputs/config.ts'
import { secretsOf } from '../core/secrets.ts'
import { Failure } from '../run.ts'
import { baseBranch, takeBranch } from './branch.ts'
import type { Context } from './context.ts'
import type { Tools } from './perform.ts'
import type { Place } from './place.ts'
import { newMarker, readInstructions, readTask, titleOf } from './prepare.ts'

/** Where the loop's own files lie in the agent's work tree. */
export const loopFolder = '.harness/loop/'

/** Opens everything a run works with, before any money is spent.
 *
 * @throws Failure SETUP_FAILED that names what is wrong and the fix.
 */
export const openTools = async (request: {
  context: Context
  config: Config
  place: Place
  claude: Claude
  log: Log
  signal: AbortSignal
}): Promise<Tools> => {
  const { context, config, place, claude, log, signal } = request
  const { environment } = context
  const git = createGit(environment, signal)
  const store = await openStore({
    git,
    dir: join(place.work, 'store.git'),
    workspace: context.workspace,
    exclude: [loopFolder],
    lfs: onPath('git-lfs', environment.PATH),
  }).catch(setup)
  const task = await readTask(config, store)
  const remote = await openRemote({ store, token: config.git.token, signal }).catch(setup)
  const base = baseBranch(context, config, store.start)
  const runId = `${context.runName}-${place.mark}`
  const source =
    remote === null
      ? { ...(await checkoutBranches(git, store)), defaultBranch: null }
      : { ...remote, names: remote.branches }
  const { warnings: branchWarnings, ...branch } = await takeBranch({
    config,
    source,
    task,
    base,
    head: store.start.head,
    runId,
  }).catch(setup)
  const judgePlace = await openPlace({
    store,
    dir: join(place.work, 'judge'),
    base: store.start.head,
    baseName: base,
  }).catch(setup)
  const agent = withhold(environment)
  const verifier = withhold(environment, config.verifier.env)
  if (agent.names.length > 0)
    log.line({ kind: 'line', text: `Withheld from agent and verifier: ${agent.names.join(', ')}` })
  const warnings = [
    ...config.warnings,
    ...claude.warnings,
    ...store.start.warnings,
    ...branchWarnings,
    ...(remote === null ? [unpushed(context)] : []),
    ...(store.start.credential ? [await concealed(context, config, place, git)] : []),
    ...judgePlace.warnings,
  ]
  const run: RunFacts = {
    id: runId,
    repository: context.repository,
    url: context.url,
    runUrl: context.runUrl,
    task,
    title: titleOf(task),
    ...branch,
    base,
    baseSha: store.start.head,
    baseTree: store.start.headTree,
    remote: remote !== null,
    verifier: config.verifier.command,
    goal: config.goal,
    bounds: config.bounds,
    confirmations: config.verifier.confirmations,
    dryRun: config.dryRun,
    failOn: config.failOn,
    model: config.agent.model ?? '',
    cliVersion: claude.version,
    isolation: 'scrubbed',
    place: judgePlace.mode,
    placeWhy: judgePlace.why,
    warnings,
  }
  return {
    config,
    run,
    place,
    store,
    judgePlace,
    remote,
    claudePath: claude.path,
    agentEnvironment: {
      ...agent.environment,
      ...agentGit(place.work, store.workspace, config.git.author),
    },
    verifierEnvironment: verifier.environment,
    secrets: secretsOf(config, environment),
    instructions: await readInstructions(store),
    marker: newMarker(),
    hook: join(context.home, 'dist', 'hook', 'index.js'),
    log,
    signal,
  }
}

const unpushed = ({ onActions }: Context): string =>
  `The checkout has no remote \`origin\`: nothing is pushed. ${onActions ? 'The commits are in `work.bundle` of the record.' : 'The branch is put into this repository at the end.'}`

/** Takes away what actions/checkout left behind. Not from a person's own repository: a run that is killed could not put it back. */
const concealed = async (context: Context, config: Config, place: Place, git: Git): Promise<string> => {
  const { workspace, temp, onActions } = context
  const advice = 'Check out with `persist-credentials: false`.'
  if (onActions) hideCredentials({ workspace, temp, ...hidden(config, place) })
  return hasCredential(await readSettings(git, workspace))
    ? `The checkout holds a credential that the agent can read. ${advice}`
    : `The checkout holds a credential. It is hidden from the agent and put back at the end. ${advice}`
}

/** Where credentials of the checkout are kept, and by which secret; both are the same in every step. */
export const hidden = (config: Config, place: Place): { keep: string; secret: string } => ({
  keep: join(place.work, 'hidden.json'),
  secret: `${config.credential.value}\0${config.git.token ?? ''}`,
})

const setup = (error: unknown): never => {
  throw error instanceof Failure
    ? error
    : new Failure('SETUP_FAILED', error instanceof Error ? error.message : String(error), { cause: error })
}
