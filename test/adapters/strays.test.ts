import { spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { sweep } from '../../src/adapters/process.ts'
import { compiled } from '../fixtures/compiled.ts'
import { bash, expectNothingLeft, isAlive, newMark, program, run, until } from './process-fixture.ts'

afterEach(expectNothingLeft)

describe('what it leaves behind', () => {
  it('F27: one that holds its pipe open does not keep us waiting, and no output is lost', async () => {
    const began = performance.now()
    const { end, heard } = bash('head -c 3000000 /dev/zero | tr "\\0" x; sleep 300 & exit 0')
    expect(await end).toMatchObject({ how: 'exited', exitCode: 0 })
    expect(performance.now() - began).toBeLessThan(3000)
    expect(heard.out.length).toBe(3_000_000)
  })

  it('F27: a process that cannot be found, without mark, parent or group, is not waited for', async () => {
    const began = performance.now()
    const { end, heard } = bash('echo said; (env -i setsid sleep 3 &)')
    expect(await end).toMatchObject({ how: 'exited', exitCode: 0 })
    expect(performance.now() - began).toBeLessThan(2000)
    expect(heard.out).toBe('said\n')
  })

  it('F27: what a process printed just before its end is heard, also by a slow reader', async () => {
    let bytes = 0
    const onStdout = (chunk: Buffer) => {
      bytes += chunk.length
      for (const until = performance.now() + 20; performance.now() < until; );
    }
    await bash('head -c 400000 /dev/zero', { onStdout }).end
    expect(bytes).toBe(400_000)
  })

  const ways = [
    'background',
    'nohup',
    'disown',
    'setsid',
    'double-fork',
    'stubborn',
    'emptied',
    'group-emptied',
  ]
  it.each(ways)('F28, R34: a process left by %s is gone after a clean end', async (way) => {
    const { end, heard } = run({ program: program('stray.sh'), args: [way] })
    expect(await end).toMatchObject({ how: 'exited', exitCode: 0 })
    const pid = Number(heard.out)
    expect(pid).toBeGreaterThan(1)
    expect(isAlive(pid)).toBe(false)
  })

  it.each(ways)('F28, R34: a process left by %s is gone when we end its parent', async (way) => {
    const { end, heard, stop } = run({ program: program('stray.sh'), args: [way, 'wait'] })
    await until(() => heard.out.endsWith('\n'))
    const pid = Number(heard.out)
    expect(isAlive(pid)).toBe(true)
    stop('enough')
    expect(await end).toMatchObject({ how: 'killed' })
    expect(isAlive(pid)).toBe(false)
  })

  it('F28: the port that a stray listener held is free afterwards', async () => {
    const listen = 'require("net").createServer().listen(+process.argv[1], () => console.log("up"))'
    const port = '14100'
    const first = bash(`setsid nohup node -e '${listen}' ${port} 2>&1 & sleep 0.6; exit 0`)
    await first.end
    const second = run({ program: 'node', args: ['-e', `${listen}.unref()`, port] })
    await second.end
    expect(first.heard.out).toContain('up')
    expect(second.heard).toEqual({ out: 'up\n', err: '' })
  })

  it('a later process finds the strays of one that was killed, by the mark alone', async () => {
    const mark = newMark()
    const env = { ...process.env, RALPH_MARK: mark }
    const stray = spawn('sleep', ['300'], { env, detached: true, stdio: 'ignore' })
    const others = spawn('sleep', ['300'], {
      env: { ...process.env, RALPH_MARK: `${mark}x` },
      stdio: 'ignore',
    })
    await until(() => isAlive(stray.pid ?? 0))
    expect(await sweep(mark)).toEqual({ found: 1, left: 0 })
    expect(isAlive(others.pid ?? 0)).toBe(true)
    others.kill('SIGKILL')
  })

  it('a driver that carries the mark itself ends its children, not itself and not what is above it', async () => {
    const mark = newMark()
    using build = compiled()
    const strays = new URL('adapters/strays.js', build)
    const script = `
      const stray = require('child_process').spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
      import('${strays}').then(({ sweep }) => sweep('${mark}')).then((told) => console.log(JSON.stringify(told)))`
    const { end, heard } = bash(`node -e "$SCRIPT"; echo "still here"`, {
      env: { PATH: process.env.PATH ?? '', SCRIPT: script },
      mark,
    })
    expect(await end).toMatchObject({ how: 'exited', exitCode: 0 })
    expect(heard.out).toBe('{"found":1,"left":0}\nstill here\n')
  })

  it('a sweep that finds nothing takes few milliseconds', async () => {
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const began = performance.now()
      await sweep('no-such-mark')
      times.push(performance.now() - began)
    }
    expect(Math.min(...times)).toBeLessThan(25)
  })
})
