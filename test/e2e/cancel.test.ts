import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { act, bash, fixedAdd, say, session, stage, write } from './kit.ts'

const half = 'export const add = (a, b) => Number(a) - b\n'
const busy = [session(write('src/add.js', half), bash('node -e "setTimeout(() => {}, 60000)"'), say('done'))]

/** Process ids of everything that carries this run's mark. */
const marked = (record: string): number[] => {
  const mark = `RALPH_MARK=${record.split('/').at(-2)}`
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
      } catch {
        return false
      }
    })
}

describe('a cancelled job', () => {
  test('in a session: the children are gone in time, and the finish step saves the work', async () => {
    await using on = await stage({ sessions: busy })
    const times: number[] = []
    const run = await act(
      on,
      {},
      {
        cancelAt: { step: 'loop', line: /turn 2: Bash/, after: 300 },
        observe: {
          line: (step, line) =>
            void (step.id === 'loop' && /Cancelled by/.test(line) && times.push(Date.now())),
        },
      },
    )
    expect(run.conclusion).toBe('cancelled')
    expect(run.step('loop').exitCode).toBe(130)
    expect(run.step('finish').outcome).not.toBe('skipped')
    expect(run.outputs).toMatchObject({ 'stop-reason': 'CANCELLED', success: 'false' })
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(half.trim())
    expect(run.summary).toContain('CANCELLED')
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
    expect(marked(run.record)).toEqual([])
    expect(times).toHaveLength(1)
  })

  test('in a verification: the verifier is gone, the commit is on the remote', async () => {
    await using on = await stage({ sessions: [session(write('src/add.js', fixedAdd), say('ok'))] })
    const verify = 'grep -q "a - b" src/add.js && exit 1; echo slow; sleep 60'
    const run = await act(on, { verify }, { cancelAt: { step: 'loop', line: /Pushed/, after: 500 } })
    expect(run.outputs['stop-reason']).toBe('CANCELLED')
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(fixedAdd.trim())
    expect(on.git('status', '--porcelain')).toBe('M src/add.js')
    expect(marked(run.record)).toEqual([])
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
  })

  test('while a push hangs: the push is gone in time, and finish pushes again', async () => {
    await using on = await stage({ sessions: [session(write('src/add.js', half), say('ok'))] })
    const hook = join(on.remote, 'hooks/pre-receive')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\n[ -e ${on.temp}/hung ] || { touch ${on.temp}/hung; sleep 60; }\n`, {
      mode: 0o755,
    })
    const run = await act(on, {}, { cancelAt: { step: 'loop', line: /Saved as/, after: 800 } })
    expect(run.step('loop').exitCode).toBe(130)
    expect(run.step('loop').signals.map(({ signal }) => signal)).toEqual(['SIGINT'])
    expect(run.outputs['stop-reason']).toBe('CANCELLED')
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(half.trim())
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
  })

  test('while the base is judged: nothing is spent and nothing is pushed', async () => {
    await using on = await stage({ sessions: busy })
    const run = await act(
      on,
      { verify: 'sleep 60' },
      { cancelAt: { step: 'loop', line: /Bounds:/, after: 500 } },
    )
    expect(run.outputs['stop-reason']).toBe('CANCELLED')
    expect(on.model.requests).toEqual([])
    expect(run.pushed).toBe('')
    expect(on.git('status', '--porcelain')).toBe('')
  })

  test('a loop killed with SIGKILL in a session: finish ends what is left, saves, and says so', async () => {
    await using on = await stage({ sessions: busy })
    let pid = 0
    const run = await act(
      on,
      {},
      {
        observe: {
          started: (step, id) => {
            if (step.id === 'loop' && id !== undefined) pid = id
          },
          line: (step, line) => {
            if (step.id === 'loop' && line.includes('turn 2: Bash'))
              setTimeout(() => process.kill(pid, 'SIGKILL'), 300)
          },
        },
      },
    )
    expect(run.outputs['stop-reason']).toBe('CANCELLED')
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(half.trim())
    expect(marked(run.record)).toEqual([])
    expect(run.leftovers).toEqual({ orphans: [], strays: [] })
  })

  test('a loop killed with SIGKILL in a verification: the workspace is put back', async () => {
    await using on = await stage({ sessions: [session(write('src/add.js', fixedAdd), say('ok'))] })
    let pid = 0
    const run = await act(
      on,
      { verify: 'grep -q "a - b" src/add.js && exit 1; sleep 60' },
      {
        observe: {
          started: (step, id) => {
            if (step.id === 'loop' && id !== undefined) pid = id
          },
          line: (step, line) => {
            if (step.id === 'loop' && line.includes('Pushed'))
              setTimeout(() => process.kill(pid, 'SIGKILL'), 500)
          },
        },
      },
    )
    expect(run.outputs['stop-reason']).toBe('CANCELLED')
    expect(on.git('log', '--format=%s')).toBe('start')
    expect(readFileSync(join(on.workspace, 'src/add.js'), 'utf8')).toBe(fixedAdd)
    expect(on.remoteGit('show', `${run.pushed}:src/add.js`)).toBe(fixedAdd.trim())
    expect(marked(run.record)).toEqual([])
  })
})
