/** One side of a change: mode as six octal digits, object id in hex. */
export type Side = { mode: string; id: string }

/** A path that differs between two trees; `old` is null when it is new, `new` when it is gone. */
export type Change = {
  /** As text; bytes that are no UTF-8 read as U+FFFD. */
  path: string
  /** As git has it. */
  bytes: Uint8Array
  /** Whether `path` says the same as `bytes`. */
  exact: boolean
  old: Side | null
  new: Side | null
  /** Lines, where they were asked for; 0 for what git takes as binary. */
  insertions: number
  deletions: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

export const decodePath = (bytes: Uint8Array): { path: string; exact: boolean } => {
  try {
    return { path: utf8.decode(bytes), exact: true }
  } catch {
    return { path: lenient.decode(bytes), exact: false }
  }
}

const header = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/
const lines = /^(\d+|-)\t(\d+|-)\t/

/** Text of which every character is one byte: a key, and what the patterns above read. */
const latin1 = (bytes: Uint8Array): string => {
  let text = ''
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192))
  return text
}

const side = (mode: string, id: string): Side | null => (mode === '000000' ? null : { mode, id })

/** Reads `--raw -z` without renames, alone or followed by `--numstat`, in pieces of any size. */
export type TreeDiffParser = { feed: (chunk: Uint8Array) => void; end: () => Change[] }

/** @throws Error (from either function) when the text is something else. */
export const treeDiffParser = (): TreeDiffParser => {
  const changes = new Map<string, Change>()
  let rest = new Uint8Array(0)
  let sides: { old: Side | null; new: Side | null } | null = null

  const take = (record: Uint8Array) => {
    const text = latin1(record)
    if (sides !== null) {
      changes.set(text, { ...decodePath(record), bytes: record, ...sides, insertions: 0, deletions: 0 })
      sides = null
      return
    }
    const raw = header.exec(text)
    if (raw !== null) {
      const [, oldMode = '', newMode = '', oldId = '', newId = ''] = raw
      sides = { old: side(oldMode, oldId), new: side(newMode, newId) }
      return
    }
    const counted = lines.exec(text)
    const change = counted === null ? undefined : changes.get(text.slice(counted[0].length))
    if (counted === null || change === undefined) throw new Error(`Not a tree diff: ${text.slice(0, 200)}`)
    change.insertions = Number(counted[1]) || 0
    change.deletions = Number(counted[2]) || 0
  }

  return {
    feed: (chunk) => {
      let bytes = chunk
      if (rest.length > 0) {
        bytes = new Uint8Array(rest.length + chunk.length)
        bytes.set(rest)
        bytes.set(chunk, rest.length)
      }
      let from = 0
      for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
        take(bytes.slice(from, end))
        from = end + 1
      }
      rest = bytes.slice(from)
    },
    end: () => {
      if (rest.length > 0 || sides !== null) throw new Error('The tree diff ends in the middle.')
      return [...changes.values()]
    },
  }
}

/** What is to stand at a path of an index; null takes it out. */
export type IndexEdit = { bytes: Uint8Array; to: Side | null }

const encoder = new TextEncoder()

/** The edits in the form that `git update-index -z --index-info` reads. `idLength` is 40, or 64 with SHA-256. */
export const indexInfo = (edits: readonly IndexEdit[], idLength: number): Uint8Array => {
  const records = edits.map(({ bytes, to }) => ({
    head: encoder.encode(to === null ? `0 ${'0'.repeat(idLength)}\t` : `${to.mode} ${to.id}\t`),
    bytes,
  }))
  const all = new Uint8Array(
    records.reduce((sum, { head, bytes }) => sum + head.length + bytes.length + 1, 0),
  )
  let at = 0
  for (const { head, bytes } of records) {
    all.set(head, at)
    all.set(bytes, at + head.length)
    at += head.length + bytes.length + 1
  }
  return all
}
