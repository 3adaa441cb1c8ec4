import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addSummary, annotate, setOutputs } from '../adapters/runner.ts'
import { capBytes } from '../core/clean.ts'
import { report } from '../core/report.ts'
import type { State } from '../core/state.ts'
import { type Stop, stepFails, stopRow } from '../core/stop.ts'
import { outputs, summaryJson } from '../core/summary-json.ts'
import type { Context } from './context.ts'
import type { Place } from './place.ts'

/** Longest summary in the record: 1 MB. */
const longest = 1_000_000

export type Published = { markdown: string; failed: boolean }

/** Writes the summary into the record, in Markdown and in JSON. The same text goes everywhere else. */
export const publish = (state: State, stop: Stop, place: Place, recordName: string): Published => {
  const markdown = capBytes(report(state, stop, recordName), longest)
  writeFileSync(join(place.record, 'summary.md'), markdown)
  writeFileSync(join(place.record, 'summary.json'), `${JSON.stringify(summaryJson(state, stop), null, 2)}\n`)
  return { markdown, failed: stepFails(stop.reason, state.run?.failOn ?? null) }
}

/** Tells GitHub: summary, outputs, annotation. Each is independent of the others' failures. */
export const tellGitHub = async (
  context: Context,
  state: State,
  stop: Stop,
  place: Place,
  published: Published,
): Promise<void> => {
  const warn = (what: string) => (error: unknown) =>
    annotate('warning', 'Ralph', `${what} could not be written: ${String(error)}`)
  const file = context.environment.GITHUB_STEP_SUMMARY ?? ''
  if (file !== '') await addSummary(published.markdown, file).catch(warn('The job summary'))
  try {
    setOutputs({
      ...outputs(state, stop),
      'resume-at': stop.resumeAt === undefined ? '' : new Date(stop.resumeAt).toISOString(),
      record: place.record,
      'record-name': recordName(context),
      'summary-json': join(place.record, 'summary.json'),
    })
  } catch (error) {
    warn('The outputs')(error)
  }
  const { annotation, sentence } = stopRow(stop.reason)
  const kind = published.failed ? 'error' : annotation === 'error' ? 'warning' : annotation
  if (kind !== 'none') annotate(kind, `Ralph: ${stop.reason}`, `${sentence} ${stop.detail}`)
}

/** Unique among the artifacts of a run, also over attempts and jobs. */
export const recordName = (context: Context): string =>
  `ralph-record-${context.runName}`.replace(/[^\w.-]/g, '-')
