import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/adapters/log.ts'
import { narrate } from '../../src/core/narrative.ts'
import { stopReasons, stopRow } from '../../src/core/stop.ts'
import { parseCommand } from '../rig/workflow-command.ts'
import {
  aVerdict,
  baseline,
  begun,
  confirmed,
  history,
  iteration,
  judged,
  pushed,
  saved,
  started,
  worked,
} from './history.ts'

const red = aVerdict('fail')
const green = aVerdict('pass')

/** The log of a history, as the runner or a terminal gets it. */
const logOf = (onActions: boolean, ...told: Parameters<typeof history>): string => {
  let text = ''
  const log = createLog((more) => {
    text += more
  }, onActions)
  for (const event of history(...told)) for (const line of narrate(event)) log.line(line)
  log.end()
  return text
}

const denials = [{ tool: 'Bash', input: 'npm install left-pad' }]
const leftOut = [{ path: '.env', why: 'holds a secret' }]

/** A run in which everything happens. */
const eventful: Parameters<typeof history> = [
  started({ ahead: 2, model: 'sonnet', warnings: ['The checkout keeps a token in its configuration.'] }),
  baseline(red),
  iteration(1, 't1', red, { detail: 'It ended by itself after 5 turns.', denials }),
  [
    begun(2),
    worked({
      end: 'crashed',
      detail: 'The CLI ended without a result (ended by SIGSEGV) after 1 turn.',
      turns: 1,
      costUsd: null,
      warnings: ['The CLI reported no cost.'],
    }),
  ],
  [saved('t2', { commit: null }), { type: 'waited', millis: 30_000, why: 'The API is overloaded.' }],
  [
    begun(2, 2),
    worked(),
    saved('t2', { leftOut, restored: ['test/a.test.js'], judgeTree: 'j2' }),
    pushed('t2'),
    judged('j2', green),
  ],
  [
    confirmed('j2', green),
    confirmed('j2', green, true),
    { type: 'sealed', commit: 'seal-of-j2', tree: 'j2' },
    { type: 'pushed', sha: 'seal-of-j2' },
  ],
  { type: 'stopped', stop: { reason: 'SUCCESS', detail: '3 of 3 verifications passed.' } },
]

test('a run on GitHub, as a narrative in groups', () => expect(logOf(true, ...eventful)).toMatchSnapshot())
test('a run in a terminal', () => expect(logOf(false, ...eventful)).toMatchSnapshot())
test('a run that is refused a push, cancelled, judged in place and paid by a subscription', () => {
  const bounds = { iterations: 1, turnsPerIteration: 2, turns: 2, usd: 5, usdEnforced: false, millis: 60_000 }
  expect(
    logOf(
      true,
      started({ place: 'in place', placeWhy: 'the workspace is a mount point', bounds }),
      {
        type: 'push-failed',
        why: 'rules',
        text: 'The remote refuses the branch by its rules.',
        bundle: 'work.bundle',
      },
      { type: 'cancelled', signal: 'SIGTERM' },
      { type: 'failed', reason: 'SETUP_FAILED', text: 'One problem.\nAnother one.' },
      { type: 'stopped', stop: { reason: 'SETUP_FAILED', detail: 'One problem.\nAnother one.' } },
    ),
  ).toMatchSnapshot()
})

test.each(stopReasons)('R105: %s is told with its sentence and who acts next', (reason) => {
  const log = logOf(true, { type: 'stopped', stop: { reason, detail: 'The figures.' } })
  const { sentence, next } = stopRow(reason)
  expect(log).toBe(
    `::group::Result\nSTOP_REASON: ${reason}\n${sentence}\nNext: ${next}\nThe figures.\n::endgroup::\n`,
  )
})

test('of many paths and calls the first are told, and how many more there are', () => {
  const many = <T>(item: (n: number) => T) => Array.from({ length: 12 }, (_, n) => item(n))
  const log = logOf(
    false,
    worked({ denials: many((n) => ({ tool: 'Bash', input: `x${n}` })) }),
    saved('t', { restored: many((n) => `p${n}`) }),
  )
  expect(log.match(/Denied: /g)).toHaveLength(10)
  expect(log.match(/… and 2 more/g)).toHaveLength(2)
})

/** Lines that the runner of GitHub takes for commands, wherever they end. */
const commandsIn = (output: string): string[] => {
  const names = new Set(
    'error warning notice debug group endgroup add-mask add-path set-env set-output save-state stop-commands add-matcher remove-matcher echo internal-set-repo-path'.split(
      ' ',
    ),
  )
  return output.split(/\r\n|\r|\n/).flatMap((line) => parseCommand(line, names)?.name ?? [])
}

describe('F66, T21: what agent and verifier write is no command to the runner', () => {
  const commands = [
    '::add-mask::e',
    '::error::x',
    '::error file=a,line=1::x',
    '::group::x',
    '::endgroup::',
    '::stop-commands::abc',
    '::set-output name=a::b',
    '##[error]y',
    '##[group]y',
    '##[add-mask]e',
    '::set-env name=LD_PRELOAD::/tmp/x.so',
    '::add-path::/tmp',
  ]
  const hostile = [
    ...commands,
    ...commands.slice(0, 6).map((command) => `text\r${command}`),
    ...commands.slice(0, 4).map((command) => `text\n  ${command}`),
    ...commands.slice(6, 10).map((command) => `partial ${command}`),
    '\u001b[31m::error::x',
    ':\u200b:error::x',
    '\u2028::error::x',
    '\u0085::error::x',
    ':::error::x',
    '#\u200b#[error]x',
    '\u00a0::error::x',
    '%0A::error::x',
  ]
  test.each(hostile)('%j', (text) => {
    const verdict = aVerdict('fail', { feedback: text, failing: [text], signature: text, log: text })
    const output = logOf(
      true,
      started({ title: text, branch: text, verifier: text, model: text, warnings: [text], placeWhy: text }),
      baseline(verdict),
      iteration(1, 't1', verdict, {
        detail: text,
        text,
        warnings: [text],
        denials: [{ tool: text, input: text }],
        model: text,
      }),
      [begun(2), worked(), saved('t2', { leftOut: [{ path: text, why: text }], restored: [text] })],
      { type: 'push-failed', why: 'rules', text, bundle: 'work.bundle' },
      { type: 'waited', millis: 1, why: text },
      { type: 'cancelled', signal: text },
      { type: 'failed', reason: 'SETUP_FAILED', text },
      { type: 'stopped', stop: { reason: 'BLOCKED', detail: text } },
    )
    const groups = ['Run', 'Baseline', 'Iteration 1', 'Iteration 2', 'Result']
    expect(commandsIn(output)).toEqual(groups.flatMap(() => ['group', 'endgroup']))
    expect(output.split('\n').filter((line) => line.startsWith('::group::'))).toEqual(
      groups.map((name) => `::group::${name}`),
    )
  })
  test('T35: no output of the verifier and no text of the agent is printed at all', () => {
    const output = logOf(
      true,
      started(),
      baseline(aVerdict('fail', { feedback: 'canary-1' })),
      iteration(1, 't1', red, { text: 'canary-2' }),
    )
    expect(output).not.toContain('canary')
  })
})
