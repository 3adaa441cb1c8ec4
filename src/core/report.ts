import { code, codeBlock, inline, prose } from './clean.ts'
import type { RunFacts } from './event.ts'
import { type Bounds, spent, type Used } from './ledger.ts'
import { count, duration, money, verdictPhrase } from './sentences.ts'
import type { SessionEnd } from './session.ts'
import { current, type IterationRow, type State } from './state.ts'
import { type Stop, stopRow } from './stop.ts'
import type { Verdict } from './verdict.ts'

/** Most names of failing tests, denied calls and left-out paths that a report lists, each. */
const longestList = 30

/**
 * The report of a run in GitHub-flavoured Markdown: job summary, pull request comment and terminal show the same.
 *
 * It starts with what a reader needs in five seconds: the stop reason, its sentence, who acts next.
 */
export const report = (state: State, stop: Stop, recordName: string): string => {
  const { run } = state
  const row = stopRow(stop.reason)
  const title = run === null ? '' : `: ${inline(run.title)}`
  const parts = [
    `## ${row.mark} ${stop.reason}${title}`,
    `${row.sentence} ${prose(stop.detail)}`,
    `**Next:** ${row.next}`,
    ...(run === null
      ? []
      : [links(state, run), budgets(run.bounds, state.used), iterations(state, run), chart(state)]),
    failing(current(state)?.verdict ?? state.baseline),
    restored(state),
    denied(state),
    leftOut(state),
    ...(run === null ? [] : [fine(state, run, recordName)]),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const links = (state: State, run: RunFacts): string => {
  if (state.head === run.baseSha) return ''
  const branch = code(run.branch)
  if (run.url === '' || state.pushed === null) return `**Branch:** ${branch} at ${code(short(state.head))}`
  const compare = `${run.url}/compare/${encode(run.base)}...${encode(run.branch)}`
  return `**Branch:** ${branch} at ${code(short(state.head))} · [compare with ${inline(run.base)}](${compare})`
}

const encode = (ref: string): string => ref.split('/').map(encodeURIComponent).join('/')

const budgets = (bounds: Bounds, used: Used): string => {
  const figures = (['iterations', 'turns', 'usd', 'minutes'] as const).map((bound) => ({
    bound,
    ...spent(bounds, used, bound),
  }))
  const cell = (bound: string, value: number) =>
    bound === 'usd'
      ? money(value)
      : bound === 'minutes'
        ? value.toFixed(value % 1 === 0 ? 0 : 1)
        : String(value)
  const name = (bound: string) => (bound !== 'usd' ? bound : bounds.usdEnforced ? 'cost' : 'cost (estimate)')
  return [
    `| budget | ${figures.map(({ bound }) => name(bound)).join(' | ')} |`,
    `| --- | ${figures.map(() => '---:').join(' | ')} |`,
    `| used | ${figures.map((figure) => `${figure.bound === 'usd' && used.usdAtMost > 0 ? 'at most ' : ''}${cell(figure.bound, figure.used)}`).join(' | ')} |`,
    `| of | ${figures.map(({ bound, of }) => (bound === 'usd' && !bounds.usdEnforced ? '—' : cell(bound, of))).join(' | ')} |`,
  ].join('\n')
}

const ends: Record<SessionEnd, string> = {
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

const iterations = (state: State, run: RunFacts): string => {
  const rows = state.rows.filter((row) => row.session !== null || row.checkpoint !== null)
  const baseline =
    state.baseline === null ? '' : `Before the first iteration ${verdictPhrase(state.baseline)}.`
  if (rows.length === 0) return baseline
  return [
    baseline,
    '',
    '| # | session | turns | time | cost | verifier | change | commit |',
    '| ---: | --- | ---: | ---: | ---: | --- | ---: | --- |',
    ...rows.map((row) => iterationRow(row, state, run)),
  ].join('\n')
}

const iterationRow = (row: IterationRow, state: State, run: RunFacts): string => {
  const { session, checkpoint, verdict } = row
  const mark =
    verdict === null
      ? '—'
      : `${verdict.kind === 'pass' ? '🟢' : verdict.kind === 'fail' ? '🔴' : '🛠️'} ${testsCell(row)}`
  const commit = checkpoint?.commit ?? null
  const sha =
    commit === null
      ? '—'
      : run.url !== '' && state.pushed !== null
        ? `[${code(short(commit))}](${run.url}/commit/${commit})`
        : code(short(commit))
  const cells = [
    row.attempt > 1 ? `${row.iteration}.${row.attempt}` : String(row.iteration),
    session === null
      ? 'interrupted'
      : `${ends[session.end]}${session.denials.length > 0 ? `, ${count(session.denials.length, 'call')} denied` : ''}`,
    session === null ? '—' : String(session.turns),
    session === null ? '—' : duration(session.millis),
    session === null ? '—' : session.costUsd === null ? 'not reported' : money(session.costUsd),
    mark,
    checkpoint === null
      ? '—'
      : commit === null
        ? 'none'
        : `${count(checkpoint.files, 'file')} +${checkpoint.insertions} −${checkpoint.deletions}`,
    sha,
  ]
  return `| ${cells.join(' | ')} |`
}

const testsCell = ({ before, verdict }: IterationRow): string => {
  if (verdict === null) return ''
  const { tests } = verdict
  if (tests === null || tests.total === 0) return verdictPhrase(verdict)
  const now = `${tests.passed}/${tests.passed + tests.failed}`
  return before === null ? now : `${before.passed}/${before.passed + before.failed} → ${now}`
}

/** A picture of tests and cost, drawn by GitHub from Mermaid, when there are at least two points to join. */
const chart = (state: State): string => {
  const points = state.rows.flatMap(({ iteration, verdict }) =>
    verdict?.tests && verdict.tests.total > 0
      ? [{ iteration, passed: verdict.tests.passed, total: verdict.tests.passed + verdict.tests.failed }]
      : [],
  )
  const start = state.baseline?.tests ?? null
  if (points.length < 2) return ''
  const passed = [...(start === null ? [] : [start.passed]), ...points.map((point) => point.passed)]
  const labels = [...(start === null ? [] : ['base']), ...points.map((point) => String(point.iteration))]
  const top = Math.max(1, ...points.map((point) => point.total))
  return [
    '```mermaid',
    'xychart-beta',
    '    title "Tests passing"',
    `    x-axis [${labels.map((label) => `"${label}"`).join(', ')}]`,
    `    y-axis 0 --> ${top}`,
    `    line [${passed.join(', ')}]`,
    '```',
  ].join('\n')
}

const failing = (verdict: Verdict | null): string => {
  if (verdict === null || verdict.kind === 'pass') return ''
  const names = verdict.failing.slice(0, longestList).map((name) => `- ${code(name)}`)
  const more =
    verdict.failing.length > longestList ? [`- … and ${verdict.failing.length - longestList} more`] : []
  const list = names.length === 0 ? '' : `**Failing tests**\n\n${[...names, ...more].join('\n')}\n\n`
  if (verdict.feedback.trim() === '') return list.trimEnd()
  return `${list}<details><summary>Verifier output (${verdict.log})</summary>\n\n${codeBlock(verdict.feedback)}\n\n</details>`
}

const restored = (state: State): string => {
  const paths = state.checkpoint?.restored ?? []
  if (paths.length === 0) return ''
  return `**Judged with the base's version of** ${listed(paths)}`
}

const denied = (state: State): string => {
  const calls = state.rows.flatMap((row) => row.session?.denials ?? [])
  if (calls.length === 0) return ''
  const lines = [...new Set(calls.map((call) => `- ${inline(call.tool)}: ${code(call.input)}`))]
  return `**Denied calls**\n\n${lines.slice(0, longestList).join('\n')}`
}

const leftOut = (state: State): string => {
  const paths = state.rows.flatMap((row) => row.checkpoint?.leftOut ?? [])
  if (paths.length === 0) return ''
  const lines = [...new Set(paths.map(({ path, why }) => `- ${code(path)}: ${inline(why)}`))]
  return `**Left out of the commits**\n\n${lines.slice(0, longestList).join('\n')}`
}

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, longestList).map(code).join(', ')}${paths.length > longestList ? ` and ${paths.length - longestList} more` : ''}`

const fine = (state: State, run: RunFacts, recordName: string): string => {
  const verdict = current(state)?.verdict ?? state.baseline
  const facts = [
    `Verifier ${code(run.verifier)}${verdict === null ? '' : `, verdict by ${verdict.basis === 'names' ? 'test names' : verdict.basis === 'counts' ? 'numbers of tests' : 'exit code only'}`}`,
    `judged ${run.place === 'swapped' ? "in a clean checkout with the base's judge files" : `in place: ${inline(run.placeWhy)}`}`,
    `isolation ${run.isolation}`,
    `Claude Code ${run.cliVersion}${run.model === '' ? '' : `, model ${inline(run.model)}`}`,
    `record ${code(recordName)}`,
  ]
  const warnings = [...run.warnings, ...state.rows.flatMap((row) => row.session?.warnings ?? [])]
  const notes =
    warnings.length === 0
      ? ''
      : `\n\n${[...new Set(warnings)].map((text) => `> ⚠️ ${inline(text)}`).join('\n>\n')}`
  return `<sub>${facts.join(' · ')}</sub>${notes}`
}

const short = (sha: string): string => sha.slice(0, 7)
