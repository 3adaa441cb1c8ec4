import { cell, code, codeBlock, inline, prose } from './clean.ts'
import type { RunFacts } from './event.ts'
import type { Denial } from './session.ts'
import { comparedWithBase, type Standing, standing } from './standing.ts'
import type { State } from './state.ts'
import type { Verdict } from './verdict.ts'

/** Most lines of a list, and most names in a sentence. */
const longestList = 20
/** Longest output that is shown, head and tail together, in characters. */
const longestOutput = 8000
/** Lines of a list, the first of many with the number of the others. */
const list = (lines: readonly string[]): string => {
  const more = lines.length - longestList
  return [...lines.slice(0, longestList), ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')
}

const unique = (lines: readonly string[]): string[] => [...new Set(lines)]

/** Names in a sentence. */
export const listed = (names: readonly string[]): string => {
  const more = names.length - longestList
  return `${names.slice(0, longestList).map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What fails, apart from what failed before any change, and what the verifier printed. */
export const failingTests = (state: State, base: string): string => {
  const known = standing(state)
  if (known === null || known.verdict.kind === 'pass') return ''
  const flaky = known.flaky ? ['**Flaky:** the verifier passed and failed on exactly the same files.'] : []
  return [...flaky, ...namesOf(known, state.baseline, inline(base)), output(known.verdict)]
    .filter((part) => part !== '')
    .join('\n\n')
}

const namesOf = (known: Standing, baseline: Verdict | null, base: string): string[] => {
  const names = (title: string, some: readonly string[]) =>
    some.length === 0 ? [] : [`**${title}**\n\n${list(some.map((name) => `- ${code(name)}`))}`]
  const { failing } = known.verdict
  if (known.of === 'base') return names(`Failing on ${base}`, failing)
  const when = known.of === 'work' ? 'Failing now' : 'Failing at the newest verdict'
  const compared = comparedWithBase(known, baseline)
  if (compared === null) return names(when, failing)
  return [
    ...names(`${when}, passing on ${base}`, compared.broken),
    ...names(`${when}, and on ${base} too`, compared.old),
  ]
}

/** Open where it is all that is known. */
const output = ({ failing, feedback, log }: Verdict): string => {
  if (feedback.trim() === '') return ''
  // Inside HTML nothing is escaped as Markdown: only a plain path is shown.
  const whole = /^[\w./-]+$/.test(log) ? ` (whole in the record: <code>${log}</code>)` : ''
  const open = failing.length === 0 ? ' open' : ''
  return `<details${open}><summary>What the verifier printed${whole}</summary>\n\n${codeBlock(headAndTail(feedback))}\n\n</details>`
}

/** A third from the head and the rest from the tail, where results stand. */
const headAndTail = (text: string): string => {
  const characters = Array.from(text)
  if (characters.length <= longestOutput) return text
  const head = Math.floor(longestOutput / 3)
  return `${characters.slice(0, head).join('')}\n…\n${characters.slice(head - longestOutput).join('')}`
}

/** Each denied call once, with the rule that would allow it. */
export const deniedCalls = (state: State): string => {
  const calls = new Map(
    state.rows
      .flatMap((row) => row.session?.denials ?? [])
      .map((call) => [`${call.tool} ${call.input}`, call]),
  )
  if (calls.size === 0) return ''
  const rows = [...calls.values()].map((call) => {
    const rule = ruleFor(call)
    const told = `${inline(call.tool)}${call.input === '' ? '' : ` ${code(call.input)}`}`
    return `| ${cell(told)} | ${rule === null ? '' : cell(code(rule))} |`
  })
  const more = rows.length - longestList
  return [
    '| denied call | to allow it, add to `allowed-tools` |',
    '| --- | --- |',
    ...rows.slice(0, longestList),
    ...(more > 0 ? [`| … and ${more} more | |`] : []),
  ].join('\n')
}

const fileTools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

/**
 * The permission rule that allows exactly this call. Null for files that no rule should open: those outside the work
 * tree and the judge's own. A command that was cut gets the rule for its first word.
 */
const ruleFor = ({ tool, input }: Denial): string | null => {
  if (fileTools.includes(tool))
    return /^(\/|\.\.|\.?$|(\.\/)?\.)/.test(input) || input.includes('…') ? null : `Edit(./${input})`
  if (tool !== 'Bash' || input === '') return tool
  return input.endsWith('…') ? `Bash(${input.split(' ')[0]} *)` : `Bash(${input})`
}

/** Paths that no commit holds, each with the reason. */
export const leftOutPaths = (state: State): string => {
  const paths = state.rows.flatMap((row) => row.checkpoint?.leftOut ?? [])
  if (paths.length === 0) return ''
  const lines = paths.map(({ path, why }) => `- ${code(path)}: ${inline(why)}`)
  return `**Left out of the commits**\n\n${list(unique(lines))}`
}

/** Sentences that a person should read, about the run and its sessions. */
export const notes = (state: State, run: RunFacts): string => {
  const texts = unique([...run.warnings, ...state.rows.flatMap((row) => row.session?.warnings ?? [])])
  return texts.length === 0 ? '' : `**Notes**\n\n${list(texts.map((text) => `- ${prose(text)}`))}`
}
