import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { act, bash, fixedAdd, root, say, session, stage, write } from './kit.ts'

const note = 'You have used 4 of 5 turns of this session. Start nothing new.'
const hook = join(root, 'dist/hook/index.js')

/** How many requests of the first session hold the note, and the number of the first that does. */
const heard = (requests: readonly { session: number | null; body: unknown }[]) => {
  const first = requests
    .filter((request) => request.session === 1)
    .map((request) => JSON.stringify(request.body))
  const copies = first.map((body) => body.split(note).length - 1)
  return { first: copies.findIndex((count) => count > 0) + 1, last: copies.at(-1) }
}

describe('winding a session down at 80 % of its turns', () => {
  test('the note comes with the next tool call, once', async () => {
    await using on = await stage({
      sessions: [
        session(bash('true'), bash('true'), bash('true'), write('src/add.js', fixedAdd), say('done')),
      ],
    })
    const run = await act(on, { 'max-turns': '5' })
    expect(run.outputs['stop-reason']).toBe('SUCCESS')
    expect(heard(on.model.requests)).toEqual({ first: 5, last: 1 })
  })

  test('an agent that stops without a tool call hears it at its attempt to stop', async () => {
    await using on = await stage({
      sessions: [
        session(bash('true'), bash('true'), write('src/add.js', fixedAdd), say('done'), say('really done')),
      ],
    })
    const run = await act(on, { 'max-turns': '5' })
    expect(run.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', turns: '5' })
    // The CLI itself tells a hook's reason twice, as its own message and as the hook's.
    expect(heard(on.model.requests)).toEqual({ first: 5, last: 2 })
  })
})

describe('the hook bundle', () => {
  const ask = (input: string, text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-hook-'))
    const file = join(folder, 'note.json')
    writeFileSync(
      file,
      JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: text } }),
    )
    const run = spawnSync(process.execPath, [hook, file], { input, encoding: 'utf8' })
    const left = existsSync(file)
    rmSync(folder, { recursive: true })
    return { ...run, left }
  }

  test('tells a waiting note in the form that Claude Code honours, and takes it away', () => {
    const run = ask('{"hook_event_name":"Stop","stop_hook_active":false}', 'Finish now.')
    expect(JSON.parse(run.stdout)).toEqual({
      decision: 'block',
      reason: 'Finish now.',
      hookSpecificOutput: { hookEventName: 'Stop', reasonForBlocking: 'Finish now.' },
    })
    expect(run.left).toBe(false)
  })

  test('says nothing when the turn goes on already, when no note waits, and on input that is no JSON', () => {
    for (const run of [
      ask('{"stop_hook_active":true}', 'Finish now.'),
      ask('{"stop_hook_active":false}', ''),
      ask('not JSON', 'Finish now.'),
    ]) {
      expect([run.status, run.stdout]).toEqual([0, ''])
    }
  })

  test('is at most 40 kB, and the action’s bundle at most 2 MB', () => {
    expect(statSync(hook).size).toBeLessThan(40_000)
    expect(statSync(join(root, 'dist/ralph/index.js')).size).toBeLessThan(2_000_000)
  })
})
