import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rigFolders } from './composite-fixture.ts'
import { createFileCommands, readPairs } from './file-commands.ts'
import { createMasker } from './masker.ts'
import { createStepLog } from './step-log.ts'

test.each([
  [
    'a=1\nb=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'a=1=2<<3\n\n\nb=\n',
    [
      ['a', '1=2<<3'],
      ['b', ''],
    ],
  ],
  [
    'a<<E\n1\n\n2\nE\nb=3',
    [
      ['a', '1\n\n2'],
      ['b', '3'],
    ],
  ],
  ['a<<E\nE\n', [['a', '']]],
  ['a<<E\n1\nE', [['a', '1']]],
  ['a<<E=F\n1\nE=F\n', [['a', '1']]],
  ['a=1\r\n', [['a', '1\r']]],
  ['a<<E\r\n1\r\nE\r\n', [['a', '1\r']]],
  ['a<<E\n E\nE \nE\n', [['a', ' E\nE ']]],
  ['=1', [['', '1']]],
  ['', []],
])('%j gives %j', (text, expected) => {
  expect([...readPairs(text)]).toEqual(expected)
})

test.each([
  ['a', "Invalid format 'a'"],
  ['a<<\n1\n', "Invalid format 'a<<'. Name must not be empty and delimiter must not be empty"],
  ['<<E\n1\nE\n', "Invalid format '<<E'. Name must not be empty and delimiter must not be empty"],
  ['a<<E\n1\n', "Invalid value. Matching delimiter not found 'E'"],
  ['a<<E\n1\nE \nEnd', 'Invalid value. EOF marker missing new line.'],
])('%j is refused: %s', (text, message) => {
  expect(() => [...readPairs(text)]).toThrow(message)
})

type Processed = { failed: boolean; summary: string; effects: string[]; messages: string[] }

const processAfter = (write: (paths: ReturnType<typeof createFileCommands>['paths']) => void): Processed => {
  const { workspace, temp } = rigFolders()
  const files = createFileCommands(temp)
  write(files.paths)
  const masker = createMasker(['a-secret'])
  const log = createStepLog({ masker, workspace, showDebug: false, onLine: () => {} })
  const effects: string[] = []
  const end = files.process({
    log,
    masker,
    effects: {
      setOutput: (name, value) => effects.push(`output ${name}=${value}`),
      setEnv: (name, value) => effects.push(`env ${name}=${value}`),
      addPath: (folder) => effects.push(`path ${folder}`),
    },
  })
  return { ...end, effects, messages: log.annotations.map(({ message }) => message) }
}

test('a byte order mark is dropped and decides the encoding', () => {
  const { effects } = processAfter((paths) => {
    writeFileSync(paths.output, '\uFEFFa=ä')
    writeFileSync(paths.env, Buffer.from('\uFEFFb=ö', 'utf16le'))
  })
  expect(effects).toEqual(['env b=ö', 'output a=ä'])
})

test('a line of GITHUB_PATH ends with \\n, \\r\\n or \\r; empty ones are left out', () => {
  const { effects } = processAfter((paths) => appendFileSync(paths.path, '/a\r\n\n/b\r/c'))
  expect(effects).toEqual(['path /a', 'path /b', 'path /c'])
})

test('one bad file does not keep the others from being read; an empty name and a bad state file fail the step', () => {
  const { effects, failed, messages } = processAfter((paths) => {
    writeFileSync(paths.env, '=1')
    writeFileSync(paths.state, 'no pair')
    writeFileSync(paths.output, 'a=1')
  })
  expect(effects).toEqual(['output a=1'])
  expect(failed).toBe(true)
  expect(messages).toEqual([
    "Unable to process file command 'env' successfully.",
    "Value cannot be null. (Parameter 'name')",
    "Unable to process file command 'state' successfully.",
    "Invalid format 'no pair'",
  ])
})

test('files that the step removed are empty', () => {
  const { effects, failed, summary } = processAfter((paths) => {
    for (const path of Object.values(paths)) rmSync(path)
  })
  expect({ effects, failed, summary }).toEqual({ effects: [], failed: false, summary: '' })
})

test('the summary is masked line by line', () => {
  const { summary } = processAfter((paths) => writeFileSync(paths.step_summary, '# a-secret\r\nend'))
  expect(summary).toBe('# ***\nend\n')
})
