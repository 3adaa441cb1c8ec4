import * as z from 'zod/mini'
import { type Json, places, points } from './scenario.ts'
import {
  blockMisfits,
  type Misfit,
  replyMisfits,
  scenarioMisfits,
  scriptMisfits,
  whenMisfits,
} from './scenario-misfits.ts'

const count = z.int().check(z.minimum(1))
const times = z.union([count, z.literal('forever')])
const seconds = z.number().check(z.minimum(0))
const tokens = z.optional(z.int().check(z.minimum(0)))
const status = z.int().check(z.minimum(200), z.maximum(599))
const filled = z.string().check(z.minLength(1))
const headers = z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
const point = z.enum(points)

/** Adds what no type can say: which fields go together. */
const without = <T>(find: (value: T) => readonly Misfit[]) =>
  z.check<T>(({ value, issues }) => {
    for (const { path, message } of find(value)) {
      issues.push({ code: 'custom', input: value, path: [...path], message })
    }
  })

const json: z.ZodMiniType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
)

const tool = z.strictObject({
  name: filled,
  input: z.optional(z.union([z.record(z.string(), json), z.string()])),
})

const block = z.strictObject({
  text: z.optional(z.string()),
  thinking: z.optional(z.string()),
  tool: z.optional(tool),
})

const usage = z.strictObject({ input: tokens, output: tokens, 'cache-read': tokens, 'cache-write': tokens })

const error = z.strictObject({
  status,
  type: z.optional(z.string()),
  message: z.optional(z.string()),
  headers,
})

const raw = z.strictObject({
  body: z.string(),
  status: z.optional(status),
  'content-type': z.optional(z.string()),
  headers,
})

const hang = z.strictObject({ at: point, seconds: z.optional(seconds) })

const reply = z.strictObject({
  text: z.optional(z.union([z.string(), z.array(z.string())])),
  thinking: z.optional(z.string()),
  tool: z.optional(z.union([tool, z.array(tool)])),
  blocks: z.optional(z.array(block.check(without(blockMisfits)))),
  usage: z.optional(usage),
  'stop-reason': z.optional(filled),
  error: z.optional(z.union([status, error])),
  raw: z.optional(z.union([z.string(), raw])),
  hang: z.optional(z.union([point, hang])),
  cut: z.optional(point),
  'delay-ms': z.optional(z.int().check(z.minimum(0))),
})
const scripted = z.extend(reply, { repeat: z.optional(times) })

const when = z.strictObject({
  contains: z.optional(filled),
  matches: z.optional(filled),
  in: z.optional(z.enum(places)),
  'tool-result-contains': z.optional(filled),
  session: z.optional(count),
  reply: z.optional(count),
  model: z.optional(filled),
  stream: z.optional(z.boolean()),
})

const session = z.strictObject({
  replies: z.array(scripted.check(without(replyMisfits))).check(without(scriptMisfits)),
})
const rule = z.strictObject({
  when: when.check(without(whenMisfits)),
  times: z.optional(times),
  reply: reply.check(without(replyMisfits)),
})

const scenario = z.strictObject({
  version: z.literal(1),
  usage: z.optional(usage),
  after: z.optional(z.enum(['repeat', 'end'])),
  sessions: z.optional(z.array(session)),
  rules: z.optional(z.array(rule)),
})

/** A scenario file as it is written, before the short forms are spelt out. */
export const scenarioSchema = scenario.check(without(scenarioMisfits))

/** The fields that may stand in an entry, by the name of what holds it; the file itself has the empty name. */
export const fieldsIn: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(scenario.shape),
  sessions: Object.keys(session.shape),
  replies: Object.keys(scripted.shape),
  reply: Object.keys(reply.shape),
  rules: Object.keys(rule.shape),
  when: Object.keys(when.shape),
  tool: Object.keys(tool.shape),
  blocks: Object.keys(block.shape),
  usage: Object.keys(usage.shape),
  error: Object.keys(error.shape),
  raw: Object.keys(raw.shape),
  hang: Object.keys(hang.shape),
}

export type WrittenScenario = z.infer<typeof scenario>
export type WrittenReply = z.infer<typeof reply>
export type WrittenUsage = z.infer<typeof usage>
export type WrittenWhen = z.infer<typeof when>
