import { writeFileSync } from 'node:fs'
import { writeMapping } from './run-script.ts'
import { evaluateAll, type StepBody } from './run-step.ts'
import type { UsesStep, UsesStub, UsesStubs } from './step.ts'
import type { StepEnd } from './step-book.ts'

/**
 * The body of a `uses:` step: a stub in the action's place. Raises what the stub raises, and when there is none.
 */
export const runUses = async (
  step: UsesStep,
  body: StepBody,
  stubs: UsesStubs,
): Promise<StepEnd & { failed: boolean }> => {
  const { job, book, env, github, signal } = body
  const stub = findStub(step.uses, stubs)
  const inputs = evaluateAll(step.with, body.site)
  book.log.write(`##[group]Run ${step.uses}`)
  writeMapping(
    book.log,
    'with',
    Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== '')),
  )
  writeMapping(book.log, 'env', env)
  book.log.write('##[endgroup]')

  const { workspace, temp } = job
  const call = { uses: step.uses, with: inputs, env, github, workspace, temp, signal }
  const running = (async () => (await stub(call)) ?? {})()
  job.observe.started?.({ id: step.id, name: body.name }, undefined)
  const answer = await running
  for (const line of answer.log ?? []) body.read(line)
  for (const [name, value] of Object.entries(answer.outputs ?? {})) book.effects.setOutput(name, value)
  for (const [name, value] of Object.entries(answer.env ?? {})) book.effects.setEnv(name, value)
  for (const folder of answer.path ?? []) book.effects.addPath(folder)
  if (answer.summary !== undefined) writeFileSync(String(github.step_summary), answer.summary)
  return { failed: answer.failed ?? false, env }
}

const findStub = (uses: string, stubs: UsesStubs): UsesStub => {
  const [best] = Object.entries(stubs)
    .filter(([prefix]) => uses.startsWith(prefix))
    .sort(([a], [b]) => b.length - a.length)
  if (best === undefined) throw new Error(`The rig has no stub for 'uses: ${uses}'.`)
  return best[1]
}
