/**
 * Replaces secrets by `***`, in the forms the runner looks for as well: base64 at each offset, JSON, URI and XML
 * escapes, quotes trimmed. Overlapping and touching finds become one `***`.
 * Source: actions/runner HostContext and SecretMasker.
 */
export type Masker = {
  /** A secret and each of its lines; blank values are ignored. */
  add(secret: string): void
  mask(text: string): string
  values(): string[]
}

export const createMasker = (secrets: readonly string[] = []): Masker => {
  const values = new Set<string>()
  const forms = new Set<string>()

  const register = (value: string): void => {
    if (value.trim() === '') return
    values.add(value)
    for (const form of formsOf(value)) if (form !== '') forms.add(form)
  }
  const add = (secret: string): void => {
    register(secret)
    for (const line of secret.split(/[\r\n]+/)) register(line)
  }
  secrets.forEach(add)

  return { add, mask: (text) => maskRanges(text, findRanges(text, forms)), values: () => [...values] }
}

const formsOf = (value: string): string[] => {
  const bytes = Buffer.from(value, 'utf8')
  return [
    value,
    ...[0, 1, 2]
      .filter((shift) => bytes.length > shift)
      .map((shift) => bytes.subarray(shift).toString('base64')),
    value.replaceAll("'", "''"),
    JSON.stringify(value).slice(1, -1),
    escapeUri(value),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    value.length > 8 ? value.replace(/^"+|"+$/g, '') : value,
  ]
}

/** A lone surrogate has no URI form. */
const escapeUri = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    return value
  }
}

type Range = { start: number; end: number }

const findRanges = (text: string, forms: Iterable<string>): Range[] => {
  const found: Range[] = []
  for (const form of forms) {
    for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) {
      found.push({ start, end: start + form.length })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

const maskRanges = (text: string, ranges: readonly Range[]): string => {
  let masked = ''
  let end = -1
  for (const range of ranges) {
    if (range.start > end) masked += `${text.slice(Math.max(end, 0), range.start)}***`
    end = Math.max(end, range.end)
  }
  return masked + text.slice(Math.max(end, 0))
}
