import * as z from 'zod/mini'

/** A request as it came over HTTP. Header names are in lower case; `body` is parsed JSON, else the text. */
export type HttpRequest = {
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
  /** Size of the body as it came. */
  bytes: number
}

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  content: z.optional(z.unknown()),
})
const contentSchema = z.union([z.string(), z.array(blockSchema)])

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.optional(z.boolean()),
  system: z.optional(contentSchema),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  metadata: z.optional(z.looseObject({ user_id: z.optional(z.string()) })),
})

const resultSchema = z.union([z.string(), z.array(blockSchema)])
const userIdSchema = z.looseObject({ session_id: z.string() })

/** What the scripted model wants to know of a request. The texts are joined by line breaks. */
export type ModelRequest = {
  model: string
  stream: boolean
  /** The client's own name of the conversation; null when it sends none. */
  conversation: string | null
  /** No reply was given yet in this conversation, as far as the request tells. */
  fresh: boolean
  system: string
  prompt: string
  lastUser: string
  toolResults: string
  /** Every text in the order of the request: the system prompt, then the messages. */
  texts: readonly string[]
  /** The working directory of the Claude Code session; empty when the request names none. */
  cwd: string
}

type Content = z.infer<typeof contentSchema>

const resultText = (content: unknown): string => {
  const parsed = resultSchema.safeParse(content)
  return parsed.success ? textOf(parsed.data) : ''
}

const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content
        .map((block) => (block.type === 'tool_result' ? resultText(block.content) : (block.text ?? '')))
        .join('\n')

const toolResultsOf = (content: Content): string =>
  typeof content === 'string' ? '' : textOf(content.filter((block) => block.type === 'tool_result'))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As Claude Code writes it: 2.1.332, 2.1.332 with `--bare`, older versions. */
const cwdPatterns = [
  /^\s*- Primary working directory: (.+?)\s*$/m,
  /^CWD: (.+?)\s*$/m,
  /^\s*(?:- )?Working directory: (.+?)\s*$/m,
]

/** The first that names it: a prompt may hold such a line of its own, so the system's texts come first. */
const cwdIn = (texts: readonly string[]): string => {
  const found = cwdPatterns.flatMap((pattern) => texts.flatMap((text) => pattern.exec(text)?.[1] ?? []))
  return found[0] ?? ''
}

const conversationOf = (headers: HttpRequest['headers'], userId: string | undefined): string | null => {
  const named = headers['x-claude-code-session-id']
  if (named !== undefined) return named
  const parsed = userIdSchema.safeParse(parseJson(userId ?? ''))
  return parsed.success ? parsed.data.session_id : null
}

/** Reads a request of the Messages API; null when it is none. */
export const readModelRequest = ({ headers, body }: HttpRequest): ModelRequest | null => {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) return null
  const { model, stream, system, messages, metadata } = parsed.data
  const users = messages.filter((message) => message.role === 'user').map((message) => message.content)
  const systemText = [
    textOf(system ?? ''),
    ...messages.filter((message) => message.role === 'system').map((message) => textOf(message.content)),
  ].join('\n')
  const texts = [textOf(system ?? ''), ...messages.map((message) => textOf(message.content))]
  const retried = Number(headers['x-stainless-retry-count'] ?? 0) > 0
  return {
    model,
    stream: stream === true,
    conversation: conversationOf(headers, metadata?.user_id),
    fresh: !retried && messages.every((message) => message.role !== 'assistant'),
    system: systemText,
    prompt: textOf(users[0] ?? ''),
    lastUser: textOf(users.at(-1) ?? ''),
    toolResults: toolResultsOf(users.at(-1) ?? ''),
    texts,
    cwd: cwdIn([systemText, ...texts]),
  }
}
