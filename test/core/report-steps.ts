import { fold } from '../../src/core/journal.ts'
import { decide } from '../../src/core/loop.ts'
import { figures } from '../../src/core/sentences.ts'
import type { SessionResult } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import type { Stop, StopReason } from '../../src/core/stop.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { aVerdict, begun, history, judged, saved, started, unchanged, worked } from './history.ts'

export type Step = Parameters<typeof history>[number]

/** As time passes in a real run: a session takes minutes. */
export const stateAfter = (...steps: Step[]): State =>
  fold(
    history(...steps).map((event) => ({
      ...event,
      at: event.at + ((event.at - 1_700_000_000_000) / 1000) * 52_000,
    })),
  )

/** A realistic run on GitHub, whose tests are known by name. */
export const facts = {
  url: 'https://github.com/acme/shop',
  runUrl: 'https://github.com/acme/shop/actions/runs/4711',
  repository: 'acme/shop',
  task: 'Make the failing tests in packages/api pass',
  title: 'Make the failing tests in packages/api pass',
  branch: 'ralph/make-the-failing-tests-in-packages-api-pass-3f9a1c',
  baseSha: '9d1f0c2ab34de56f7890a1b2c3d4e5f60718293a',
  tip: '9d1f0c2ab34de56f7890a1b2c3d4e5f60718293a',
  verifier: 'npm test',
  model: 'sonnet',
  confirmations: 3,
} as const
export const run = started(facts)

export const sha = (n: number): string => `${n}a7c4e9d2b815f60c3e1a9b7d4f2086e5c1b3a9${n}`.slice(0, 40)

export const names = [
  'cart › applies a percentage discount',
  'cart › rejects a negative quantity',
  'orders › GET /orders/:id returns 404 for an unknown order',
  'orders › totals include shipping',
]

/** A verdict on 12 tests of which the last so many of `names` fail. */
export const verdict = (fails: number, more: Partial<Verdict> = {}): Verdict => {
  const failing = names.slice(0, fails)
  return aVerdict(fails === 0 ? 'pass' : 'fail', {
    basis: 'names',
    millis: 8400,
    tests: { passed: 12 - fails, failed: fails, skipped: 0, total: 12 },
    failing,
    signature: failing.join(),
    feedback: failing
      .map(
        (name, n) =>
          `not ok ${n + 1} - ${name}\n  expected 180\n  received 190\n    at test/cart.test.js:${20 + n}:3`,
      )
      .join('\n'),
    log: `logs/verify-${5 - fails}.log`,
    ...more,
  })
}

/** One iteration that left so many tests failing. */
export const step = (n: number, fails: number, session: Partial<SessionResult> = {}): Step => [
  begun(n),
  worked({
    turns: 14 + n,
    costUsd: 0.31 + n / 50,
    millis: 180_000 + n * 7000,
    detail: `It ended by itself after ${14 + n} turns.`,
    ...session,
  }),
  saved(`t${n}`, { commit: sha(n), files: n, insertions: 12 * n, deletions: 3 + n }),
  { type: 'pushed', sha: sha(n) },
  judged(`t${n}`, verdict(fails)),
]
export const idle = (n: number, session: Partial<SessionResult> = {}): Step => [
  begun(n),
  worked(session),
  unchanged('base-tree'),
]

export const says = (fields: string) => ({ text: `---RALPH_STATUS---\n${fields}\n---END_RALPH_STATUS---` })

export const denials = [
  { tool: 'Bash', input: 'npm install left-pad' },
  { tool: 'Bash', input: 'cat package.json | grep "a|b"' },
  { tool: 'WebFetch', input: 'https://example.org/@scope/doc' },
  { tool: 'Write', input: '.github/workflows/ci.yml' },
]

/** What the loop itself decides after a history. */
export const ended = (...steps: Step[]): { state: State; stop: Stop } => {
  const decision = decide(stateAfter(...steps))
  if (decision.do !== 'stop') throw new Error(`The history goes on with ${decision.do}.`)
  return { state: stateAfter(...steps, { type: 'stopped', stop: decision.stop }), stop: decision.stop }
}

/** A stop that the loop does not reach yet, after a history. */
export const told = (reason: StopReason, detail: string, ...steps: Step[]): { state: State; stop: Stop } => {
  const stop = { reason, detail: `${detail} ${figures(stateAfter(...steps))}` }
  return { state: stateAfter(...steps, { type: 'stopped', stop }), stop }
}
