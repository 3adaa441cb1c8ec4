import { counts, type Run, runOf, type Test, type TestStatus, tally } from './run.ts'
import { xmlReader } from './xml.ts'

/** Longest report that is read: 64 MiB, in UTF-16 units, which are never more than bytes. */
const sizeCap = 64 * 1024 * 1024

/** Elements of a test case and what they make of it; the first of them in this order wins. */
const verdicts: [element: string, status: TestStatus][] = [
  ['skipped', 'skipped'],
  ['failure', 'failed'],
  ['error', 'failed'],
]

/**
 * Reads one JUnit XML report as it arrives. What counts are the test cases themselves, never the numbers a suite
 * gives of itself. A report that cannot be read to its end is a problem, and so is one over 64 MiB. The format is
 * what Surefire, Gradle, pytest, vitest, mocha, node and gotestsum write (recorded).
 */
export const junitReader = (path: string) => {
  const tests: Test[] = []
  const unloaded: string[] = []
  const elements: string[] = []
  const suites: string[] = []
  let found = new Set<string>()
  let test: ReadonlyMap<string, string> = new Map()
  let message = ''
  let size = 0
  let problem: string | null = null

  const reader = xmlReader({
    open: (element, attributes) => {
      const parent = elements.at(-1)
      if (parent === undefined && element !== 'testsuites' && element !== 'testsuite') {
        problem ??= `its root is ${element}`
      }
      elements.push(element)
      if (element === 'testsuite') suites.push(attributes.get('name') ?? '')
      if (element === 'testcase') {
        found = new Set()
        test = attributes
        message = ''
      }
      if (parent === 'testcase') {
        found.add(element)
        message = attributes.get('message') ?? message
      }
      if (parent === 'testsuite' && (element === 'error' || element === 'failure'))
        unloaded.push(suites.at(-1) ?? '')
    },
    close: (element) => {
      elements.pop()
      if (element === 'testsuite') suites.pop()
      if (element !== 'testcase') return
      const disabled = ['disabled', 'notrun', 'skipped', 'ignored'].includes(test.get('status') ?? '')
      const status = verdicts.find(([which]) => found.has(which))?.[1] ?? (disabled ? 'skipped' : 'passed')
      const name = nameOf(test, suites)
      if (status === 'failed' && isUnloaded(test, message)) unloaded.push(name)
      else tests.push({ name, status })
    },
  })

  return {
    push: (chunk: string): void => {
      size += chunk.length
      if (size > sizeCap) problem ??= 'it is larger than 64 MiB'
      const wrong = problem === null ? reader.push(chunk) : null
      problem ??= wrong
    },
    end: (): Run => {
      problem ??= reader.end()
      const anyFailed = tests.some(({ status }) => status === 'failed')
      const parents = new Set(anyFailed ? tests.flatMap(({ name }) => parentsOf(name)) : [])
      const isGroup = ({ name, status }: Test) => status === 'failed' && parents.has(name)
      const failed = [...unloaded, ...tests.filter(isGroup).map(({ name }) => name)]
      const listed = tests.filter((one) => !isGroup(one))
      const total = tally(listed)
      return runOf({
        format: 'junit',
        from: 0,
        to: 0,
        counts: counts(total.passed, total.failed + failed.length, total.skipped),
        tests: listed,
        unloaded: failed,
        problems: problem === null ? [] : [`The report ${path} cannot be read: ${problem}.`],
      })
    },
  }
}

/** File, class (else the suites) and name, each once: some writers put the file into the class. */
const nameOf = (test: ReadonlyMap<string, string>, suites: readonly string[]): string => {
  const group = test.get('classname') || suites.filter((suite) => suite !== '').join(' > ')
  return [...new Set([test.get('file') ?? '', group, test.get('name') ?? ''])]
    .filter((part) => part !== '')
    .join(' > ')
}

/** vitest reports a group whose hook failed beside the tests of the group. */
const parentsOf = (name: string): string[] => {
  const parents: string[] = []
  for (let at = name.indexOf(' > '); at > 0; at = name.indexOf(' > ', at + 3)) parents.push(name.slice(0, at))
  return parents
}

/** Failures that writers report as if they were tests: a file that could not be loaded, a fixture of a class. */
const isUnloaded = (test: ReadonlyMap<string, string>, message: string): boolean => {
  const name = test.get('name') ?? ''
  return (
    name === '' ||
    name === test.get('classname') ||
    /\.[cm]?[jt]sx?$/.test(name) ||
    /^(?:TestMain|initializationError|executionError|classMethod)$/.test(name) ||
    message === 'collection failure'
  )
}
