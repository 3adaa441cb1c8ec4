import { counts, type Parser, type Run, runOf, type Test, type TestStatus, tally } from './run.ts'

/**
 * `go test`, plain and -v (recorded with go 1.26). -v lists every test. Plain output names the failing tests only and
 * does not say how many passed, so that there packages are counted, not tests. A package without tests counts nothing.
 */
export const goTest: Parser = (lines) => {
  const closings = lines.map((text) => (text.includes('\t') ? closingIn(text) : null))
  const last = new Map(closings.flatMap((closing, line) => (closing ? [[closing.name, line]] : [])))
  const packages = new Map<string, Package>()
  let open = fresh()
  for (const [line, text] of lines.entries()) {
    const started = /^=== RUN +(\S+)$/.exec(text)?.[1]
    if (started) open.tests.set(started, open.tests.get(started) ?? 'started')
    const ended = endIn(text)
    if (ended && open.tests.has(ended.name)) open.tests.set(ended.name, ended.status)
    else if (ended?.whole && ended.status === 'failed') open.failing.add(ended.name)
    if (started || ended) open.from = Math.min(open.from, line)
    const closing = closings[line]
    if (!closing || (last.get(closing.name) !== line && [...open.tests.values()].includes('started')))
      continue
    const known = packages.get(closing.name) ?? fresh()
    packages.set(closing.name, {
      from: Math.min(known.from, open.from, line),
      to: line,
      tests: new Map([...known.tests, ...open.tests]),
      failing: new Set([...known.failing, ...open.failing]),
      state: closing.state,
    })
    open = fresh()
  }
  return [...packages].map(([name, found]) => runOfPackage(name, found))
}

type State = 'ok' | 'failed' | 'unbuilt' | 'empty'
type Package = {
  from: number
  to: number
  tests: ReadonlyMap<string, TestStatus | 'started'>
  failing: ReadonlySet<string>
  state: State
}

const fresh = () => ({
  from: Number.POSITIVE_INFINITY,
  to: 0,
  tests: new Map<string, TestStatus | 'started'>(),
  failing: new Set<string>(),
  state: 'empty' as const,
})

/** The line that ends a package. */
const closingIn = (text: string): { name: string; state: State } | null => {
  const [, sign, name, rest = ''] = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ](.*))?$/.exec(text) ?? []
  if (!sign || !name) return null
  if (sign === 'FAIL') {
    if (/^\[(?:build|setup) failed\]$/.test(rest)) return { name, state: 'unbuilt' }
    return /^\d+\.\d+s$/.test(rest) ? { name, state: 'failed' } : null
  }
  if (sign !== 'ok  ') return rest === '[no test files]' ? { name, state: 'empty' } : null
  if (!/^(?:\(cached\)|\d+\.\d+s)/.test(rest)) return null
  return { name, state: rest.includes('[no tests to run]') ? 'empty' : 'ok' }
}

const statuses: Record<string, TestStatus> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

/** The line that ends a test; what the test printed without a line end may stand before it. */
const endIn = (text: string): { name: string; status: TestStatus; whole: boolean } | null => {
  const at = text.lastIndexOf('--- ')
  const [, sign = '', name] =
    /^--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/.exec(at < 0 ? '' : text.slice(at)) ?? []
  return name ? { name, status: statuses[sign] ?? 'failed', whole: text.slice(0, at).trim() === '' } : null
}

const runOfPackage = (name: string, { from, to, tests, failing, state }: Package): Run => {
  const listed: Test[] = []
  for (const [test, status] of tests) {
    if (status !== 'started' || state !== 'ok') {
      listed.push({ name: `${name}.${test}`, status: status === 'started' ? 'failed' : status })
    }
  }
  const failed = listed.filter(({ status }) => status === 'failed').map((test) => test.name)
  const plain = [...failing].map((test) => `${name}.${test}`)
  const unloaded = unloadedOf(name, state, failed.length + plain.length)
  const total = tally(listed)
  const units = tests.size > 0 ? 0 : state === 'ok' ? 1 : 0
  const packages = tests.size === 0 && plain.length > 0 ? 1 : unloaded.length
  return runOf({
    format: 'go test',
    from,
    to,
    counts: counts(total.passed + units, total.failed + packages, total.skipped),
    tests: listed,
    failing: innermost([...failed, ...plain]),
    unloaded,
  })
}

/** A package that failed without a failing test: it was not built, or something outside its tests failed. */
const unloadedOf = (name: string, state: State, failures: number): string[] =>
  state === 'unbuilt' ? [`${name} [build failed]`] : state === 'failed' && failures === 0 ? [name] : []

/** Without the tests that failed because a subtest of theirs did. */
export const innermost = (names: readonly string[]): string[] => {
  const parents = new Set<string>()
  for (const name of names) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
      parents.add(name.slice(0, at))
  }
  return names.filter((name) => !parents.has(name))
}
