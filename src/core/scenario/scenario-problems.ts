import type * as z from 'zod/mini'
import { fieldsIn } from './scenario-schema.ts'
import { patternsIn } from './template.ts'

/** A problem of a scenario file. `path` as `sessions[0].replies[1].tool`, empty for the whole file. */
export type ScenarioProblem = {
  path: string
  /** Line in the file, from 1; null when unknown. */
  line: number | null
  /** What is wrong and how to put it right. */
  message: string
}

type Path = readonly PropertyKey[]
type Found = { path: Path; message: string }
type Issue = z.core.$ZodIssue

/** One line for people. */
export const problemText = ({ path, line, message }: ScenarioProblem): string =>
  `${path === '' ? 'the scenario' : path}${line === null ? '' : ` (line ${line})`} ${message}`

export const shownPath = (path: Path): string =>
  path.reduce<string>(
    (shown, key) =>
      typeof key === 'number' ? `${shown}[${key}]` : `${shown}${shown === '' ? '' : '.'}${String(key)}`,
    '',
  )

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined
    return new Map<PropertyKey, unknown>(Array.isArray(value) ? value.entries() : Object.entries(value)).get(
      key,
    )
  }, data)

const kindOf = (value: unknown): string => {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : `the ${typeof value} ${JSON.stringify(value)}`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
}

/** What an issue at the place itself would have accepted, as words; empty when it does not say. */
const wanted = (issue: Issue): string[] => {
  switch (issue.code) {
    case 'invalid_type':
      return [kinds[issue.expected] ?? issue.expected]
    case 'invalid_value':
      return issue.values.map((value) => String(value))
    case 'too_small':
      return [issue.origin === 'string' ? 'a text that is not empty' : `a number from ${issue.minimum} on`]
    case 'too_big':
      return [`a number up to ${issue.maximum}`]
    case 'invalid_union':
      return issue.errors
        .flat()
        .filter((inner) => inner.path.length === 0)
        .flatMap(wanted)
    default:
      return []
  }
}

const container = (path: Path): string => String(path.findLast((key) => typeof key === 'string') ?? '')

const unknownField = (path: Path, key: string): Found => {
  const fields = fieldsIn[container(path)] ?? []
  return {
    path: [...path, key],
    message: `is no field here: remove it, or write one of ${fields.join(', ')}`,
  }
}

const isOffTarget = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type')

const told = (data: unknown, issue: Issue, base: Path): Found[] => {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(path, key))
  if (issue.code === 'custom') return [{ path, message: issue.message }]
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => branch.length > 0 && !isOffTarget(branch) && !isPlain(branch))
    if (meant !== undefined) return meant.flatMap((inner) => told(data, inner, path))
  }
  const value = valueAt(data, path)
  const words = [...new Set(wanted(issue))]
  const list = words.length > 1 ? `one of: ${words.join(', ')}` : (words[0] ?? 'something else')
  return [
    { path, message: value === undefined ? `is missing: add ${list}` : `is ${kindOf(value)}: write ${list}` },
  ]
}

/** A branch that says no more than that the value is another one. */
const isPlain = (issues: readonly Issue[]): boolean =>
  issues.every((issue) => issue.path.length === 0 && issue.code === 'invalid_value')

const invalidPattern = (pattern: string): string | null => {
  try {
    new RegExp(pattern, 'm')
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Every pattern in the file that is no regular expression. */
const patternProblems = (value: unknown, path: Path): Found[] => {
  if (typeof value === 'string') {
    const patterns = path.at(-1) === 'matches' ? [value] : patternsIn(value)
    return patterns.flatMap((pattern) => {
      const why = invalidPattern(pattern)
      return why === null ? [] : [{ path, message: `is no valid pattern (${why}): correct it` }]
    })
  }
  if (typeof value !== 'object' || value === null) return []
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value)
  return [...entries].flatMap(([key, item]) => patternProblems(item, [...path, key]))
}

/** All that is wrong with the data of a scenario file: what the schema found, and patterns that are none. */
export const scenarioProblems = (data: unknown, issues: readonly Issue[]): Found[] => [
  ...issues.flatMap((issue) => told(data, issue, [])),
  ...patternProblems(data, []),
]
