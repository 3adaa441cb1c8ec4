import type { Event } from './event.ts'
import { count, duration, money, verdictPhrase } from './sentences.ts'
import { stopRow } from './stop.ts'

/** One piece of the log. A `phase` opens a group that lasts until the next one. */
export type Line = { kind: 'phase' | 'line' | 'warning'; text: string }

const line = (text: string): Line => ({ kind: 'line', text })
const phase = (text: string): Line => ({ kind: 'phase', text })
const warning = (text: string): Line => ({ kind: 'warning', text })

/** The log as a narrative: what each event means to a reader. */
export const narrate = (event: Event): readonly Line[] => {
  switch (event.type) {
    case 'run-started': {
      const { run } = event
      return [
        phase('Run'),
        line(`Task: ${run.title}`),
        line(
          `Branch: ${run.branch}, from ${run.base} at ${short(run.baseSha)}${run.ahead > 0 ? `, ${count(run.ahead, 'commit')} ahead` : ''}`,
        ),
        line(`Verifier: ${run.verifier}`),
        line(
          `Claude Code ${run.cliVersion}, isolation ${run.isolation}, judged ${run.place}${run.placeWhy ? ` (${run.placeWhy})` : ''}`,
        ),
        line(
          `Bounds: ${count(run.bounds.iterations, 'iteration')}, ${count(run.bounds.turns, 'turn')}, ${money(run.bounds.usd)}${run.bounds.usdEnforced ? '' : ' (estimated, not enforced)'}, ${duration(run.bounds.millis)}`,
        ),
        ...run.warnings.map(warning),
        phase('Baseline'),
      ]
    }
    case 'baseline-judged':
      return [line(`On the base ${verdictPhrase(event.verdict)} (${duration(event.verdict.millis)})`)]
    case 'iteration-started': {
      const again = event.attempt > 1 ? `, attempt ${event.attempt}` : ''
      const { turns, usd, millis } = event.limits
      return [
        phase(`Iteration ${event.iteration}${again}`),
        line(`Session: at most ${count(turns, 'turn')}, ${money(usd)}, ${duration(millis)}`),
      ]
    }
    case 'session-ended': {
      const { session } = event
      const cost = session.costUsd === null ? 'cost not reported' : money(session.costUsd)
      return [
        line(`${session.detail} ${count(session.turns, 'turn')}, ${cost}, ${duration(session.millis)}`),
        ...session.warnings.map(warning),
        ...(session.denials.length > 0 ? [line(`Denied: ${count(session.denials.length, 'call')}`)] : []),
      ]
    }
    case 'checkpointed': {
      const { commit, files, insertions, deletions, leftOut, restored } = event.checkpoint
      return [
        line(
          commit === null
            ? 'Saved: nothing changed'
            : `Saved as ${short(commit)}: ${count(files, 'file')}, +${insertions} −${deletions}`,
        ),
        ...leftOut.slice(0, 20).map((path) => warning(`Left out of the commit: ${path.path} (${path.why})`)),
        ...(restored.length > 0
          ? [line(`Judged with the base's version of: ${restored.slice(0, 10).join(', ')}`)]
          : []),
      ]
    }
    case 'pushed':
      return [line(`Pushed ${short(event.sha)}`)]
    case 'push-failed':
      return [warning(event.text)]
    case 'judged': {
      const name =
        event.purpose === 'verify' ? 'Verified' : event.pristine ? 'Confirmed from a clean copy' : 'Confirmed'
      return [line(`${name}: ${verdictPhrase(event.verdict)} (${duration(event.verdict.millis)})`)]
    }
    case 'sealed':
      return [line(`The branch's tip is now exactly the judged tree, ${short(event.commit)}`)]
    case 'waited':
      return [line(`Waited ${duration(event.millis)}: ${event.why}`)]
    case 'cancelled':
      return [warning(`Cancelled by ${event.signal}: ending what runs`)]
    case 'failed':
      return [warning(event.text)]
    case 'stopped':
      return [
        phase('Result'),
        line(`STOP_REASON: ${event.stop.reason}`),
        line(stopRow(event.stop.reason).sentence),
        line(event.stop.detail),
      ]
    default:
      return event satisfies never
  }
}

const short = (sha: string): string => sha.slice(0, 7)
