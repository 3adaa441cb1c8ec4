import { cell, code } from './clean.ts'
import type { Checkpoint, RunFacts } from './event.ts'
import { costPhrase, count, duration, money, verdictPhrase } from './sentences.ts'
import type { SessionEnd, SessionResult } from './session.ts'
import type { IterationRow, State } from './state.ts'
import type { TestCounts, Verdict } from './verdict.ts'

/** More sessions than this are shown by their first and their newest ones. */
const mostRows = 40
const firstRows = 5

const ends: Readonly<Record<SessionEnd, string>> = {
  completed: 'ended by itself',
  turns: 'turn limit',
  usd: 'cost limit',
  minutes: 'time limit',
  context: 'context full',
  crashed: 'crashed',
  stalled: 'stalled',
  auth: 'credential refused',
  'rate-limited': 'rate limit',
  unavailable: 'service unavailable',
  refused: 'refused to start',
  cancelled: 'cancelled',
}

/** One line for the base, one for each session, and one with what was used of each budget. */
export const iterationTable = (state: State, run: RunFacts): string => {
  const sessions = state.rows.filter((row) => row.session !== null || row.checkpoint !== null)
  if (sessions.length === 0)
    return state.baseline === null ? '' : `On ${code(run.base)} ${verdictPhrase(state.baseline)}.`
  const isRemote = remoteCommits(state, run)
  const left = sessions.length - mostRows
  const shown = sessions.map((row) => sessionRow(row, run, isRemote))
  const lines = [
    line(['', 'session', 'turns', 'time', 'cost', 'verifier', 'change', 'commit']),
    '| ---: | --- | ---: | ---: | ---: | --- | ---: | --- |',
    ...(state.baseline === null ? [] : [baseRow(state.baseline, run)]),
    ...(left <= 0
      ? shown
      : [
          ...shown.slice(0, firstRows),
          line(['…', `${left} more in the record`, '', '', '', '', '', '']),
          ...shown.slice(firstRows + left),
        ]),
    sumRow(state, run),
  ]
  return lines.join('\n')
}

const line = (cells: readonly string[]): string =>
  `|${cells.map((text) => (text === '' ? ' ' : ` ${cell(text)} `)).join('|')}|`

/** Short figures stay on one line. */
const figure = (text: string): string => text.replaceAll(' ', '\u00a0')

const baseRow = (verdict: Verdict, run: RunFacts): string =>
  line([
    'base',
    '',
    '',
    '',
    '',
    figure(`${mark(verdict)} ${results(verdict)}`),
    '',
    commitLink(run.baseSha, run, true),
  ])

const sessionRow = (row: IterationRow, run: RunFacts, isRemote: (commit: string) => boolean): string => {
  const { session, checkpoint, verdict } = row
  const commit = checkpoint?.commit ?? null
  return line([
    row.attempt > 1 ? `${row.iteration}.${row.attempt}` : String(row.iteration),
    ...(session === null ? ['interrupted', '', '', ''] : sessionCells(session)),
    verdict === null ? 'not judged' : figure(`${mark(verdict)} ${beforeAndAfter(row.before, verdict)}`),
    checkpoint === null ? '' : commit === null ? 'none' : figure(change(checkpoint)),
    commit === null ? '' : commitLink(commit, run, isRemote(commit)),
  ])
}

const sessionCells = ({ end, denials, turns, millis, costUsd }: SessionResult): string[] => [
  `${ends[end]}${denials.length === 0 ? '' : `, ${count(denials.length, 'call')} denied`}`,
  String(turns),
  figure(duration(millis)),
  costUsd === null ? 'not reported' : money(costUsd),
]

const change = ({ files, insertions, deletions }: Checkpoint): string =>
  `${count(files, 'file')} +${insertions} −${deletions}`

/** What was used of each budget. */
const sumRow = ({ used }: State, { bounds }: RunFacts): string =>
  line([
    '**all**',
    `${used.iterations} of ${count(bounds.iterations, 'iteration')}`,
    `${used.turns} of ${bounds.turns}`,
    `${duration(used.millis)} of ${duration(bounds.millis)}`,
    bounds.usdEnforced ? `${costPhrase(used)} of ${money(bounds.usd)}` : `${costPhrase(used)} (estimate)`,
    '',
    '',
    '',
  ])

const mark = ({ kind }: Verdict): string => ({ pass: '🟢', fail: '🔴', broken: '🛠️' })[kind]

const ratio = ({ passed, failed }: TestCounts): string => `${passed}/${passed + failed}`

const hasTests = (tests: TestCounts | null): tests is TestCounts =>
  tests !== null && tests.passed + tests.failed > 0

/** `7/9`, where numbers say it all, else why there are none that do. */
const results = ({ kind, cause, tests, exitCode }: Verdict): string => {
  if (kind === 'broken') return 'cannot judge'
  const numbers = hasTests(tests) ? ratio(tests) : ''
  if (kind === 'pass') return numbers || 'passes'
  switch (cause) {
    case 'timeout':
      return 'out of time'
    case 'killed':
    case 'not started':
    case 'no report':
      return cause
    case 'no tests':
      return 'no tests ran'
    case 'exit':
      if (numbers !== '' && tests?.failed !== 0) return numbers
      return [exitCode === null ? 'no exit code' : `exit code ${exitCode}`, numbers]
        .filter(Boolean)
        .join(', ')
    default:
      return cause satisfies never
  }
}

const beforeAndAfter = (before: TestCounts | null, verdict: Verdict): string => {
  const now = results(verdict)
  return hasTests(before) && /^\d+\/\d+$/.test(now) ? `${ratio(before)} → ${now}` : now
}

/** Which commits of this run the remote has: up to the newest that it took. */
const remoteCommits = (state: State, run: RunFacts): ((commit: string) => boolean) => {
  if (state.pushed === null || state.pushed === run.tip || state.pushed === run.found) return () => false
  const commits = state.rows.flatMap((row) => row.checkpoint?.commit ?? [])
  const newest = commits.indexOf(state.pushed)
  const taken = new Set(newest < 0 ? commits : commits.slice(0, newest + 1))
  return (commit) => taken.has(commit)
}

const commitLink = (commit: string, run: RunFacts, remote: boolean): string => {
  const name = code(commit.slice(0, 7))
  return run.url !== '' && remote ? `[${name}](${run.url}/commit/${commit})` : name
}
