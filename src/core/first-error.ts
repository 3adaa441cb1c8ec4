/** How many lines below the name of a failing test its error is looked for. Runners print it within ten. */
const reach = 30
/** How many failing tests, and mentions of each, are looked at. */
const most = 30

/** What a compiler, a runtime or a test runner prints for an error and little else prints. */
const strong = [
  /(?:^|[\s[(>:])[\w.$]{0,200}(?:Error|Exception|Failure)(?: \[[\w.]+\])?(?::|$)/,
  /^E {3,}\S/,
  /^error(?:\[\w+\])?: (?!test failed|\d+ targets? failed)/,
  /: (?:fatal )?error(?: [A-Z]+\d+)?: | - error TS\d+: |^\s+\d+:\d+\s+error\s/,
  /^panic: | panicked at |^fatal(?: error)?: /,
  /^\s+\w{1,200}_test\.go:\d+: |^\S{1,300}\.go:\d+:\d+: /,
  /^\s*expect\(.*\)\./,
  /^\[ERROR\] \S+:\[\d+,\d+\] /,
  /^#\s+Failed test /,
  /^ {2,}(?:error|message): ['"]/,
]
const weak =
  /\b(?:errors?|fail(?:s|ed|ure|ures)?|fatal|cannot|can't|could not|not found|no such|unexpected|refused|denied|timed out|segmentation fault|unresolved|undefined)\b/i
/** Tests that passed, whatever their names say. */
const passed = /^\s*(?:✓|✔|√|ok\b|PASS\b|--- PASS|\(pass\))|\.\.\. ok$| PASSED\b/
/** Counts of none, warnings, and what npm says at the end. */
const harmless = /\b(?:0|no|without) (?:errors?|fail|problem)|\bwarn(?:ing)?\b|^npm (?:error|ERR!)|deprecat/i

/** A cheap look first: none of them matches a line without one of these. */
const hint = /error|exception|failure|panic|fatal|^E {3}|\.go:\d|expect\(|:\[\d|failed test|message:/i

const isStrong = (line: string): boolean =>
  hint.test(line) && strong.some((pattern) => pattern.test(line)) && !passed.test(line)
const isWeak = (line: string): boolean => weak.test(line) && !passed.test(line) && !harmless.test(line)

/**
 * Where the errors stand, as line numbers: for each failing test the line nearest below its name that reads like an
 * error; where there is none, the first such line of all; where there is none either, the first that speaks of a
 * failure. The first of the result is the first error.
 */
export const errorLines = (lines: readonly string[], failing: readonly string[]): number[] => {
  const short = lines.map((line) => line.slice(0, 400))
  const found = new Set(nearNames(short, failing.slice(0, most)))
  if (found.size > 0) return [...found].sort((a, b) => a - b)
  const first = short.findIndex(isStrong)
  const any = first >= 0 ? first : short.findIndex(isWeak)
  return any < 0 ? [] : [any]
}

const nearNames = (lines: readonly string[], names: readonly string[]): number[] => {
  const text = lines.join('\n')
  const starts: number[] = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  return names.flatMap((name) => {
    let nearest = { line: -1, distance: reach + 1 }
    for (const line of mentions(text, starts, name)) {
      for (let distance = 0; distance < nearest.distance && line + distance < lines.length; distance++) {
        if (isStrong(lines[line + distance] ?? '')) nearest = { line: line + distance, distance }
      }
    }
    return nearest.line < 0 ? [] : [nearest.line]
  })
}

/** Lines that hold a test's name, whole or its last part. */
const mentions = (text: string, starts: readonly number[], name: string): number[] => {
  const own = name.replace(/^.*(?: > | › |::)/, '')
  const last = own === name ? name.replace(/^.*[. ](?=\S+$)/, '') : own
  const found: number[] = []
  for (const key of new Set([name, last])) {
    if (key.length < 3) continue
    let at = text.indexOf(key)
    for (let count = 0; at >= 0 && count < most; count++) {
      found.push(lineAt(starts, at))
      at = text.indexOf(key, at + key.length)
    }
  }
  return found
}

const lineAt = (starts: readonly number[], offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
