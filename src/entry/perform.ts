import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkpoint } from '../adapters/checkpoint.ts'
import { runSession } from '../adapters/claude.ts'
import { judgeTree } from '../adapters/judge-tree.ts'
import type { Log } from '../adapters/log.ts'
import type { JudgePlace } from '../adapters/place.ts'
import { type Remote, saveBundle } from '../adapters/remote.ts'
import { readReports } from '../adapters/reports.ts'
import { commitTree, type Store } from '../adapters/store.ts'
import { runCommand } from '../adapters/verifier-command.ts'
import type { Decision, RunFacts } from '../core/event.ts'
import type { Config } from '../core/inputs/config.ts'
import { judgementOf } from '../core/judgement.ts'
import { type SessionLimits, verifierLimit } from '../core/ledger.ts'
import { commitMessage, sealMessage } from '../core/messages.ts'
import { stablePrompt, volatilePrompt } from '../core/prompt.ts'
import { refusalMeans } from '../core/push-refusal.ts'
import { shellQuoted } from '../core/session/claude-settings.ts'
import type { State } from '../core/state.ts'
import { type Judgement, type Verdict, verdictOf } from '../core/verdict.ts'
import { windDownNote } from '../core/wind-down.ts'
import type { Happened } from '../run.ts'
import type { Place } from './place.ts'

/** Everything a run works with, opened and checked. */
export type Tools = {
  config: Config
  run: RunFacts
  place: Place
  store: Store
  judgePlace: JudgePlace
  remote: Remote | null
  claudePath: string
  /** The step's environment less what is withheld, for the agent and, with `verify-env`, for the verifier. */
  agentEnvironment: Readonly<Record<string, string>>
  verifierEnvironment: Readonly<Record<string, string>>
  /** Values that no commit may hold. */
  secrets: readonly string[]
  instructions: string
  marker: string
  hook: string
  log: Log
  signal: AbortSignal
}

/** Performs each decision but the first with the real things. */
export const performer = (
  tools: Tools,
): ((decision: Exclude<Decision, { do: 'stop' | 'open' }>, state: State) => Promise<Happened | null>) => {
  const { config, run, store, place, signal } = tools
  let verification = 0
  let sessions = 0

  /** One run of the verifier on a tree, in the judge's place. */
  const judge = async (tree: string, pristine: boolean, state: State): Promise<Judgement> => {
    verification += 1
    const log = join('logs', `verify-${verification}.log`)
    return tools.judgePlace.judge(
      tree,
      async (folder) => {
        const since = Date.now()
        const ran = await runCommand({
          command: config.verifier.command,
          cwd: join(folder, config.workingDirectory),
          environment: tools.verifierEnvironment,
          limitMillis: verifierLimit(run.bounds, state.used, state.longest, config.verifier.timeoutMillis),
          logFile: join(place.record, log),
          log,
          mark: place.mark,
          signal,
        })
        const { report } = config.verifier
        return judgementOf(ran, report === null ? null : (readReports(folder, report, since) ?? 'none'))
      },
      { pristine },
    )
  }

  /** A verdict on a tree; a judgement that could not be made is asked again of the base. */
  const verdict = async (tree: string, pristine: boolean, state: State): Promise<Verdict> => {
    const judgement = await judge(tree, pristine, state)
    if (judgement.outcome !== 'unable' || signal.aborted) return verdictOf(judgement, null)
    return verdictOf(judgement, await judge(run.baseTree, false, state))
  }

  const session = async (state: State, limits: SessionLimits): Promise<Happened> => {
    sessions += 1
    const folder = join(place.work, `session-${sessions}`)
    let turns = 0
    let told = false
    const result = await runSession({
      claudePath: tools.claudePath,
      cwd: join(store.workspace, config.workingDirectory),
      systemPrompt: stablePrompt(run, tools.instructions, tools.marker),
      prompt: volatilePrompt(state, run, limits, tools.marker),
      limits: { ...limits, idleMillis: config.bounds.idleMillis },
      agent: config.agent,
      credential: config.credential,
      folder,
      environment: tools.agentEnvironment,
      mark: place.mark,
      transcript: config.uploadTranscript ? join(place.record, 'logs', `session-${sessions}.ndjson`) : null,
      stopHook: { command: stopCommand(tools.hook, join(folder, 'note.json')), seconds: 10, blocks: 3 },
      notes: (progress) => {
        const note = told ? null : windDownNote(limits, progress, config.bounds.windDownAt)
        told ||= note !== null
        return note
      },
      onTurn: (progress) => {
        turns = progress.turns
      },
      onCall: ({ tool, input }) =>
        tools.log.line({
          kind: 'line',
          text: `turn ${turns}: ${tool} ${input.replaceAll(`${store.workspace}/`, '')}`,
        }),
      signal,
    })
    return { type: 'session-ended', session: result }
  }

  const save = async (state: State): Promise<Happened> => {
    const candidate = await checkpoint(store, {
      parent: state.head,
      message: commitMessage(run, state),
      author: config.git.author,
      secrets: tools.secrets,
    })
    const judged = await judgeTree(store, {
      candidate: candidate.commit ?? state.head,
      base: run.baseTree,
      tests: config.verifier.tests,
      protectedGlobs: config.verifier.protectedPaths,
    })
    const { changed: _, ...facts } = candidate
    return {
      type: 'checkpointed',
      checkpoint: { ...facts, judgeTree: judged.tree, restored: judged.restored },
    }
  }

  return async (decision, state) => {
    switch (decision.do) {
      case 'judge-baseline': {
        const judged = await verdict(run.baseTree, false, state)
        return signal.aborted ? null : { type: 'baseline-judged', verdict: judged }
      }
      case 'begin':
        return {
          type: 'iteration-started',
          iteration: decision.iteration,
          attempt: decision.attempt,
          limits: decision.limits,
        }
      case 'session':
        return session(state, decision.limits)
      case 'checkpoint':
        return save(state)
      case 'push':
        return push(tools, state, decision.sha)
      case 'judge': {
        const tree = state.checkpoint?.judgeTree ?? run.baseTree
        const judged = await verdict(tree, decision.pristine, state)
        return signal.aborted
          ? null
          : { type: 'judged', purpose: decision.purpose, pristine: decision.pristine, tree, verdict: judged }
      }
      case 'seal': {
        const tree = state.checkpoint?.judgeTree ?? run.baseTree
        const commit = await commitTree(store, {
          tree,
          parents: [state.head],
          message: sealMessage(run),
          author: config.git.author,
        })
        return { type: 'sealed', commit, tree }
      }
      case 'wait': {
        await sleep(decision.millis, undefined, { signal }).catch(() => {})
        return { type: 'waited', millis: decision.millis, why: decision.why }
      }
      default:
        return decision satisfies never
    }
  }
}

/** Node starts only when a note waits: a look at a file costs nothing, and most sessions stop without one. */
const stopCommand = (hook: string, note: string): string =>
  `test -s ${shellQuoted(note)} && exec ${shellQuoted(process.execPath)} ${shellQuoted(hook)} ${shellQuoted(note)} || true`

/** Pushes the branch; what could not be pushed is saved as a bundle in the record. */
export const push = async (
  tools: Pick<Tools, 'remote' | 'store' | 'run' | 'place'>,
  state: State,
  sha: string,
): Promise<Happened> => {
  const { remote, store, run, place } = tools
  if (remote === null) return { type: 'pushed', sha }
  const answer = await remote.push({ commit: sha, branch: run.branch, expected: state.pushed ?? run.found })
  if (answer.kind === 'pushed') return { type: 'pushed', sha }
  const bundle = 'work.bundle'
  await saveBundle(store, join(place.record, bundle), run.baseSha, sha)
  const text = `${refusalMeans[answer.class]}\n${answer.text}\n` // a list in reports
  return { type: 'push-failed', why: answer.class, text, bundle }
}
