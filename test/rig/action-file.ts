import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  checkCondition,
  checkTemplate,
  type ExpressionSite,
  hashFilesFunction,
  statusFunctions,
} from './expressions.ts'
import type { Step } from './step.ts'

/**
 * A composite action's action.yml, refused where GitHub refuses it: unknown keys of a step, a `run` without `shell`, a
 * context or function that does not exist there.
 * Source: actions/runner action_yaml.json.
 */
export type CompositeAction = {
  name: string
  inputs: Record<string, { default: string; deprecationMessage: string | undefined }>
  outputs: Record<string, string>
  steps: Step[]
}

const scalar = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => String(value ?? ''))
const scalars = z
  .record(z.string(), scalar)
  .nullish()
  .transform((value) => value ?? {})

const stepBase = {
  id: z.string().optional(),
  name: scalar.optional(),
  if: scalar.optional(),
  env: scalars,
  'continue-on-error': scalar.optional(),
}
const runStep = z.strictObject({
  ...stepBase,
  run: scalar,
  shell: z.string('a step with run needs a shell'),
  'working-directory': scalar.optional(),
})
const usesStep = z.strictObject({ ...stepBase, uses: z.string(), with: scalars })

const input = z
  .looseObject({ default: scalar.optional(), deprecationMessage: z.string().optional() })
  .nullish()
  .transform((value) => ({ default: value?.default ?? '', deprecationMessage: value?.deprecationMessage }))

const actionFile = z.looseObject({
  name: z.string(),
  inputs: z
    .record(z.string(), input)
    .nullish()
    .transform((value) => value ?? {}),
  outputs: z
    .record(z.string(), z.looseObject({ value: scalar }))
    .nullish()
    .transform((value) => value ?? {}),
  runs: z.looseObject({ using: z.literal('composite'), steps: z.array(z.record(z.string(), z.unknown())) }),
})

/** Contexts of a step; `secrets`, `vars` and `needs` do not exist in a composite. */
const stepContexts = ['github', 'inputs', 'steps', 'job', 'runner', 'env', 'strategy', 'matrix']
const inputContexts = ['github', 'job', 'runner', 'strategy', 'matrix']

/** Raises with every problem of the file. */
export const readAction = (folder: string): CompositeAction => {
  const file = ['action.yml', 'action.yaml']
    .map((name) => join(folder, name))
    .find((path) => existsSync(path))
  if (file === undefined) throw new Error(`Can't find 'action.yml' or 'action.yaml' under '${folder}'.`)
  const parsed = actionFile.safeParse(parse(readFileSync(file, 'utf8')))
  if (!parsed.success) throw new Error(`${file}:\n${z.prettifyError(parsed.error)}`)
  const { name, inputs, outputs, runs } = parsed.data
  const action: CompositeAction = {
    name,
    inputs,
    outputs: Object.fromEntries(Object.entries(outputs).map(([key, { value }]) => [key, value])),
    steps: readSteps(runs.steps),
  }
  const problems = findProblems(action)
  if (problems.length > 0) throw new Error(`${file}:\n${problems.join('\n')}`)
  return action
}

/** Raises for keys that a step may not have. */
const readSteps = (items: readonly Record<string, unknown>[]): Step[] => {
  const taken = new Set<string>()
  return items.map((item, index) => {
    const parsed = ('uses' in item ? usesStep : runStep).safeParse(item)
    if (!parsed.success) throw new Error(`runs.steps[${index}]:\n${z.prettifyError(parsed.error)}`)
    const { data } = parsed
    const base = {
      id: freeId(
        data.id ?? ('uses' in data ? `__${data.uses.replace(/@.*/, '').replaceAll(/\W/g, '_')}` : '__run'),
        taken,
      ),
      name: data.name,
      if: data.if,
      env: data.env,
      continueOnError: data['continue-on-error'],
    }
    return 'uses' in data
      ? { ...base, kind: 'uses', uses: data.uses, with: data.with }
      : {
          ...base,
          kind: 'run',
          run: data.run,
          shell: data.shell,
          workingDirectory: data['working-directory'],
        }
  })
}

const freeId = (wish: string, taken: Set<string>): string => {
  let id = wish
  for (let count = 2; taken.has(id.toLowerCase()); count++) id = `${wish}_${count}`
  taken.add(id.toLowerCase())
  return id
}

const findProblems = (action: CompositeAction): string[] => {
  const hash = hashFilesFunction(() => '')
  const status = statusFunctions({ scope: 'success', job: 'success' })
  const inStep: ExpressionSite = { contexts: emptyContexts(stepContexts), functions: [hash] }
  const inIf: ExpressionSite = { ...inStep, functions: [hash, ...status] }
  const inInput: ExpressionSite = { contexts: emptyContexts(inputContexts), functions: [hash] }
  const problems: string[] = []
  const attempt = (place: string, check: () => void): void => {
    try {
      check()
    } catch (error) {
      problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  for (const [key, { default: text }] of Object.entries(action.inputs)) {
    attempt(`inputs.${key}.default`, () => checkTemplate(text, inInput))
  }
  for (const [key, text] of Object.entries(action.outputs)) {
    attempt(`outputs.${key}.value`, () => checkTemplate(text, { ...inStep, functions: [] }))
  }
  for (const [index, step] of action.steps.entries()) {
    attempt(`runs.steps[${index}].if`, () => checkCondition(step.if, inIf))
    const texts =
      step.kind === 'run' ? [step.run, step.shell, step.workingDirectory] : Object.values(step.with)
    for (const text of [...texts, ...Object.values(step.env), step.name, step.continueOnError]) {
      attempt(`runs.steps[${index}]`, () => checkTemplate(text ?? '', inStep))
    }
  }
  return problems
}

const emptyContexts = (names: readonly string[]): ExpressionSite['contexts'] =>
  Object.fromEntries(names.map((name) => [name, null]))
