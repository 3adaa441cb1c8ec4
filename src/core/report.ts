import { code, inline, prose, shorten } from './clean.ts'
import type { RunFacts } from './event.ts'
import { chart } from './report-chart.ts'
import { deniedCalls, failingTests, leftOutPaths, listed, notes } from './report-lists.ts'
import { iterationTable } from './report-table.ts'
import { utc } from './sentences.ts'
import { standing } from './standing.ts'
import type { State } from './state.ts'
import { type Stop, stopRow } from './stop.ts'

/** GitHub takes comments of up to 65,536 characters; this leaves room for a marker. In UTF-16 units. */
const longestReport = 60_000
/** Longest detail of a stop, in characters, and most lines of it: SETUP_FAILED tells all problems at once. */
const longestDetail = 4000
const mostLines = 40

/**
 * The report of a run in GitHub-flavoured Markdown, at most 60,000 characters: job summary, pull request comment and
 * terminal show the same.
 *
 * It starts with what a reader needs in five seconds: the stop reason, its sentence, who acts next. Sections follow in
 * the order of their worth; one that does not fit is left out whole, and the report says so.
 */
export const report = (state: State, stop: Stop, recordName: string): string => {
  const { run } = state
  const row = stopRow(stop.reason)
  const title = run === null ? '' : `: ${inline(run.title)}`
  const head = [
    `## ${row.mark} ${stop.reason}${title}`,
    `**${row.sentence}**\\\n**Next:** ${row.next}`,
    detail(stop),
  ]
  const rest =
    run === null
      ? [`<sub>record ${code(recordName)}</sub>`]
      : [
          where(state, run, recordName),
          iterationTable(state, run),
          chart(state, run.bounds),
          failingTests(state, run.base),
          restored(state),
          deniedCalls(state),
          leftOutPaths(state),
          notes(state, run),
          fine(state, run),
        ]
  return wholeSections([...head, ...rest].filter((part) => part !== ''))
}

/** As many whole sections as fit. The head always does. */
const wholeSections = (parts: readonly string[]): string => {
  const more = '_More is in the record._'
  const kept: string[] = []
  let room = longestReport - more.length - 3
  for (const part of parts) {
    if (part.length + 2 > room) continue
    room -= part.length + 2
    kept.push(part)
  }
  return `${(kept.length === parts.length ? kept : [...kept, more]).join('\n\n')}\n`
}

/** The figures and what happened: one paragraph, or a list when there are several lines. */
const detail = ({ detail: text, resumeAt }: Stop): string => {
  const lines = shorten(text, longestDetail)
    .split('\n')
    .map(prose)
    .filter((line) => line !== '')
  if (resumeAt !== undefined) lines.push(`The limit resets at ${utc(resumeAt)}.`)
  const more = lines.length > mostLines ? [`… and ${lines.length - mostLines} more`] : []
  return text.includes('\n')
    ? [...lines.slice(0, mostLines), ...more].map((line) => `- ${line}`).join('\n')
    : lines.join(' ')
}

/** Where the work and the record are. */
const where = (state: State, run: RunFacts, recordName: string): string => {
  const record = run.runUrl === '' ? code(recordName) : `[${code(recordName)}](${run.runUrl}#artifacts)`
  const lines = state.head === run.baseSha ? [] : [branch(state, run)]
  if (state.pushFailure !== null) lines.push(saved(state, run, state.pushFailure.bundle))
  return [...lines, `**Record:** ${record}`].join('\\\n')
}

const branch = (state: State, run: RunFacts): string => {
  const tip = `**Branch:** ${code(run.branch)} at ${code(short(state.head))}`
  const remoteTip = state.pushed ?? (run.remote ? run.found : null)
  if (remoteTip === null) return run.remote ? `${tip}, not on the remote` : tip
  const behind = remoteTip === state.head ? '' : `; the remote has ${code(short(remoteTip))}`
  if (run.url === '') return `${tip}${behind}`
  const compare = `${run.url}/compare/${encoded(run.base)}...${encoded(run.branch)}`
  return `${tip}${behind} · [compare with ${inline(run.base)}](${compare})`
}

/** How to get at commits that the remote did not take. */
const saved = (state: State, run: RunFacts, bundle: string): string => {
  const fetch = code(`git fetch ${bundle} ralph-work:${run.branch}`)
  return `**Saved:** ${code(bundle)} in the record holds the commits up to ${code(short(state.head))}. Get them with ${fetch}.`
}

/** A branch's name as part of an address: nothing in it ends the address or begins something else. */
const encoded = (ref: string): string =>
  encodeURIComponent(ref)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const restored = (state: State): string => {
  const paths = state.checkpoint?.restored ?? []
  return paths.length === 0 ? '' : `**Judged with the base's version of** ${listed(paths)}.`
}

/** The model that the sessions reported, else the one that was asked for. */
const modelOf = (state: State, run: RunFacts): string =>
  state.rows.findLast((row) => row.session !== null && row.session.model !== '')?.session?.model ?? run.model

const by = { names: 'test names', counts: 'numbers of tests', 'exit code': 'exit code only' } as const

/** What the run stood on. */
const fine = (state: State, run: RunFacts): string => {
  const known = standing(state)
  const model = modelOf(state, run)
  const inPlace = `judged in place${run.placeWhy === '' ? '' : `: ${run.placeWhy}`}`
  const facts = [
    known === null ? '' : `verdict by ${by[known.verdict.basis]}`,
    run.place === 'swapped' ? "judged in a clean checkout with the base's judge files" : inPlace,
    `isolation ${run.isolation}`,
    `Claude Code ${run.cliVersion}${model === '' ? '' : `, model ${model}`}`,
  ]
  return `<sub>${[`Verifier ${code(run.verifier)}`, ...facts.filter((fact) => fact !== '').map(prose)].join(' · ')}</sub>`
}

const short = (sha: string): string => sha.slice(0, 7)
