import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProcessRequest, start, sweep } from '../../src/adapters/process.ts'
import { compiled } from '../fixtures/compiled.ts'

const program = (name: string) => fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))
const marks: string[] = []
const newMark = () => {
  const mark = `test-${randomBytes(6).toString('hex')}`
  marks.push(mark)
  return mark
}

/** Starts a fixture and collects its output. */
const run = (request: Partial<ProcessRequest> & Pick<ProcessRequest, 'program'>) => {
  const heard = { out: '', err: '' }
  const decode = { out: new TextDecoder(), err: new TextDecoder() }
  const running = start({
    args: [],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
    stdin: 'closed',
    mark: newMark(),
    onStdout: (chunk) => {
      heard.out += decode.out.decode(chunk, { stream: true })
    },
    onStderr: (chunk) => {
      heard.err += decode.err.decode(chunk, { stream: true })
    },
    ...request,
  })
  return { ...running, heard }
}

const bash = (script: string, more: Partial<ProcessRequest> = {}) =>
  run({ program: 'bash', args: ['-c', script], ...more })

const isAlive = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
const until = async (test: () => boolean) => {
  for (let i = 0; i < 400 && !test(); i++) await new Promise((next) => setTimeout(next, 5))
  expect(test()).toBe(true)
}
const seconds = (millis: number) => millis / 1000

afterEach(async () => {
  for (const mark of marks.splice(0)) expect(await sweep(mark)).toEqual({ found: 0, left: 0 })
})

describe('the end of a process', () => {
  it.each([
    ['exit 0', { how: 'exited', exitCode: 0, signal: null, reason: null }],
    ['exit 7', { how: 'exited', exitCode: 7, signal: null, reason: null }],
    ['kill -SEGV $$', { how: 'exited', exitCode: null, signal: 'SIGSEGV', reason: null }],
    ['kill -KILL $$', { how: 'exited', exitCode: null, signal: 'SIGKILL', reason: null }],
  ])('R32: %s is told as it was', async (script, expected) => {
    expect(await bash(script).end).toMatchObject(expected)
  })

  it('a program that is not there is data, and leaves no handle', async () => {
    const before = process.getActiveResourcesInfo().length
    const { pid, end } = run({ program: '/no/such/program', stdin: 'never read' })
    expect(pid).toBeNull()
    expect(await end).toMatchObject({
      how: 'not started',
      reason: '/no/such/program could not be started: ENOENT',
    })
    await until(() => process.getActiveResourcesInfo().length <= before)
  })

  it('a folder that is not there is not told as a missing program', async () => {
    const { end } = bash('true', { cwd: '/no/such/folder' })
    expect(await end).toMatchObject({ reason: 'bash could not be started: /no/such/folder is not a folder' })
  })

  it('F31: an argument longer than the system takes is data, not an exception', async () => {
    const { end } = bash('true', { args: ['-c', 'true', 'x'.repeat(140_000)] })
    expect(await end).toMatchObject({ how: 'not started', reason: 'bash could not be started: E2BIG' })
  })

  it('a reader that fails ends the process and is thrown to the caller', async () => {
    const { pid, end } = bash('echo x; sleep 300', {
      onStdout: () => {
        throw new Error('reader broke')
      },
    })
    await expect(end).rejects.toThrow('reader broke')
    expect(isAlive(pid ?? 0)).toBe(false)
  })

  it('a short mark is refused, since it would find processes of others', () => {
    expect(() => bash('true', { mark: 'a' })).toThrow('mark')
  })
})

describe('what a process is given', () => {
  it('arguments, exactly its environment and the mark, standard input, a group of its own', async () => {
    const text = 'é中😀\n'.repeat(50_000)
    const mark = newMark()
    const { end, heard } = run({
      program: program('tell.js'),
      args: ['--x', 'a b', ''],
      env: { PATH: process.env.PATH ?? '', A: '1' },
      stdin: text,
      mark,
    })
    expect((await end).exitCode).toBe(0)
    const told = JSON.parse(heard.out)
    expect(told).toMatchObject({
      args: ['--x', 'a b', ''],
      mark,
      a: '1',
      three: expect.stringMatching(/^E/),
      leads: true,
    })
    expect(told.stdin).toBe(text)
    expect(told.names.sort()).toEqual(['A', 'PATH', 'RALPH_MARK'])
  })

  it('F30: closed standard input reads as end of file at once', async () => {
    const { end } = bash('! read -r x && ! test -t 0')
    expect(await end).toMatchObject({ exitCode: 0 })
  })

  it('a secret by descriptor 3 is read there and stands in no environment or command line', async () => {
    const { end, heard } = run({ program: program('tell.js'), descriptors: { 3: 'the-key' } })
    await end
    expect(JSON.parse(heard.out).three).toBe('the-key')
    const secret = `key-${randomBytes(8).toString('hex')}`
    const held = bash('read -r k <&3; echo got; sleep 300', { descriptors: { 3: `${secret}\n` } })
    await until(() => held.heard.out !== '')
    const places = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const files = places.flatMap((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`])
    const shown = files.filter((file) => existsSync(file) && tryRead(file).includes(secret))
    expect(shown).toEqual([])
    held.stop('seen enough', ['SIGKILL'])
    await held.end
  })

  it('standard input that nobody reads is no error', async () => {
    expect(await bash('exec 0<&-; exit 3', { stdin: 'x'.repeat(1_000_000) }).end).toMatchObject({
      exitCode: 3,
    })
  })
})

const tryRead = (path: string) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

describe('how a process is ended', () => {
  it.each(['INT', 'TERM'] as const)(
    'SIG%s is enough for one that listens; its last words are heard',
    async (name) => {
      const { end, heard, stop } = run({ program: program('polite.sh'), args: [name] })
      await until(() => heard.out === 'ready\n')
      stop('it was time', name === 'INT' ? undefined : ['SIGTERM', 'SIGKILL'])
      expect(await end).toMatchObject({ how: 'killed', reason: 'it was time', exitCode: 0 })
      expect(heard.out).toBe('ready\ntold\n')
    },
  )

  it('one that ignores all signals is gone after the ladder, within 4 s; the first reason stays', async () => {
    const { end, heard, stop, pid } = run({ program: program('stubborn.sh') })
    await until(() => heard.out === 'ready\n')
    const began = performance.now()
    stop('the first reason')
    stop('another')
    expect(await end).toMatchObject({ how: 'killed', signal: 'SIGKILL', reason: 'the first reason' })
    expect(seconds(performance.now() - began)).toBeLessThan(4)
    expect(isAlive(pid ?? 0)).toBe(false)
  })

  it('a second call with SIGKILL makes haste', async () => {
    const { end, heard, stop } = run({ program: program('stubborn.sh') })
    await until(() => heard.out === 'ready\n')
    const began = performance.now()
    stop('first')
    stop('now', ['SIGKILL'])
    expect(await end).toMatchObject({ reason: 'first', signal: 'SIGKILL' })
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('F16: its limit ends the whole group: `sleep 9999 & wait`', async () => {
    const { end, heard } = bash('sleep 9999 & echo $!; wait', {
      limitMillis: 300,
      signals: ['SIGTERM', 'SIGKILL'],
    })
    expect(await end).toMatchObject({ how: 'timed out', reason: 'it ran into its limit of 0.3 s' })
    expect(isAlive(Number(heard.out))).toBe(false)
  })

  it('an abort signal ends it with its reason, and one aborted before starts nothing', async () => {
    const control = new AbortController()
    const { end } = bash('sleep 300', { signal: control.signal })
    control.abort('the run was cancelled')
    expect(await end).toMatchObject({ how: 'killed', reason: 'the run was cancelled' })
    const late = bash('sleep 300', { signal: control.signal })
    expect(late.pid).toBeNull()
    expect(await late.end).toMatchObject({
      how: 'not started',
      reason: 'bash was not started: the run was cancelled',
    })
  })

  it('200 ended processes leave neither zombies nor handles', async () => {
    const before = process.getActiveResourcesInfo().length
    const many = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 10; i++) await run({ program: '/bin/true' }).end
    })
    await Promise.all(many)
    const children = spawnSync('ps', ['--ppid', String(process.pid), '-o', 'stat='], {
      encoding: 'utf8',
    }).stdout
    expect(children.split('\n').filter((line) => line.startsWith('Z'))).toEqual([])
    await until(() => process.getActiveResourcesInfo().length <= before)
  })
})

describe('what it leaves behind', () => {
  it('F27: one that holds its pipe open does not keep us waiting, and no output is lost', async () => {
    const began = performance.now()
    const { end, heard } = bash('head -c 3000000 /dev/zero | tr "\\0" x; sleep 300 & exit 0')
    expect(await end).toMatchObject({ how: 'exited', exitCode: 0 })
    expect(performance.now() - began).toBeLessThan(3000)
    expect(heard.out.length).toBe(3_000_000)
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
    const port = '41007'
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
    const strays = new URL('adapters/strays.js', build.url)
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
    times.sort((a, b) => a - b)
    expect(times[10]).toBeLessThan(25)
  })
})
