import { type Input, type Problem, problemWith, show } from './input.ts'
import type { Refused } from './input-kinds.ts'
import { nearest } from './nearest.ts'

/** Inputs as text, with the problems found while they are read. */
export type RawInputs = {
  /** Whether the input has a value of its own; an empty one is none. */
  has: (input: Input<unknown>) => boolean
  /** The value, or what stands for one that is not given or was refused; a refusal is noted as a problem. */
  take: <T>(input: Input<T>) => T
  /** Notes a problem with the value as it was given. */
  refuse: (input: Input<unknown>, refused: Refused) => void
  /** Notes a problem that no single value shows. */
  complain: (input: Input<unknown>, message: string) => void
  /** In the order of the declaration, unknown names last. */
  problems: () => readonly Problem[]
}

/** Names are matched as GitHub does, without regard to case. */
export const rawInputs = (
  raw: Readonly<Record<string, string>>,
  declared: readonly Input<unknown>[],
): RawInputs => {
  const names = declared.map((input) => input.name)
  const texts = new Map<string, string>()
  const unknown: string[] = []
  const twice: Problem[] = []
  for (const [key, text] of Object.entries(raw)) {
    const name = key.trim().toLowerCase()
    if (!names.includes(name)) unknown.push(key)
    else if (text.trim() !== '') {
      const message = `${name} is given twice, in different spellings. Leave one of them out.`
      if (texts.has(name)) twice.push({ input: name, message })
      texts.set(name, text.trim())
    }
  }
  const secrets = declared.flatMap((input) => (input.secret ? pieces(texts.get(input.name) ?? '') : []))
  const found = [...twice, ...unknown.map((key) => unknownName(show(key.trim(), secrets), key, names))]
  const note = (input: Input<unknown>, refused: Refused) =>
    found.push(problemWith(input, texts.get(input.name) ?? '', refused, secrets))
  return {
    has: ({ name }) => texts.has(name),
    take: (input) => {
      const text = texts.get(input.name)
      if (text === undefined) return input.unset
      const parsed = input.kind.parse(text)
      if (parsed.ok) return parsed.value
      note(input, parsed)
      return input.unset
    },
    refuse: note,
    complain: ({ name }, message) => found.push({ input: name, message }),
    problems: () => found.toSorted((a, b) => place(names, a) - place(names, b)),
  }
}

const place = (names: readonly string[], { input }: Problem): number =>
  names.includes(input) ? names.indexOf(input) : names.length

const unknownName = (shown: string, key: string, names: readonly string[]): Problem => {
  const near = nearest(key.trim(), names)
  const help = near === null ? "The action's README lists all inputs." : `Did you mean \`${near}\`?`
  return { input: shown.slice(1, -1), message: `There is no input ${shown}. ${help}` }
}

/** A secret whole, and its parts where it was pasted with something around it; short ones would blot out plain words. */
const pieces = (text: string): string[] =>
  [text, ...text.split(/[\s"'`,;]+/)].filter((piece) => piece.length >= 8)
