import { isCut } from './owned.ts'
import {
  type Counts,
  counts,
  type Parser,
  type Run,
  runOf,
  type Test,
  type TestStatus,
  tally,
} from './run.ts'

/**
 * TAP 13 and 14 with a version line: `node --test`, tape, vitest (recorded). Subtests may be indented before their
 * parent (node, perl) or stand in braces after it (vitest). A plan that does not agree with what ran is a problem.
 */
export const tap: Parser = (lines, breaks) =>
  documents(lines, breaks)
    .filter(({ versioned }) => versioned)
    .map(runOfTap)

/** TAP without a version line (perl, mocha, bats): believed only where nothing else was found. */
export const bareTap: Parser = (lines, breaks) =>
  documents(lines, breaks)
    .filter(
      ({ versioned, plan, points, bail }) =>
        !versioned && (plan !== null || (points.length > 0 && bail !== null)),
    )
    .map(runOfTap)

type Point = Test & { depth: number; parent: boolean; failedInside: boolean; kind: string }
type Document = {
  versioned: boolean
  from: number
  to: number
  /** Points of all depths, and how many of depth 0 there are and the number of the last of them. */
  points: Point[]
  outer: number
  last: number
  plan: number | null
  bail: string | null
  /** Part of the output was left out in the middle. */
  cut: boolean
  /** node's own totals, as far as they came. */
  totals: Map<string, number>
}

const documents = (lines: readonly string[], breaks: readonly number[]): Document[] => {
  const found: Document[] = []
  let reader = readerAt(0, false)
  const close = (line: number, versioned: boolean) => {
    if (reader.document.versioned || reader.document.points.length > 0 || reader.document.plan !== null) {
      found.push(reader.document)
    }
    reader = readerAt(line, versioned)
  }
  let next = 0
  for (const [line, text] of lines.entries()) {
    if (line === breaks[next]) {
      next++
      if (isCut(text)) reader.document.cut = true
      else close(line, false)
    }
    if (/^TAP version 1[34]$/.test(text)) close(line, true)
    else reader.read(line, text)
  }
  close(lines.length, false)
  return found
}

const readerAt = (from: number, versioned: boolean) => {
  const document: Document = {
    versioned,
    from,
    to: from,
    points: [],
    outer: 0,
    last: 0,
    plan: null,
    bail: null,
    cut: false,
    totals: new Map(),
  }
  const names: string[] = []
  /** Whether one of the points of each depth failed, since the last one of the depth above. */
  const inside: { failed: boolean }[] = []
  const braces: Point[] = []
  let yaml: string | null = null
  let latest: Point | undefined
  const read = (line: number, text: string): void => {
    if (yaml !== null) {
      const kind = /^ +type: '(\w+)'$/.exec(text)
      if (kind?.[1] && latest) latest.kind = kind[1]
      if (text === `${yaml}...`) yaml = null
      return
    }
    const block = latest ? /^( +)---$/.exec(text) : null
    if (block) {
      yaml = block[1] ?? ''
      return
    }
    const point = pointIn(text)
    const subtest = /^((?: {4})*)# Subtest: (.+)$/.exec(text)
    const plan = /^1\.\.(\d{1,9})(?: *#.*)?$/.exec(text)
    const bail = /^ *Bail out! *(.*)$/.exec(text)
    const total = /^# (tests|suites|pass|fail|cancelled|skipped|todo) +(\d{1,9})$/.exec(text)
    if (subtest) names[(subtest[1] ?? '').length / 4] = subtest[2] ?? ''
    if (/^ *\}$/.test(text))
      inside.length = Math.min(inside.length, (braces.pop()?.depth ?? inside.length) + 1)
    if (bail) document.bail = bail[1] ?? ''
    if (plan) document.plan = Number(plan[1])
    if (total?.[1]) document.totals.set(total[1], Number(total[2]))
    if (point) {
      const { depth, number, name, status, opens } = point
      const under = inside[depth + 1]
      latest = {
        depth,
        name: [...names.slice(0, depth), name].join(' > '),
        status,
        parent: opens || under !== undefined,
        failedInside: under?.failed ?? false,
        kind: '',
      }
      inside[depth] = { failed: status === 'failed' || (inside[depth]?.failed ?? false) }
      inside.length = depth + 1
      document.points.push(latest)
      if (depth === 0) {
        document.outer++
        document.last = number
      }
      if (status === 'failed') {
        for (let at = braces.length - 1; braces[at]?.failedInside === false; at--) {
          const brace = braces[at]
          if (brace) brace.failedInside = true
        }
      }
      if (opens) {
        braces.push(latest)
        names[depth] = name
      }
    }
    if (point || plan || bail || total) document.to = line
  }
  return { document, read }
}

const pointIn = (text: string) => {
  const [, indent = '', not, number, rest = ''] =
    /^((?: {4})*)(not )?ok (\d{1,9})(?: -)?(?: (.*))?$/.exec(text) ?? []
  if (number === undefined) return null
  const opens = rest.endsWith(' {')
  const hash = /(?:^| )# /.exec(rest)
  const directive = /^ ?# *(skip|todo)/i.test(hash ? rest.slice(hash.index) : '')
  const name = rest.slice(0, hash?.index ?? (opens ? -2 : undefined)).trim()
  const status: TestStatus = directive ? 'skipped' : not ? 'failed' : 'passed'
  return { depth: indent.length / 4, number: Number(number), name, status, opens }
}

const runOfTap = (document: Document): Run => {
  const { points, from, to, plan } = document
  const counted = points.filter(
    ({ parent, kind, status, failedInside }) =>
      !parent || kind === 'test' || (kind === '' && status === 'failed' && !failedInside),
  )
  const isFile = ({ depth, parent, status, name }: Point) =>
    depth === 0 && !parent && status === 'failed' && /\.[cm]?[jt]sx?$/.test(name)
  return runOf({
    format: 'tap',
    from,
    to,
    counts: document.cut ? cutCounts(document, tally(counted)) : tally(counted),
    tests: counted.filter((point) => !isFile(point)),
    failing: counted
      .filter((point) => point.status === 'failed' && !point.failedInside && !isFile(point))
      .map(({ name }) => name),
    unloaded: counted.filter(isFile).map(({ name }) => name),
    problems: problemsOf(document, plan),
  })
}

/** node prints its totals; otherwise the plan says how many there were, and what failed unseen is left to the exit code. */
const cutCounts = ({ totals, plan }: Document, seen: Counts): Counts => {
  const of = (...labels: string[]) => labels.reduce((sum, label) => sum + (totals.get(label) ?? 0), 0)
  if (totals.has('todo')) return counts(of('pass'), of('fail', 'cancelled'), of('skipped', 'todo'))
  return counts(Math.max(0, (plan ?? seen.total) - seen.failed - seen.skipped), seen.failed, seen.skipped)
}

const problemsOf = ({ outer, last, bail, cut }: Document, plan: number | null): string[] => {
  const ran = cut ? last : outer
  if (bail !== null) return [`TAP bailed out${bail === '' ? '' : `: ${bail}`}.`]
  if (plan === null) return ['TAP ended without a plan.']
  return ran === plan ? [] : [`TAP planned ${plan} tests and ran ${ran}.`]
}
