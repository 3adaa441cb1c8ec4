import * as z from 'zod/mini'

/**
 * The settings object that we give to the CLI. It is strict, because the CLI drops the whole object silently when
 * one key has the wrong type, and with it every hook.
 */
const hookCommand = z.strictObject({
  type: z.literal('command'),
  command: z.string().check(z.minLength(1)),
  /** Seconds, at most an hour. */
  timeout: z.int().check(z.gte(1), z.lte(3600)),
})
const hookGroups = z.array(z.strictObject({ hooks: z.array(hookCommand).check(z.minLength(1)) }))

const settings = z.strictObject({
  attribution: z.strictObject({ commit: z.literal(''), pr: z.literal('') }),
  hooks: z.strictObject({
    SessionStart: hookGroups,
    PostToolBatch: hookGroups,
    Stop: z.optional(hookGroups),
  }),
})

export type ClaudeSettings = z.infer<typeof settings>

/** A command that answers the agent's attempt to stop. `seconds` is its time limit. */
export type StopHook = { command: string; seconds: number }

/** A word in single quotes for sh, whatever it holds. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Where the driver leaves a note, and where the hook takes it to. Absolute paths on one file system. */
export type NotePaths = { note: string; taken: string }

const group = (command: string, timeout: number) => [
  { hooks: [{ type: 'command' as const, command, timeout }] },
]

/**
 * What every session gets. The hook at its start does nothing but say `canary`, on standard error so that it reaches
 * us and not the model: the CLI's report of it is the proof that these settings were taken. The note is handed over
 * once, after the tool calls of a reply, failed and denied ones included; renaming a file is what makes it once.
 */
export const sessionSettings = (options: {
  canary: string
  paths: NotePaths
  stop: StopHook | null
}): ClaudeSettings => {
  const [note, taken] = [shellQuoted(options.paths.note), shellQuoted(options.paths.taken)]
  return {
    attribution: { commit: '', pr: '' },
    hooks: {
      SessionStart: group(`echo ${shellQuoted(options.canary)} >&2`, 30),
      PostToolBatch: group(`mv ${note} ${taken} 2>/dev/null && cat ${taken} || true`, 10),
      ...(options.stop === null ? {} : { Stop: group(options.stop.command, options.stop.seconds) }),
    },
  }
}

/** The note in the form that the CLI honours after a batch of tool calls. */
export const noteText = (text: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: text } })

const placeOf = (issue: z.core.$ZodIssue): string => {
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])]
  return path.join('.') || 'the object itself'
}

/** The settings as one argument. Throws when they are not exactly what the CLI accepts, naming the place. */
export const settingsText = (value: unknown): string => {
  const read = settings.safeParse(value)
  if (read.success) return JSON.stringify(read.data)
  const places = read.error.issues.map(placeOf).join(', ')
  throw new Error(
    `The settings for the CLI are wrong at ${places}; the CLI would drop them all without a word.`,
  )
}
