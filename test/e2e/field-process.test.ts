import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { result } from '../core/transcript.ts'
import { drive } from './drive.ts'
import { type Acted, act, bash, fixedAdd, type Stage, say, session, stage, write } from './kit.ts'
import { begin, mend, stubCli, turn } from './stub-cli.ts'

const verify = 'grep -q "a + b" src/add.js'
const quick = { verify, confirmations: '1' }
const once = { ...quick, 'max-iterations': '1' }
const clean = { orphans: [], strays: [] }
const done = { print: result() }

/** A session that mends what is wrong, and ends. */
const mended = (on: Stage) => stubCli(on, { before: mend, steps: [begin, turn(), done] }).inputs

const sessions = (run: Acted) =>
  run.events.flatMap((event) => (event.type === 'session-ended' ? [event.session] : []))

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })

const listen = (port: number) => `require("node:net").createServer().listen(${port}, "127.0.0.1")`

describe.concurrent('processes', { timeout: 60_000 }, () => {
  test('F27: a CLI that stays after its result is ended after the grace time, and nothing of it is lost', async () => {
    await using on = await stage()
    const cli = stubCli(on, { before: mend, steps: [begin, turn(), done, { sleep: 600_000 }] })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', turns: '1', 'cost-usd': '0.25' })
    expect(run.summary).toContain('did not end by itself after its result')
    expect(sessions(run)[0]?.millis).toBeLessThan(20_000)
    expect(run.leftovers).toEqual(clean)
  })

  test('F27: what holds the output open after the CLI has ended does not hold the run', async () => {
    await using on = await stage()
    const run300 = { run: 'sleep 300 & setsid sleep 300 &' }
    const cli = stubCli(on, {
      before: mend,
      steps: [begin, run300, turn(), { sleep: 200 }, done, { exit: 0 }],
    })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', turns: '1', 'cost-usd': '0.25' })
    expect(run.summary).not.toContain('did not end by itself')
    expect(run.leftovers).toEqual(clean)
  })

  test('F28: servers that the agent leaves running hold no port when the verifier needs it', async () => {
    const [first, second] = [await freePort(), await freePort()]
    await using on = await stage({
      sessions: [
        session(
          bash(`nohup node -e '${listen(first)}' > /dev/null 2>&1 & disown`),
          bash(`setsid node -e '${listen(second)}' > /dev/null 2>&1 & sleep 1; echo started`),
          write('src/add.js', fixedAdd),
          say('ok'),
        ),
      ],
    })
    const both = `${verify} && node -e '${listen(first)}.on("listening", () => process.exit(0)); ${listen(second)}'`
    const run = await act(on, { ...once, verify: both })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', verdict: 'pass' })
    expect(run.leftovers).toEqual(clean)
  })

  test('F28: what a verifier leaves running is gone before the next one', async () => {
    const port = await freePort()
    await using on = await stage()
    const leaves = `node -e '${listen(port)}.on("listening", () => { require("node:fs").writeFileSync(".up", "") })' & for i in $(seq 100); do [ -e .up ] && break; kill -0 $!; sleep 0.1; done; disown; ${verify}`
    const run = await act(on, { ...once, ...mended(on), verify: leaves, confirmations: '2' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', verdict: 'pass' })
    expect(run.leftovers).toEqual(clean)
  })

  test('F29: silence is ended at the idle limit, the work is kept and judged, a fresh session goes on', async () => {
    await using on = await stage()
    const cli = stubCli(
      on,
      { before: 'echo kept > a.txt', steps: [begin, turn(), { sleep: 600_000 }] },
      { before: mend, steps: [begin, turn('m1'), { sleep: 1500 }, turn('m2'), done] },
    )
    const { state, summary } = await drive(on, { ...quick, ...cli.inputs }, { idleMillis: 3000 })
    expect(state.stop?.reason).toBe('SUCCESS')
    expect(state.rows.map((row) => row.session?.end)).toEqual(['stalled', 'completed'])
    expect(state.rows.map((row) => row.verdict?.kind)).toEqual(['fail', 'pass'])
    expect(on.remoteGit('show', `${state.pushed}:a.txt`)).toBe('kept')
    expect(state.used.iterations).toBe(1)
    expect(summary).toContain('stalled')
    expect(cli.given(2).stdin).toContain('gave no sign of life for 3 s')
  })

  test('F16: a verifier that never ends is ended whole, is no pass, and is told apart from red', async () => {
    await using on = await stage()
    const hangs = `${verify} || exit 1; echo waiting; sleep 9999 & wait`
    const run = await act(on, { ...once, ...mended(on), verify: hangs, 'verify-timeout-minutes': '0.1' })
    expect(run.outputs).toMatchObject({
      'stop-reason': 'BUDGET_EXHAUSTED',
      verdict: 'fail',
      success: 'false',
    })
    expect(run.summary).toContain('the verifier ran out of time')
    expect(readFileSync(join(run.record, 'logs/verify-2.log'), 'utf8')).toBe('waiting\n')
    expect(run.leftovers).toEqual(clean)
  })

  test('F16: a verifier that does not end on the base either is broken, at no cost', async () => {
    await using on = await stage()
    const run = await act(on, { verify: 'trap "" TERM; sleep 9999', 'verify-timeout-minutes': '0.1' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'VERIFIER_BROKEN', verdict: 'broken' })
    expect(run.summary).toContain('did not end within its time limit')
    expect(on.model.requests).toEqual([])
    expect(run.leftovers).toEqual(clean)
  })

  test('F16: a verifier has no terminal, no input and CI=true', async () => {
    await using on = await stage()
    const asks = `! test -t 0; ! test -t 1; ! read -r x; test "$CI" = true; ${verify}`
    const run = await act(on, { ...once, ...mended(on), verify: asks }, { jobEnv: { CI: 'false' } })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
  })
})

describe.concurrent('prompts', { timeout: 60_000 }, () => {
  test('F30: the prompt comes by standard input, which is closed behind it', async () => {
    await using on = await stage()
    const cli = stubCli(on, { before: mend, steps: [begin, turn(), done] })
    const run = await act(on, { ...once, ...cli.inputs })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    expect(cli.given(1).stdin).toMatch(/^This is iteration 1 of at most 1.*Go on with the task now\.\s*$/s)
    expect(sessions(run)[0]?.millis).toBeLessThan(5000)
  })

  test('F31: a task that looks like a command or an option is text behind our own', async () => {
    await using on = await stage({ sessions: [session(write('src/add.js', fixedAdd), say('ok'))] })
    const task = '/deploy now\n--dangerously-x\n@/etc/hostname'
    const run = await act(on, { ...once, task })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    const body = JSON.stringify(on.model.requests[0]?.body)
    expect(body.includes(` task\\n${JSON.stringify(task).slice(1, -1)}\\n`)).toBe(true)
    expect(body.indexOf('# Your place')).toBeLessThan(body.indexOf('/deploy now'))
  })

  test('F31: a task as long as they may be arrives whole; a longer one is told before anything is spent', async () => {
    await using on = await stage({ sessions: [session(write('src/add.js', fixedAdd), say('ok'))] })
    const task = `Mend it.\n${'長い "課題"\n'.repeat(3900)}`
    expect(Buffer.byteLength(task)).toBeGreaterThan(60_000)
    const floods = `node -e 'console.log("é".repeat(3e6))'; ${verify}`
    const run = await act(on, { ...once, task, verify: floods })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    const body = JSON.stringify(on.model.requests[0]?.body)
    expect(body.includes(JSON.stringify(task.trimEnd()).slice(1, -1))).toBe(true)
    expect(body.length).toBeLessThan(200_000)
    const long = await act(on, { ...once, task: 'x'.repeat(70_000) })
    expect(long.outputs['stop-reason']).toBe('SETUP_FAILED')
    expect(long.summary).toMatch(/task.*65536/)
  })
})
