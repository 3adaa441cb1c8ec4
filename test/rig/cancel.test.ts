import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rigFolders, runFixture } from './composite-fixture.ts'
import { runnerSchedule } from './entry-process.ts'

/** A hundredth of the runner's times: the order is the same. */
const quick = { interrupt: 750, terminate: 250, streams: 500 }
const cancelWork = { step: 'work', line: 'working' }

test("the runner's own times are the default", () => {
  expect(runnerSchedule).toEqual({ interrupt: 7500, terminate: 2500, streams: 5000 })
})

test('`exec node` gets SIGINT at once; always() and cancelled() steps run, outputs arrive, nothing is left', async () => {
  const run = await runFixture('signals', { with: { way: 'exec' }, cancelAt: cancelWork })
  const step = run.step('work')
  expect(step.output).toBe('working\ngot SIGINT')
  expect(step).toMatchObject({ exitCode: 0, outcome: 'cancelled', signals: [{ signal: 'SIGINT' }] })
  expect(step.annotations.map(({ message }) => message)).toEqual(['The operation was canceled.'])
  expect(run.steps.map(({ id, conclusion }) => `${id} ${conclusion}`)).toEqual([
    'work cancelled',
    'default skipped',
    'failed skipped',
    'always success',
    'cancelled success',
  ])
  expect(run.step('always').output).toBe('cancelled cancelled')
  expect(run.outputs.got).toBe('SIGINT')
  expect(run.conclusion).toBe('cancelled')
  expect(run.leftovers).toEqual({ orphans: [], strays: [] })
})

test('`node x | cat` hears nothing: bash dies by SIGTERM, node is an orphan, found and killed at the end of the job', async () => {
  const run = await runFixture('signals', { with: { way: 'pipe' }, cancelAt: cancelWork, schedule: quick })
  const step = run.step('work')
  expect(step.output).toBe('working')
  expect(step.exitCode).toBe(143)
  expect(step.signals.map(({ signal }) => signal)).toEqual(['SIGINT', 'SIGTERM'])
  expect(step.signals[1]?.at).toBeGreaterThanOrEqual((step.signals[0]?.at ?? 0) + quick.interrupt - 10)
  expect(run.leftovers.orphans.map(({ command }) => command.replace(/ .*\//, ' '))).toContain('node work.cjs')
  expect(run.log).toMatch(/Terminate orphan process: pid \(\d+\) \((node|MainThread)\)/)
  await expect
    .poll(() => run.leftovers.orphans.filter(({ pid }) => existsSync(`/proc/${pid}/cwd`)))
    .toEqual([])
})

test('a process that does not end gets SIGINT, SIGTERM and SIGKILL in this order', async () => {
  const run = await runFixture('signals', {
    with: { way: 'stubborn' },
    cancelAt: cancelWork,
    schedule: quick,
  })
  const step = run.step('work')
  expect(step.output).toBe('working\ngot SIGINT\ngot SIGTERM')
  expect(step.signals.map(({ signal }) => signal)).toEqual(['SIGINT', 'SIGTERM', 'SIGKILL'])
  expect(step.exitCode).toBe(137)
  expect(run.conclusion).toBe('cancelled')
})

test('a process that holds the streams delays the step by the set time, and is an orphan', async () => {
  const run = await runFixture('signals', { with: { way: 'holder' }, schedule: quick })
  const step = run.step('work')
  expect(step).toMatchObject({ exitCode: 0, conclusion: 'success', output: 'started' })
  expect(step.milliseconds).toBeGreaterThanOrEqual(quick.streams)
  expect(run.leftovers.orphans.map(({ command }) => command)).toEqual(['sleep 600'])
})

test('what is printed after that time is not read, though later steps still run', async () => {
  const run = await runFixture('signals', { with: { way: 'late' }, schedule: quick })
  expect(run.step('default').conclusion).toBe('success')
  expect(run.log).toContain('started')
  expect(run.log).not.toContain('##[error]late')
})

test('a process that lost RUNNER_TRACKING_ID is no orphan to the runner; the rig names it a stray', async () => {
  const run = await runFixture('signals', { with: { way: 'scrubbed' } })
  expect(run.leftovers.orphans).toEqual([])
  expect(run.leftovers.strays.map(({ command }) => command)).toEqual(['sleep 601'])
})

test('a cancelled process whose streams are held ends the step after the set time, without more signals', async () => {
  const run = await runFixture('signals', {
    with: { way: 'forks' },
    cancelAt: cancelWork,
    schedule: { ...quick, interrupt: 5000 },
  })
  const step = run.step('work')
  expect(step).toMatchObject({ exitCode: 0, outcome: 'cancelled' })
  expect(step.signals.map(({ signal }) => signal)).toEqual(['SIGINT'])
  expect(step.milliseconds).toBeLessThan(4000)
  expect(run.leftovers.orphans.map(({ command }) => command)).toEqual(['sleep 602'])
})

test('an action used inside is told of a cancel by its signal', async () => {
  const run = await runFixture('nested', {
    uses: {
      'actions/': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
    cancelAt: { step: 'upload' },
  })
  expect(run.steps.map(({ conclusion }) => conclusion)).toEqual([
    'cancelled',
    'skipped',
    'skipped',
    'skipped',
  ])
})

test("the caller's timeout-minutes ends the step as a failure, and no later step of the composite gets to run", async () => {
  const folders = rigFolders()
  const run = await runFixture('signals', { ...folders, with: { way: 'exec' }, timeoutMinutes: 1 / 60 })
  expect(run.step('work')).toMatchObject({ outcome: 'failure', signals: [{ signal: 'SIGINT' }] })
  expect(run.steps.map(({ id, conclusion }) => `${id} ${conclusion}`)).toEqual([
    'work failure',
    'default skipped',
    'failed failure',
    'always failure',
    'cancelled skipped',
  ])
  expect(run.step('always')).toMatchObject({ exitCode: undefined, output: '' })
  expect(run.step('always').annotations.map(({ message }) => message)).toEqual(['The action has timed out.'])
  expect(existsSync(join(folders.temp, 'always'))).toBe(false)
  expect(run.outputs.got).toBe('SIGINT')
  expect(run.conclusion).toBe('failure')
})

test('an always() step is not ended by a cancel', async () => {
  const run = await runFixture('flow', { cancelAt: { step: 'late' } })
  expect(run.step('late').conclusion).toBe('success')
  expect(run.conclusion).toBe('cancelled')
})

test('a cancel that never comes is an error of the test', async () => {
  await expect(runFixture('flow', { cancelAt: { step: 'late', line: /never printed/ } })).rejects.toThrow(
    'cancelAt {"step":"late","line":"/never printed/"} never came',
  )
})
