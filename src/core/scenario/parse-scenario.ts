import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { errorKind } from './messages-api.ts'
import {
  type Block,
  defaultUsage,
  type Fault,
  type Headers,
  type Reply,
  type Scenario,
  type Usage,
} from './scenario.ts'
import { type ScenarioProblem, scenarioProblems, shownPath } from './scenario-problems.ts'
import {
  scenarioSchema,
  type WrittenReply,
  type WrittenScenario,
  type WrittenUsage,
} from './scenario-schema.ts'

const usageOf = (written: WrittenUsage | undefined, base: Usage): Usage => ({
  input: written?.input ?? base.input,
  output: written?.output ?? base.output,
  cacheRead: written?.['cache-read'] ?? base.cacheRead,
  cacheWrite: written?.['cache-write'] ?? base.cacheWrite,
})

const listOf = <T>(one: T | T[] | undefined): T[] =>
  one === undefined ? [] : Array.isArray(one) ? one : [one]

const blocksOf = ({ blocks, thinking, text, tool }: WrittenReply): Block[] =>
  (
    blocks ?? [
      { thinking },
      ...listOf(text).map((one) => ({ text: one })),
      ...listOf(tool).map((one) => ({ tool: one })),
    ]
  ).flatMap((block: NonNullable<WrittenReply['blocks']>[number]): Block[] => [
    ...(block.thinking === undefined ? [] : [{ type: 'thinking' as const, text: block.thinking }]),
    ...(block.text === undefined ? [] : [{ type: 'text' as const, text: block.text }]),
    ...(block.tool === undefined
      ? []
      : [{ type: 'tool' as const, name: block.tool.name, input: block.tool.input ?? {} }]),
  ])

const headersOf = (written: Readonly<Record<string, string | number | boolean>> | undefined): Headers =>
  Object.fromEntries(
    Object.entries(written ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )

const answerOf = (reply: WrittenReply, usage: Usage): Reply['answer'] => {
  if (reply.error !== undefined) {
    const error = typeof reply.error === 'number' ? { status: reply.error } : reply.error
    const kind = error.type ?? errorKind(error.status)
    const message = error.message ?? `Scripted error ${error.status}`
    return { type: 'error', status: error.status, kind, message, headers: headersOf(error.headers) }
  }
  if (reply.raw !== undefined) {
    const raw = typeof reply.raw === 'string' ? { body: reply.raw } : reply.raw
    const contentType = raw['content-type'] ?? null
    return {
      type: 'raw',
      status: raw.status ?? 200,
      contentType,
      body: raw.body,
      headers: headersOf(raw.headers),
    }
  }
  return {
    type: 'message',
    blocks: blocksOf(reply),
    stopReason: reply['stop-reason'] ?? null,
    usage: reply.usage === undefined ? null : usageOf(reply.usage, usage),
  }
}

const faultOf = ({ hang, cut }: WrittenReply): Fault | null => {
  if (cut !== undefined) return { type: 'cut', at: cut }
  if (hang === undefined) return null
  const { at, seconds } = typeof hang === 'string' ? { at: hang, seconds: undefined } : hang
  return { type: 'hang', at, millis: seconds === undefined ? null : Math.round(seconds * 1000) }
}

const replyOf = (reply: WrittenReply, usage: Usage): Reply => ({
  answer: answerOf(reply, usage),
  delayMillis: reply['delay-ms'] ?? 0,
  fault: faultOf(reply),
})

const timesOf = (written: number | 'forever' | undefined, otherwise: number | null): number | null =>
  written === 'forever' ? null : (written ?? otherwise)

const spelledOut = (written: WrittenScenario): Scenario => {
  const usage = usageOf(written.usage, defaultUsage)
  return {
    usage,
    after: written.after ?? 'repeat',
    sessions: (written.sessions ?? []).map(({ replies }) => ({
      replies: replies.map((reply) => ({ ...replyOf(reply, usage), times: timesOf(reply.repeat, 1) })),
    })),
    rules: (written.rules ?? []).map(({ when, times, reply }) => ({
      when: {
        contains: when.contains ?? null,
        matches: when.matches ?? null,
        in: when.in ?? 'any',
        toolResultContains: when['tool-result-contains'] ?? null,
        session: when.session ?? null,
        reply: when.reply ?? null,
        model: when.model ?? null,
        stream: when.stream ?? null,
      },
      times: timesOf(times, null),
      reply: replyOf(reply, usage),
    })),
  }
}

/** The line of the entry at `path`, or of the nearest one that holds it. */
const lineAt = (document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | null => {
  const parent = path.length === 0 ? null : document.getIn(path.slice(0, -1), true)
  const key = isMap(parent)
    ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === path.at(-1))?.key
    : null
  const node = key ?? document.getIn(path, true)
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  return path.length === 0 ? null : lineAt(document, lines, path.slice(0, -1))
}

const dataOf = (document: Document): { value: unknown } | { why: string } => {
  try {
    return { value: document.toJS() }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

type Parsed = { scenario: Scenario } | { problems: readonly ScenarioProblem[] }

const unreadable = (why: string, line: number | null): ScenarioProblem => ({
  path: '',
  line,
  message: `is no valid YAML or JSON: ${why}`,
})

/** Reads a scenario file, YAML or JSON. All problems are reported at once. */
export const parseScenario = (text: string): Parsed => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const { errors } = document
  if (errors.length > 0)
    return { problems: errors.map(({ message, pos }) => unreadable(message, lines.linePos(pos[0]).line)) }
  const data = dataOf(document)
  if ('why' in data) return { problems: [unreadable(data.why, null)] }
  const parsed = scenarioSchema.safeParse(data.value)
  const found = scenarioProblems(data.value, parsed.error?.issues ?? [])
  if (parsed.success && found.length === 0) return { scenario: spelledOut(parsed.data) }
  return {
    problems: found.map(({ path, message }) => ({
      path: shownPath(path),
      line: lineAt(document, lines, path),
      message,
    })),
  }
}
