import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from '../src/core/inputs/config.ts'
import { allInputs } from '../src/core/inputs/inputs.ts'
import { stopReasons } from '../src/core/stop.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

const docs = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs.js'), ...args], {
    encoding: 'utf8',
  })
  return { status, stderr }
}

const action = `name: X
inputs:
  # inputs: begin
  # inputs: end
outputs:
  success:
    description: Whether it went well | or not.
    value: x
runs: {}
`
const readme = `# X

<!-- inputs -->
<!-- /inputs -->
between
<!-- outputs -->
old
<!-- /outputs -->
<!-- stop-reasons -->
<!-- /stop-reasons -->
after
`

/** A folder with an action.yml and a README.md. */
const folder = (files: { action?: string; readme?: string } = {}) => {
  const path = mkdtempSync(join(tmpdir(), 'docs-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  writeFileSync(join(path, 'action.yml'), files.action ?? action)
  writeFileSync(join(path, 'README.md'), files.readme ?? readme)
  return path
}

test('the inputs of action.yml and the tables of the README are generated, and nothing around them changes', () => {
  const path = folder()
  expect(docs(path)).toEqual({ status: 0, stderr: '' })
  const { inputs } = parse(read(path, 'action.yml'))
  expect(Object.keys(inputs)).toEqual(allInputs.map((input) => input.name))
  const defaults = Object.entries(inputs).flatMap(([name, input]) =>
    'default' in Object(input) ? [name] : [],
  )
  expect(defaults).toEqual(['github-token'])
  expect(inputs['max-iterations']).toEqual({
    description:
      'How many iterations at most. Each is one fresh session, a commit and a verification. A whole number from 1 to 100. Default: `10`.',
  })

  const text = read(path, 'README.md')
  for (const name of [...allInputs.map((input) => input.name), ...stopReasons])
    expect(text.split(`\n| \`${name}\` | `)).toHaveLength(2)
  expect(text).toContain('| `success` | Whether it went well \\| or not. |')
  expect(text).not.toContain('\nold\n')
  expect(text).toMatch(/^# X\n[\s\S]*\nbetween\n[\s\S]*\nafter\n$/)

  expect(docs('--check', path)).toEqual({ status: 0, stderr: '' })
  for (const [file, from] of [
    ['action.yml', '100'],
    ['README.md', '| `verify`'],
  ] as const)
    writeFileSync(join(path, file), read(path, file).replace(from, 'changed by hand'))
  const outOfStep =
    'is out of step with what it is generated from; run `npm run docs` and commit the result.\n'
  expect(docs('--check', path)).toEqual({
    status: 1,
    stderr: `action.yml ${outOfStep}README.md ${outOfStep}`,
  })
  expect(read(path, 'README.md')).toContain('changed by hand')
})

test.each([
  [
    { action: action.replace('# inputs: end', '') },
    'action.yml has no lines `# inputs: begin` and `# inputs: end`',
  ],
  [{ readme: '# X\n' }, 'README.md has no lines `<!-- inputs -->` and `<!-- /inputs -->`'],
  [
    { readme: readme.replace('<!-- outputs -->', '') },
    'README.md has no lines `<!-- outputs -->` and `<!-- /outputs -->`',
  ],
  [
    { action: action.replace('description: Whether it went well | or not.', '') },
    'README.md has no description for the output `success`',
  ],
])('what cannot be generated is said in one line', (files, message) => {
  const { status, stderr } = docs(folder(files))
  expect(status).toBe(1)
  expect(stderr.split('\n')[0]).toContain(message)
})

test('action.yml and README.md of this repository are in step with the declaration', () => {
  expect(docs('--check')).toEqual({ status: 0, stderr: '' })
})

test('every output of action.yml is described and comes from the last step of the same name', () => {
  const { outputs } = parse(read(root, 'action.yml'))
  for (const [name, output] of Object.entries(outputs))
    expect(output).toEqual({
      description: expect.stringMatching(/\.$/),
      value: `\${{ steps.finish.outputs.${name} }}`,
    })
})

/** Every `with:` that is given to this action, wherever it stands in a document. */
const uses = (node: unknown): Record<string, unknown>[] => {
  if (typeof node !== 'object' || node === null) return []
  const own =
    'uses' in node && /ralph-action@|^\.\/$/.test(String(node.uses)) && 'with' in node
      ? [Object(node.with)]
      : []
  return [...own, ...Object.values(node).flatMap(uses)]
}

const files = ['workflows', '.github/workflows']
  .filter((directory) => existsSync(join(root, directory)))
  .flatMap((directory) => readdirSync(join(root, directory)).map((name) => join(directory, name)))

const examples = () => [
  ...[...read(root, 'README.md').matchAll(/```ya?ml\n([\s\S]*?)```/g)].map((match) => match[1] ?? ''),
  ...files.filter((file) => /\.ya?ml$/.test(file)).map((file) => read(root, file)),
]

test('whoever copies an example of the README or a workflow of the kit gives inputs that are accepted', () => {
  const found = examples().flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => uses(document.toJS())),
  )
  expect(found.length).toBeGreaterThan(0)
  for (const inputs of found) {
    // What an expression becomes is not known here: it stands for itself as a secret, and is left out otherwise.
    const raw = Object.entries(inputs).map(([name, value]) => {
      const evaluated = String(value).includes('${{')
      return [
        name,
        !evaluated ? String(value) : /key|token|task|verify$/.test(name) ? 'given-by-github' : '',
      ] as const
    })
    expect(parseConfig(Object.fromEntries(raw))).toMatchObject({ ok: true })
  }
})
