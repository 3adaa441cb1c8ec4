import type { Event, RunFacts } from './event.ts'
import { count, duration, money, verdictPhrase } from './sentences.ts'
import type { SessionResult } from './session.ts'
import { stopRow } from './stop.ts'

/** One piece of the log. A `phase` opens a group that lasts until the next one. */
export type Line = { kind: 'phase' | 'line' | 'warning'; text: string }

/** Most paths and calls that are told one by one. */
const mostTold = 10

const line = (text: string): Line => ({ kind: 'line', text })
const phase = (text: string): Line => ({ kind: 'phase', text })
const warning = (text: string): Line => ({ kind: 'warning', text })

/** The log as a narrative: what each event means to a reader. */
export const narrate = (event: Event): readonly Line[] => {
  switch (event.type) {
    case 'run-started':
      return [
        phase('Run'),
        ...facts(event.run).map(line),
        ...event.run.warnings.map(warning),
        phase('Baseline'),
      ]
    case 'baseline-judged':
      return [line(`On the base ${verdictPhrase(event.verdict)} (${duration(event.verdict.millis)})`)]
    case 'iteration-started': {
      const { turns, usd, millis } = event.limits
      return [
        phase(`Iteration ${event.iteration}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`),
        line(`A session of at most ${count(turns, 'turn')}, ${money(usd)}, ${duration(millis)}`),
      ]
    }
    case 'session-ended':
      return sessionLines(event.session)
    case 'checkpointed': {
      const { commit, files, insertions, deletions, leftOut, restored } = event.checkpoint
      const saved =
        commit === null
          ? 'Saved: nothing changed'
          : `Saved as ${short(commit)}: ${count(files, 'file')}, +${insertions} −${deletions}`
      return [
        line(saved),
        ...told(leftOut, ({ path, why }) => `Left out of the commit: ${path} (${why})`).map(warning),
        ...told(restored, (path) => `Judged with the base's version of: ${path}`).map(line),
      ]
    }
    case 'pushed':
      return [line(`Pushed ${short(event.sha)}`)]
    case 'push-failed':
      return [warning(event.text), line(`The commits are in ${event.bundle} of the record`)]
    case 'judged': {
      const again = event.pristine ? 'Verified again, from a clean copy' : 'Verified again'
      const name = event.purpose === 'verify' ? 'Verified' : again
      return [line(`${name}: ${verdictPhrase(event.verdict)} (${duration(event.verdict.millis)})`)]
    }
    case 'sealed':
      return [line(`The branch's tip is now exactly the judged tree, ${short(event.commit)}`)]
    case 'waited':
      return [line(`Waited ${duration(event.millis)}: ${event.why}`)]
    case 'cancelled':
      return [warning(`Cancelled by ${event.signal}: what runs is ended`)]
    case 'failed':
      return event.text.split('\n').map(warning)
    case 'stopped': {
      const { sentence, next } = stopRow(event.stop.reason)
      const words = [
        `STOP_REASON: ${event.stop.reason}`,
        sentence,
        `Next: ${next}`,
        ...event.stop.detail.split('\n'),
      ]
      return [phase('Result'), ...words.map(line)]
    }
    default:
      return event satisfies never
  }
}

/** What is fixed for the run, line by line. */
const facts = (run: RunFacts): string[] => {
  const ahead = run.ahead > 0 ? `, ${count(run.ahead, 'commit')} ahead` : ''
  const why = run.placeWhy === '' ? '' : ` (${run.placeWhy})`
  const { iterations, turns, usd, usdEnforced, millis } = run.bounds
  const cost = usdEnforced ? `${money(usd)}, ` : ''
  return [
    `Task: ${run.title}`,
    `Branch: ${run.branch}, from ${run.base} at ${short(run.baseSha)}${ahead}`,
    `Verifier: ${run.verifier}, judged ${run.place === 'swapped' ? 'in a clean checkout' : 'in place'}${why}`,
    `Bounds: ${count(iterations, 'iteration')}, ${count(turns, 'turn')}, ${cost}${duration(millis)}`,
    `Claude Code ${run.cliVersion}${run.model === '' ? '' : `, model ${run.model}`}, isolation ${run.isolation}`,
  ]
}

const sessionLines = ({ detail, turns, costUsd, millis, denials, warnings }: SessionResult): Line[] => [
  line(detail),
  line(
    `Used: ${count(turns, 'turn')}, ${costUsd === null ? 'cost not reported' : money(costUsd)}, ${duration(millis)}`,
  ),
  ...told(denials, ({ tool, input }) => `Denied: ${tool} ${input}`).map(line),
  ...warnings.map(warning),
]

/** The first of several, and how many more there are. */
const told = <T>(items: readonly T[], tell: (item: T) => string): string[] => {
  const more = items.length - mostTold
  return [...items.slice(0, mostTold).map(tell), ...(more > 0 ? [`… and ${more} more`] : [])]
}

const short = (sha: string): string => sha.slice(0, 7)
