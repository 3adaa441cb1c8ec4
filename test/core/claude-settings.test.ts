import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  noteText,
  sessionSettings,
  settingsText,
  shellQuoted,
} from '../../src/core/session/claude-settings.ts'

const paths = { note: '/tmp/a b/note', taken: '/tmp/a b/note.taken' }
const plain = sessionSettings({ canary: 'c-1', paths, stop: null })
const full = sessionSettings({ canary: 'c-1', paths, stop: { command: 'node hook.js', seconds: 60 } })

describe('the settings of a session', () => {
  it('are our hooks and no attribution, and nothing else', () => {
    expect(JSON.parse(settingsText(full))).toEqual({
      attribution: { commit: '', pr: '' },
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: "echo 'c-1' >&2", timeout: 30 }] }],
        PostToolBatch: [
          {
            hooks: [
              {
                type: 'command',
                command:
                  "mv '/tmp/a b/note' '/tmp/a b/note.taken' 2>/dev/null && cat '/tmp/a b/note.taken' || true",
                timeout: 10,
              },
            ],
          },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'node hook.js', timeout: 60 }] }],
      },
    })
    expect(Object.keys(JSON.parse(settingsText(plain)).hooks)).toEqual(['SessionStart', 'PostToolBatch'])
  })

  const command = { type: 'command', command: 'true', timeout: 5 }
  it.each([
    ['a hook that is a text', { ...plain, hooks: { ...plain.hooks, Stop: 'x' } }, 'hooks.Stop'],
    ['hooks without their group', { ...plain, hooks: { ...plain.hooks, Stop: [command] } }, 'hooks.Stop.0'],
    [
      'an empty command',
      sessionSettings({ canary: 'c', paths, stop: { command: '', seconds: 5 } }),
      'hooks.Stop.0.hooks.0.command',
    ],
    ['a time of 0', sessionSettings({ canary: 'c', paths, stop: { command: 'x', seconds: 0 } }), 'timeout'],
    [
      'a time of 1.5',
      sessionSettings({ canary: 'c', paths, stop: { command: 'x', seconds: 1.5 } }),
      'timeout',
    ],
    [
      'no time',
      sessionSettings({ canary: 'c', paths, stop: { command: 'x', seconds: Number.NaN } }),
      'timeout',
    ],
    ['an unknown event', { ...plain, hooks: { ...plain.hooks, Stopp: [{ hooks: [command] }] } }, 'Stopp'],
    ['an unknown key', { ...plain, permissions: { deny: 'Bash' } }, 'permissions'],
    [
      'a missing hook',
      { ...plain, hooks: { SessionStart: plain.hooks.SessionStart } },
      'hooks.PostToolBatch',
    ],
    ['an attribution', { ...plain, attribution: { commit: 'x', pr: '' } }, 'attribution.commit'],
    ['a list', [], 'the object itself'],
    ['a text', '{}', 'the object'],
    ['nothing', null, 'the object'],
  ])('T37, D4: %s is refused and named, since the CLI would drop the whole silently', (_, value, place) => {
    expect(() => settingsText(value)).toThrow(place)
  })
})

describe('the note hook', () => {
  it.each(['plain', 'with blank', "it's", '$(touch x) `id` "q"', '-rf', 'é中'])(
    'hands over a note in a folder named %j once',
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'ralph-note-'))
      const note = join(folder, name)
      const settings = sessionSettings({ canary: 'c', paths: { note, taken: `${note}.taken` }, stop: null })
      const command = settings.hooks.PostToolBatch[0]?.hooks[0]?.command ?? ''
      const run = () => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
      expect(run()).toBe('')
      writeFileSync(note, noteText('Half of the turns are used.'))
      expect(JSON.parse(run())).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PostToolBatch',
          additionalContext: 'Half of the turns are used.',
        },
      })
      expect(run()).toBe('')
      expect(existsSync(join(folder, 'x'))).toBe(false)
      rmSync(folder, { recursive: true })
    },
  )

  it('quotes any word', () => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted("a'b\n$x")}`], { encoding: 'utf8' })).toBe(
      "a'b\n$x",
    )
  })
})
