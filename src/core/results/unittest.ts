import { owned, type Summary, within } from './owned.ts'
import { counts, type Parser, runOf, type Test, type TestStatus } from './run.ts'

/**
 * Python's unittest, plain and -v (recorded with CPython 3.11); Django's runner prints the same. -v lists every test;
 * otherwise only the failing ones are named. A failing class or module fixture is in no count of tests.
 */
export const unittest: Parser = (lines, breaks) => {
  const listing: { line: number; weight: number }[] = []
  const items: (Test & { line: number })[] = []
  const failures: { line: number; name: string; kind: 'test' | 'module' | 'fixture' }[] = []
  const summaries: Summary<Total>[] = []
  let pending = ''
  for (const [line, text] of lines.entries()) {
    const row = /^[.FEsxu]+$/.test(text) ? text.length : 0
    const opening = /^(\S+) \((\S+)\)( \.\.\. .*)?$/.exec(text)
    if (opening?.[1] && opening[2]) pending = idOf(opening[1], opening[2])
    const end = /(?:^| \.\.\. )(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/.exec(text)
    if (end?.[1] && pending !== '') {
      items.push({ line, name: pending, status: statusOf(end[1]) })
      pending = ''
    }
    const weight = end ? 1 : row
    if (weight > 0) listing.push({ line, weight })
    const failure = /^(?:FAIL|ERROR): (\S+) \((\S+)\)/.exec(text)
    if (failure?.[1] && failure[2] && /^={70}$/.test(lines[line - 1] ?? '')) {
      const kind = /^(?:setUp|tearDown)(?:Class|Module)$/.test(failure[1])
        ? 'fixture'
        : failure[2].startsWith('unittest.loader._FailedTest')
          ? 'module'
          : 'test'
      failures.push({ line, name: idOf(failure[1], failure[2]), kind })
    }
    const ran = /^Ran (\d{1,9}) tests? in \d+\.\d+s$/.exec(text)
    const result = /^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$/.exec(lines[line + 2] ?? '')
    if (ran && result && /^-{70}$/.test(lines[line - 1] ?? '')) {
      const needs = Math.max(Number(ran[1]), result[0].startsWith('FAILED') ? 1 : 0)
      summaries.push({
        line,
        end: line + 2,
        needs,
        least: 1,
        value: { ran: Number(ran[1]), result: result[0] },
      })
    }
  }
  return owned(summaries, listing, { lines, breaks }).map(({ from, to, value }) => {
    const failed = within(failures, { from, to })
    const outside = failed.filter(({ kind }) => kind !== 'test')
    const tests = new Map(within(items, { from, to }).map(({ name, status }) => [name, status]))
    const names = [...new Set(failed.filter(({ kind }) => kind === 'test').map(({ name }) => name))]
    for (const name of names) tests.set(name, 'failed')
    for (const { name } of outside) tests.delete(name)
    const fixtures = outside.filter(({ kind }) => kind === 'fixture').length
    return runOf({
      format: 'unittest',
      from,
      to,
      counts: countsOf(value, fixtures, failed.length === 0 ? 0 : names.length + outside.length - fixtures),
      tests: [...tests].map(([name, status]) => ({ name, status })),
      failing: names,
      unloaded: outside.map(({ name }) => name.replace(/^unittest\.loader\._FailedTest\./, '')),
    })
  })
}

type Total = { ran: number; result: string }

/** `test_adds (test_a.Case.test_adds)`; before Python 3.11 `test_adds (test_a.Case)`. */
const idOf = (method: string, place: string): string =>
  place.endsWith(`.${method}`) ? place : `${place}.${method}`

const statusOf = (end: string): TestStatus =>
  end === 'ok' ? 'passed' : end.startsWith('skipped') || end === 'expected failure' ? 'skipped' : 'failed'

/** Failing subtests are counted apart though they are one test; where the failing tests are named, those count. */
const countsOf = ({ ran, result }: Total, fixtures: number, named: number) => {
  const of = (label: string) => Number(new RegExp(`[( ]${label}=(\\d{1,9})`).exec(result)?.[1] ?? 0)
  const skipped = Math.min(ran, of('skipped') + of('expected failures'))
  const told = Math.max(0, of('failures') + of('errors') - fixtures)
  const failed = Math.min(ran - skipped, Math.min(told, named || told) + of('unexpected successes'))
  return counts(ran - skipped - failed, failed + fixtures, skipped)
}
