import * as z from 'zod/mini'
import { innermost } from './go-test.ts'
import { counts, type Parser, runOf, type TestStatus, tally } from './run.ts'

const shape = z.object({
  Action: z.enum(['run', 'pass', 'fail', 'skip']),
  Package: z.string(),
  Test: z.optional(z.string()),
  FailedBuild: z.optional(z.string()),
})

/**
 * `go test -json` (recorded with go 1.26): events that a test cannot forge, since what it prints arrives inside
 * `output` events. Packages run side by side, so that all events between two breaks are one run.
 */
export const goJson: Parser = (lines, breaks) => {
  const runs: Events[] = []
  let next = 0
  let open = fresh()
  const close = () => {
    if (open.to >= 0) runs.push(open)
    open = fresh()
  }
  for (const [line, text] of lines.entries()) {
    if (line === breaks[next]) {
      close()
      next++
    }
    const event = eventIn(text)
    if (!event) continue
    open.from = Math.min(open.from, line)
    open.to = line
    const status = event.Action === 'run' ? 'failed' : statuses[event.Action]
    if (event.Test !== undefined) open.tests.set(`${event.Package}.${event.Test}`, status)
    else if (event.Action === 'fail') open.failed.set(event.Package, event.FailedBuild !== undefined)
    else open.failed.delete(event.Package)
  }
  close()
  return runs.map(({ from, to, tests, failed }) => {
    const listed = [...tests].map(([name, status]) => ({ name, status }))
    const names = listed.filter(({ status }) => status === 'failed').map(({ name }) => name)
    const unloaded = [...failed]
      .filter(([name]) => !names.some((test) => test.startsWith(`${name}.`)))
      .map(([name, unbuilt]) => (unbuilt ? `${name} [build failed]` : name))
    const total = tally(listed)
    return runOf({
      format: 'go test -json',
      from,
      to,
      counts: counts(total.passed, total.failed + unloaded.length, total.skipped),
      tests: listed,
      failing: innermost(names),
      unloaded,
    })
  })
}

const statuses = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const

type Events = { from: number; to: number; tests: Map<string, TestStatus>; failed: Map<string, boolean> }
const fresh = (): Events => ({ from: Number.POSITIVE_INFINITY, to: -1, tests: new Map(), failed: new Map() })

const eventIn = (text: string): z.infer<typeof shape> | null => {
  if (
    !/^\{"(?:Time|Action)":.*"Action":"(?:run|pass|fail|skip)"|^\{"Action":"(?:run|pass|fail|skip)"/.test(
      text,
    )
  )
    return null
  try {
    return shape.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
