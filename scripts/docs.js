// @ts-check
// Writes the inputs of action.yml and the tables of README.md: inputs from src/core/inputs/inputs.ts, stop reasons from
// src/core/stop.ts, outputs from action.yml.
//   node scripts/docs.js [--check] [folder]
// With --check nothing is written, and the exit code is 1 when a file is out of step.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {{ name: string, description: string, default: string, actionDefault?: string, main?: true,
 *   unset: unknown, kind: { accepts: string } }} Input
 * @typedef {{ reason: string, sentence: string, step: string, next: string }} Stop
 */

/**
 * What the tables come from, compiled alone: Node 20 cannot read TypeScript.
 * @returns {Promise<{ inputs: readonly Input[], stops: readonly Stop[] }>}
 */
const declared = async () => {
  mkdirSync(join(root, 'build'), { recursive: true })
  const out = mkdtempSync(join(root, 'build/docs-'))
  const load = (/** @type {string} */ file) => import(pathToFileURL(join(out, 'core', file)).href)
  try {
    const options = [
      '--ignoreConfig',
      '--noCheck',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    const paths = [
      '--rewriteRelativeImportExtensions',
      '--rootDir',
      'src',
      '--outDir',
      out,
      'src/core/inputs/inputs.ts',
    ]
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...paths], {
      cwd: root,
    })
    const { allInputs } = await load('inputs/inputs.js')
    const { stopReasons, stopRow } = await load('stop.js')
    const stops = stopReasons.map((/** @type {string} */ reason) => ({ reason, ...stopRow(reason) }))
    return { inputs: allInputs, stops }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Replaces what stands between the line of `begin` and the line of `end`. */
const between = (
  /** @type {string} */ text,
  /** @type {string} */ begin,
  /** @type {string} */ end,
  /** @type {string} */ body,
) => {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.trim() === begin)
  const to = lines.findIndex((line, index) => index > from && line.trim() === end)
  if (from < 0 || to < 0)
    throw new Error(`has no lines \`${begin}\` and \`${end}\` around the generated part`)
  return [...lines.slice(0, from + 1), body, ...lines.slice(to)].join('\n')
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1)
const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "''")}'`
const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A value as code, a description as it is. */
const defaultOf = (/** @type {Input} */ input) =>
  input.unset === null ? input.default : `\`${input.default}\``

const actionInput = (/** @type {Input} */ input) => {
  const told = input.default === '' ? '' : ` Default: ${defaultOf(input)}.`
  const description = `${input.description} ${capital(input.kind.accepts)}.${told}`
  return [
    `  ${input.name}:`,
    `    description: ${quoted(description)}`,
    // Only what the runner alone can evaluate: an empty input must stay tellable from one that was given.
    ...(input.actionDefault === undefined ? [] : [`    default: ${input.actionDefault}`]),
  ].join('\n')
}

const row = (/** @type {string[]} */ ...cells) => `| ${cells.map(cell).join(' | ')} |`

const inputTable = (/** @type {readonly Input[]} */ inputs) =>
  [
    row('input', 'what it is', 'default'),
    row('---', '---', '---'),
    ...inputs.map((input) =>
      row(`\`${input.name}\``, `${input.description} ${capital(input.kind.accepts)}.`, defaultOf(input)),
    ),
  ].join('\n')

const readmeInputs = (/** @type {readonly Input[]} */ inputs) =>
  [
    '',
    inputTable(inputs.filter((input) => input.main)),
    '\n<details>\n<summary>All other inputs</summary>\n',
    inputTable(inputs.filter((input) => !input.main)),
    '\n</details>\n',
  ].join('\n')

/** @returns {string} */
const readmeOutputs = (/** @type {string} */ action) => {
  /** @type {Record<string, { description?: string }>} */
  const outputs = parse(action).outputs ?? {}
  const rows = Object.entries(outputs).map(([name, { description }]) => {
    if (!description) throw new Error(`has no description for the output \`${name}\``)
    return row(`\`${name}\``, description)
  })
  return ['', row('output', 'what it is'), row('---', '---'), ...rows, ''].join('\n')
}

const readmeStops = (/** @type {readonly Stop[]} */ stops) => {
  const rows = stops.map(({ reason, sentence, step, next }) =>
    row(`\`${reason}\``, sentence, step, capital(next)),
  )
  return [
    '',
    row('reason', 'what it means', 'step', 'who acts next'),
    row('---', '---', '---', '---'),
    ...rows,
    '',
  ].join('\n')
}

const check = process.argv.includes('--check')
const folder = process.argv.slice(2).find((argument) => argument !== '--check') ?? root
const { inputs, stops } = await declared()
let failed = false

/** Brings one file in step, or tells why that cannot be done. */
const update = (/** @type {string} */ file, /** @type {(text: string) => string} */ change) => {
  const path = join(folder, file)
  try {
    const text = readFileSync(path, 'utf8')
    const wanted = change(text)
    if (wanted === text) return
    if (!check) return writeFileSync(path, wanted)
    throw new Error('is out of step with what it is generated from; run `npm run docs` and commit the result')
  } catch (error) {
    console.error(`${file} ${error instanceof Error ? error.message : error}.`)
    failed = true
  }
}

update('action.yml', (text) =>
  between(text, '# inputs: begin', '# inputs: end', inputs.map(actionInput).join('\n')),
)
update('README.md', (text) => {
  const outputs = readmeOutputs(readFileSync(join(folder, 'action.yml'), 'utf8'))
  const tables = { inputs: readmeInputs(inputs), outputs, 'stop-reasons': readmeStops(stops) }
  return Object.entries(tables).reduce(
    (written, [name, table]) => between(written, `<!-- ${name} -->`, `<!-- /${name} -->`, table),
    text,
  )
})
process.exitCode = failed ? 1 : 0
