import type { RunFacts } from './event.ts'
import { fence, fencedList } from './fence.ts'
import { verdictPhrase } from './sentences.ts'
import type { SessionEnd } from './session.ts'
import { comparedWithBase, standing } from './standing.ts'
import type { State } from './state.ts'

/** The newest verdict, with what helps to make it a pass. */
export const lastVerdict = (state: State, run: RunFacts, marker: string): string => {
  const known = standing(state)
  if (known === null) return ''
  const { verdict, of, flaky } = known
  const where = {
    work: 'on the work so far',
    'earlier work': 'on an earlier state of the work',
    base: `on ${run.base}, before any change`,
  }[of]
  const told = `The last verdict, ${where}: ${verdict.kind} (${verdictPhrase(verdict)}).`
  if (verdict.kind === 'pass') return told
  const comesAndGoes = flaky
    ? ' It had passed on the same files before: the failure comes and goes. Find out why.'
    : ''
  const restored = state.checkpoint?.restored ?? []
  const broken = comparedWithBase(known, state.baseline)?.broken ?? []
  return [
    `${told}${comesAndGoes}`,
    restored.length === 0
      ? ''
      : `It was judged with the base's version of these files:\n\n${fencedList(marker, 'files', restored)}`,
    broken.length === 0
      ? ''
      : `These tests pass on ${run.base} and fail now:\n\n${fencedList(marker, 'tests', broken)}`,
    verdict.feedback.trim() === ''
      ? ''
      : `What the verifier printed:\n\n${fence(marker, 'verifier output', verdict.feedback)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** What is about to stop the run, when the work does not move. */
export const progressNote = ({ progress }: State): string => {
  const notes: string[] = []
  if (progress.idle > 0)
    notes.push('The last whole iteration changed no file. If this one changes nothing either, the run stops.')
  if (progress.circles > 0)
    notes.push(
      'The files were back in a state that had failed before. If that happens again, the run stops. Choose another way.',
    )
  if (progress.same > 1)
    notes.push(
      `The same failure came ${progress.same} times in a row. At three the run stops. Change your method.`,
    )
  return notes.join('\n')
}

/** Ends for which a fresh session goes on with what the last one left. */
const cutShort: ReadonlySet<SessionEnd> = new Set([
  'turns',
  'usd',
  'minutes',
  'context',
  'crashed',
  'stalled',
  'rate-limited',
  'unavailable',
])

/** How the last session ended, when it was cut short, and what it was denied. */
export const lastSession = (state: State, marker: string): string => {
  const last = state.rows.findLast((row) => row.session !== null)?.session
  if (!last) return ''
  const advice = last.end === 'context' ? ' Read less at a time than it did.' : ''
  const calls = [...new Set(last.denials.map(({ tool, input }) => `${tool} ${input}`.trim()))]
  return [
    cutShort.has(last.end)
      ? `The last session was cut short. Its changes are in the files; look for what it left unfinished.${advice} How it ended:\n\n${fencedList(marker, 'end of the session', [last.detail])}`
      : '',
    calls.length === 0
      ? ''
      : `These calls were denied in the last session, and will be denied again:\n\n${fencedList(marker, 'denied calls', calls)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
