import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { bash, expectNothingLeft, isAlive, newMark, program, run, seconds, until } from './process-fixture.ts'

afterEach(expectNothingLeft)

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
