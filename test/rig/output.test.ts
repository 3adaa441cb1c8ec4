import { expect, test } from 'vitest'
import { rigFolders, runFixture } from './composite-fixture.ts'

test('commands are found after leading blanks, after a lone CR, in a last line without an end, and ##[…] anywhere', async () => {
  const folders = rigFolders()
  const run = await runFixture('streams', folders)
  const step = run.step('anywhere')
  expect(step.annotations).toEqual([
    { kind: 'warning', message: 'indented', properties: { file: 'a.ts', line: '3' } },
    { kind: 'error', message: 'a command', properties: {} },
    { kind: 'notice', message: 'after a carriage return', properties: {} },
    { kind: 'notice', message: 'the last line has no end', properties: {} },
  ])
  expect(step.commands.map(({ name, syntax }) => `${syntax}${name}`)).toEqual([
    '::warning',
    '##[error',
    '::notice',
    '::notice',
  ])
  expect(step.output.split('\n')).toHaveLength(6)
  expect(step.log).toContain('\ntext ::error::not a command\n')
  expect(step.log).toContain('\n##[error]a command\npart\n')
})

test('stop-commands holds until its token, and ends with its step', async () => {
  const run = await runFixture('streams')
  const step = run.step('stopped')
  expect(step.annotations.map(({ message }) => message)).toEqual(['obeyed'])
  expect(step.log).toContain('\n::error::quoted\n##[add-mask]e\n')
  expect(run.step('unclosed').commands.map(({ name }) => name)).toEqual(['stop-commands'])
  expect(run.step('masked').commands.map(({ name }) => name)).toEqual(['add-mask', 'group', 'endgroup'])
  expect(run.masks).toContain('a-random-token')
  expect(run.masks).not.toContain('e')
})

test('a masked value is hidden in the log and the summary, in base64 too; the raw output keeps it', async () => {
  const run = await runFixture('streams', { secrets: ['octo/demo'] })
  const step = run.step('masked')
  expect(step.output).toContain('the key is sk-secret-value, in base64 c2stc2VjcmV0LXZhbHVl')
  expect(step.log).toContain('\nthe key is ***, in base64 ***\n##[group]a group\n##[endgroup]')
  expect(run.summary).toBe('***\n')
  expect(run.log).not.toContain('GITHUB_TOKEN')
  expect(run.log).toContain('KEY: sk-secret-value')
})

test('secrets given from the start are hidden in the header of a step as well', async () => {
  const run = await runFixture('streams', { secrets: ['sk-secret-value'] })
  expect(run.log).not.toContain('sk-secret-value')
  expect(run.log).toContain('  KEY: ***')
})

test('ten annotations of one kind are kept for a step', async () => {
  const run = await runFixture('streams')
  expect(run.step('many').annotations).toHaveLength(10)
  expect(run.step('many').log).toContain('##[warning]number 12')
  expect(run.annotations.filter(({ kind }) => kind === 'warning')).toHaveLength(10)
})

test('set-env is refused and fails a step that ended with 0', async () => {
  const run = await runFixture('streams')
  const step = run.step('refused')
  expect(step).toMatchObject({ exitCode: 0, conclusion: 'failure' })
  expect(step.commands).toMatchObject([
    {
      name: 'set-env',
      properties: { name: 'PATH' },
      data: '/evil',
      refused: expect.stringContaining('is disabled'),
    },
  ])
  expect(run.env.PATH).toBeUndefined()
})

test('GITHUB_OUTPUT takes heredocs; GITHUB_ENV and GITHUB_PATH reach later steps, NODE_OPTIONS does not', async () => {
  const run = await runFixture('files')
  expect(run.outputs.text).toBe('line 1\na=b<<c')
  expect(run.step('read').output).toBe('from-env-file changed unset from-env-file\nfound on the added path')
  expect(run.step('write').annotations.map(({ message }) => message)).toEqual([
    "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.",
  ])
  expect(run.env).toMatchObject({ ADDED: 'from-env-file', CALLER: 'changed' })
  expect(run.path).toHaveLength(1)
})

test("the caller's env stays in front of what a step writes to GITHUB_ENV", async () => {
  const run = await runFixture('files', { env: { CALLER: 'of the caller' } })
  expect(run.step('read').output).toContain('from-env-file of the caller unset')
})

test('a line that is no pair fails the step, with the pairs before it kept', async () => {
  const run = await runFixture('files')
  expect(run.step('invalid')).toMatchObject({ exitCode: 0, conclusion: 'failure', outputs: { good: '1' } })
  expect(run.step('invalid').annotations.map(({ message }) => message)).toEqual([
    "Unable to process file command 'output' successfully.",
    "Invalid format 'no pair'",
  ])
})

test('F49: a summary of 1 MiB is shown; one byte more and it is dropped, with an annotation and a green step', async () => {
  const full = await runFixture('files', { with: { 'summary-bytes': '1048576' } })
  expect(full.step('summary').summary).toHaveLength(1_048_577)
  const run = await runFixture('files', { with: { 'summary-bytes': '1048577' } })
  const step = run.step('summary')
  expect(step).toMatchObject({ conclusion: 'success', summary: '' })
  expect(step.annotations).toMatchObject([
    {
      kind: 'error',
      message: expect.stringContaining('upload aborted, supports content up to a size of 1024k, got 1024k'),
    },
  ])
})
