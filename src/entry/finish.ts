import { join } from 'node:path'
import { checkpoint } from '../adapters/checkpoint.ts'
import { createGit } from '../adapters/git.ts'
import { restoreCredentials } from '../adapters/hidden-credentials.ts'
import { createLog, type Log } from '../adapters/log.ts'
import { recoverPlace } from '../adapters/place.ts'
import { sweep } from '../adapters/process.ts'
import { openRemote, saveBundle } from '../adapters/remote.ts'
import { openStore } from '../adapters/store.ts'
import type { Event } from '../core/event.ts'
import { parseConfig } from '../core/inputs/config.ts'
import { fold } from '../core/journal.ts'
import { commitMessage } from '../core/messages.ts'
import { narrate } from '../core/narrative.ts'
import { secretsOf } from '../core/secrets.ts'
import { figures } from '../core/sentences.ts'
import { evolve, type State } from '../core/state.ts'
import type { Happened } from '../run.ts'
import type { Context } from './context.ts'
import { restoreFiles } from './install.ts'
import { hidden, loopFolder } from './open.ts'
import { push } from './perform.ts'
import { findPlace, journalOf, makePlace, type Place } from './place.ts'
import { publish, recordName, tellGitHub } from './publish.ts'

/**
 * The action's last step, which also runs after a cancel and after a killed loop: ends what is left running, puts the
 * workspace back, saves work that no checkpoint holds, and reports. It goes by the journal alone and may run again.
 */
export const finish = async (context: Context): Promise<number> => {
  restoreFiles(context)
  const log = createLog((text) => process.stdout.write(text), context.onActions)
  const place = findPlace(context.place) ?? makePlace(context.temp)
  const journal = journalOf(place)
  let state = fold(journal.events)
  const happened = (what: Happened) => {
    const event = { ...what, at: Date.now() } as Event
    journal.append(event)
    for (const line of narrate(event)) log.line(line)
    state = evolve(state, event)
  }
  log.line({ kind: 'phase', text: 'Save and report' })
  await sweep(place.mark)
  if (state.run !== null) await save({ context, place, log, happened, state: () => state })
  putBack(context, place, log)
  if (state.stop === null) {
    const cancelled = context.jobStatus === 'cancelled'
    if (journal.events.length === 0 && !cancelled)
      happened({ type: 'failed', reason: 'SETUP_FAILED', text: unstarted })
    const reason = state.failed?.reason ?? 'CANCELLED'
    const detail =
      state.failed?.text ?? `${cancelled ? 'By a person or by GitHub.' : silent} ${figures(state)}`
    happened({ type: 'stopped', stop: { reason, detail } })
  }
  journal.close()
  const { stop } = state
  if (stop === null) throw new Error('unreachable: the journal has a stop by now')
  const published = publish(state, stop, place, recordName(context))
  log.end()
  await tellGitHub(context, state, stop, place, published)
  return published.failed ? 1 : 0
}

const unstarted = 'The step that checks the inputs and installs Claude Code did not end. Its log says why.'
const silent = 'The loop ended without a word: it was killed, or its time ran out.'

/** The checkout's settings as they were, now that no agent is left. */
const putBack = (context: Context, place: Place, log: Log): void => {
  const parsed = parseConfig(context.inputs ?? {})
  if (!parsed.ok) return
  const { keep, secret } = hidden(parsed.config, place)
  try {
    restoreCredentials(keep, secret)
  } catch (error) {
    const text = `The credential of the checkout could not be put back: ${messageOf(error)}`
    log.line({ kind: 'warning', text })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Saving = {
  context: Context
  place: Place
  log: Log
  happened: (what: Happened) => void
  state: () => State
}

/** Work that is in the files but in no commit, and commits that are on no remote. A failure here is told, not thrown: the report must still be made. */
const save = async ({ context, place, log, happened, state }: Saving): Promise<void> => {
  const { run } = state()
  if (run === null) return
  try {
    const git = createGit(context.environment)
    await recoverPlace(git, join(place.work, 'judge'))
    const interrupted = state().rows.at(-1)?.checkpoint === null
    const behind =
      run.remote &&
      state().head !== run.tip &&
      state().pushed !== state().head &&
      state().pushFailure === null
    if (!interrupted && !behind && run.remote) return
    const parsed = parseConfig(context.inputs ?? {})
    const store = await openStore({
      git,
      dir: join(place.work, 'store.git'),
      workspace: context.workspace,
      exclude: [loopFolder],
      lfs: null,
    })
    if (interrupted) {
      const { config } = parsed.ok ? parsed : {}
      const { changed: _, ...facts } = await checkpoint(store, {
        parent: state().head,
        message: commitMessage(run, state()),
        ...(config && { author: config.git.author, secrets: secretsOf(config, context.environment) }),
      })
      happened({ type: 'checkpointed', checkpoint: { ...facts, judgeTree: facts.tree, restored: [] } })
    }
    if (state().head === run.baseSha) return
    const bundle = 'work.bundle'
    if (!run.remote) {
      await saveBundle(store, join(place.record, bundle), run.baseSha, state().head)
      return
    }
    try {
      const remote = await openRemote({ store, token: parsed.ok ? parsed.config.git.token : null })
      if (remote !== null) happened(await push({ remote, store, run, place }, state(), state().head))
    } catch (error) {
      await saveBundle(store, join(place.record, bundle), run.baseSha, state().head)
      happened({ type: 'push-failed', why: 'unreachable', text: messageOf(error), bundle })
    }
  } catch (error) {
    log.line({ kind: 'warning', text: `The last work could not be saved: ${messageOf(error)}` })
  }
}
