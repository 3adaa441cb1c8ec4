import { owned, type Summary, within } from './owned.ts'
import { type Counts, counts, type Parser, runOf } from './run.ts'

/**
 * Maven Surefire and Failsafe (recorded with 3.5). Each module has one summary; tests that passed are never named, so
 * that only reports (JUnit XML) give all names.
 */
export const surefire: Parser = (lines, breaks) => {
  const starts: number[] = []
  const classes: { line: number; weight: number }[] = []
  const failures: { line: number; name: string }[] = []
  const summaries: Summary<Counts>[] = []
  let place = ''
  for (const [line, raw] of lines.entries()) {
    const text = raw.replace(/^\[(?:INFO|WARNING|ERROR)\] ?/, '')
    if (text === ' T E S T S') starts.push(line)
    if (text.startsWith('Tests run: '))
      place = / <<< (?:FAILURE|ERROR)! -?- in (\S+)$/.exec(text)?.[1] ?? place
    const name = failureIn(text, place)
    if (name) failures.push({ line, name })
    if (text === 'No tests to run.' || text.includes(': No tests matching pattern "')) {
      summaries.push({ line, end: line, needs: 0, value: counts(0, 0, 0) })
    }
    const found =
      /^Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})(.*)$/.exec(text)
    if (!found) continue
    const [ran = 0, failed = 0, errors = 0, skipped = 0] = found.slice(1, 5).map(Number)
    if (found[5]?.startsWith(', Time elapsed:')) classes.push({ line, weight: ran })
    else if (found[5] === '' || /^, Flakes: \d+$/.test(found[5] ?? '')) {
      const bad = Math.min(ran, failed + errors)
      const value = counts(Math.max(0, ran - bad - skipped), bad, Math.min(skipped, ran - bad))
      summaries.push({ line, end: line, needs: ran, least: Math.min(1, ran), value })
    }
  }
  return owned(summaries, classes, { lines, breaks: [...breaks, ...starts] }).map(({ from, to, value }) =>
    runOf({
      format: 'surefire',
      from,
      to,
      counts: value,
      failing: within(failures, { from, to }).map(({ name }) => name),
    }),
  )
}

/** `org.example.CalcTest.adds -- Time elapsed: … <<< FAILURE!`; before 3.0 `adds  Time …` below its class. */
const failureIn = (text: string, place: string): string | null => {
  if (!/ <<< (?:FAILURE|ERROR)!$/.test(text) || text.startsWith('Tests run: ')) return null
  const [, name, full] = /^(\S.*?)( --)? +Time elapsed: /.exec(text) ?? []
  if (name === undefined) return null
  return full || name.startsWith(place) ? name : `${place}.${name.replace(`(${place})`, '')}`
}
