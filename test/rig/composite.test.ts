import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rigFolders, runFixture } from './composite-fixture.ts'

const conclusions = (run: Awaited<ReturnType<typeof runFixture>>): Record<string, string> =>
  Object.fromEntries(run.steps.map((step) => [step.id, step.conclusion]))

const withSub = (): { workspace: string; temp: string } => {
  const folders = rigFolders()
  mkdirSync(join(folders.workspace, 'sub'))
  return folders
}

test('inputs come from the caller, then from defaults with their expressions; all are strings', async () => {
  const run = await runFixture('inputs', { ...withSub(), with: { Task: 'Fix it', old: 'x', tusk: 'y' } })
  expect(run.conclusion).toBe('success')
  const all = JSON.parse(run.outputs.all ?? '')
  expect(all).toEqual({
    Task: 'Fix it',
    old: 'x',
    tusk: 'y',
    turns: '10',
    token: 'ghs_rigtoken0123456789abcdefghijklmnopqrs',
    place: 'octo/demo#1000',
  })
  expect(Object.keys(all)).toEqual(['Task', 'old', 'tusk', 'turns', 'token', 'place'])
  expect(run.step('show').name).toBe('Show 10')
  expect(run.annotations.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    "warning: Input 'old' has been deprecated with message: use task",
    "warning: Unexpected input(s) 'tusk', valid inputs are ['task', 'turns', 'token', 'place', 'old']",
  ])
})

test('an input that is required and not given is empty', async () => {
  const run = await runFixture('inputs', withSub())
  expect(run.conclusion).toBe('success')
  expect(JSON.parse(run.outputs.all ?? '')).toMatchObject({ task: '', old: '' })
})

test('the environment of a step is what the runner gives, and nothing of this process', async () => {
  const folders = withSub()
  const run = await runFixture('inputs', {
    ...folders,
    with: { task: 't' },
    env: { CALLER: 'c' },
    jobEnv: { JOB: 'j', CALLER: 'lost' },
    github: { run_id: '77', event: { issue: { number: 7 } } },
    contexts: { matrix: { node: 22 } },
    host: { PATH: process.env.PATH ?? '' },
  })
  const environment: Record<string, string> = {}
  for (const pair of readFileSync(join(folders.temp, 'environment'), 'utf8').split('\0')) {
    const at = pair.indexOf('=')
    if (at > 0) environment[pair.slice(0, at)] = pair.slice(at + 1)
  }
  expect(environment).toMatchObject({
    ...{ TASK: 't', FROM_CALLER: 'c', CALLER: 'c', JOB: 'j', MATRIX: '22' },
    ...{
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: '77',
      GITHUB_JOB: 'ralph',
      GITHUB_REPOSITORY: 'octo/demo',
    },
    ...{
      GITHUB_WORKSPACE: folders.workspace,
      RUNNER_TEMP: folders.temp,
      RUNNER_OS: 'Linux',
      GITHUB_RUN_ATTEMPT: '1',
    },
    GITHUB_REF_PROTECTED: 'false',
    RUNNER_TRACKING_ID: expect.stringMatching(/^github_/),
    GITHUB_ACTION_PATH: expect.stringMatching(/composites\/inputs$/),
  })
  const names = Object.keys(environment).filter((name) => !/^(GITHUB|RUNNER)_/.test(name))
  expect(names.sort()).toEqual(
    // PWD, SHLVL and _ are bash's own.
    [
      'CALLER',
      'CI',
      'FROM_CALLER',
      'HOME',
      'JOB',
      'LANG',
      'MATRIX',
      'PATH',
      'PWD',
      'SHLVL',
      'TASK',
      'USER',
      '_',
    ],
  )
  expect(Object.keys(environment).filter((name) => /TOKEN$|^INPUT_|^GITHUB_EVENT$/.test(name))).toEqual([])
  expect(JSON.parse(readFileSync(environment.GITHUB_EVENT_PATH ?? '', 'utf8'))).toEqual({
    issue: { number: 7 },
  })
  expect(run.step('show').env.TASK).toBe('t')
})

test('shells: bash, sh and a template of its own, in the working directory asked for', async () => {
  const folders = withSub()
  const run = await runFixture('inputs', folders)
  expect(run.step('show').log).toContain('bash --noprofile --norc -e -o pipefail {0}')
  expect(run.step('sh').log).toContain('sh -e {0}')
  expect(run.step('sh').output).toMatch(/composites\/inputs Linux 1$/)
  expect(run.step('custom').output).toBe(`${join(folders.workspace, 'sub')} 2`)
})

test('after a failure only always() and failure() run, and outputs are still given', async () => {
  const run = await runFixture('flow')
  expect(conclusions(run)).toEqual({
    ...{ first: 'success', forgiven: 'success', breaks: 'failure', after: 'skipped', condition: 'skipped' },
    ...{ onfailure: 'success', oncancel: 'skipped', late: 'success' },
  })
  expect(run.step('forgiven')).toMatchObject({ outcome: 'failure', exitCode: 4 })
  expect(run.step('breaks')).toMatchObject({ exitCode: 1, outputs: { word: 'kept' } })
  expect(run.step('after')).toMatchObject({ exitCode: undefined, log: '' })
  expect(run.outputs).toEqual({ first: 'one', late: 'failure/success/failure', missing: '' })
  expect(run.conclusion).toBe('failure')
  expect(run.annotations.map(({ message }) => message)).toEqual([
    'Process completed with exit code 4.',
    'Process completed with exit code 1.',
  ])
})

test('without a failure the conditions turn around', async () => {
  const run = await runFixture('flow', { with: { fail: 'false' } })
  expect(conclusions(run)).toEqual({
    ...{ first: 'success', forgiven: 'failure', breaks: 'skipped', after: 'skipped', condition: 'skipped' },
    ...{ onfailure: 'skipped', oncancel: 'skipped', late: 'success' },
  })
})

test('actions used inside are stubs, found by the longest prefix; one without a stub fails', async () => {
  const calls: Record<string, string>[] = []
  const run = await runFixture('nested', {
    uses: {
      'actions/': () => {
        throw new Error('the longer prefix was not taken')
      },
      'actions/upload-artifact@': (call) => {
        calls.push({ ...call.with, why: call.env.WHY ?? 'unset' })
        if (call.with.path === 'fails') throw new Error('no such folder')
        return {
          outputs: { 'artifact-url': 'https://example.com/1' },
          env: { FROM_STUB: 'set by the stub' },
          log: ['::notice::uploaded'],
        }
      },
      'actions/unknown@v2': () => {},
    },
  })
  expect(calls).toEqual([
    { name: 'run-1', path: 'record', empty: '', why: 'test' },
    { path: 'fails', why: 'unset' },
  ])
  expect(run.outputs.url).toBe('https://example.com/1')
  expect(Object.keys(JSON.parse(run.outputs.steps ?? ''))).toEqual(['upload'])
  expect(run.steps.map(({ id, outcome, conclusion }) => [id, outcome, conclusion])).toEqual([
    ['upload', 'success', 'success'],
    ['__actions_upload_artifact', 'failure', 'success'],
    ['__run', 'success', 'success'],
    ['__actions_unknown', 'failure', 'failure'],
  ])
  expect(run.step('__run').output).toBe('set by the stub')
  expect(run.annotations.map(({ message }) => message)).toEqual([
    'uploaded',
    'no such folder',
    'the longer prefix was not taken',
  ])
})

test('an environment variable too long for the system fails the step', async () => {
  const run = await runFixture('flow', { env: { LONG: 'x'.repeat(131_072) } })
  expect(run.conclusion).toBe('failure')
  expect(run.step('first').annotations[0]?.message).toMatch(/Argument list too long$/)
})

test('a condition that cannot be evaluated ends the composite, always() or not; outputs are still given', async () => {
  const run = await runFixture('condition')
  expect(run.steps.map(({ id, conclusion }) => `${id} ${conclusion}`)).toEqual([
    'before success',
    'environment failure',
    'broken failure',
  ])
  expect(run.conclusion).toBe('failure')
  expect(run.outputs).toEqual({ word: 'given' })
})

test('a test may kill the process of a step: the step fails with 137, and always() steps run', async () => {
  const run = await runFixture('signals', {
    with: { way: 'exec' },
    observe: {
      started: ({ id }, pid) => {
        if (id === 'work' && pid !== undefined) process.kill(pid, 'SIGKILL')
      },
    },
  })
  expect(run.step('work')).toMatchObject({ exitCode: 137, conclusion: 'failure', signals: [] })
  expect(run.step('always').output).toBe('success failure')
  expect(run.step('failed').conclusion).toBe('success')
})
