import type { State } from '../../src/core/state.ts'
import type { Stop, StopReason } from '../../src/core/stop.ts'
import { aRun, baseline, begun, confirmed, judged, saved, started, unchanged, worked } from './history.ts'
import {
  denials,
  ended,
  facts,
  idle,
  run,
  type Step,
  says,
  sha,
  step,
  told,
  verdict,
} from './report-steps.ts'

const bounds = (more: object) => ({ ...facts, bounds: { ...aRun().bounds, ...more } })
const red = baseline(verdict(4))
const two = [run, red, step(1, 2), step(2, 1)]

const restored = [
  begun(2),
  worked({ turns: 9, costUsd: 0.2 }),
  saved('t2', {
    commit: sha(2),
    judgeTree: 'j2',
    restored: ['test/cart.test.js', 'package.json'],
    files: 4,
    insertions: 40,
    deletions: 12,
  }),
  { type: 'pushed' as const, sha: sha(2) },
  judged('j2', verdict(0)),
]

export const cases: Readonly<Record<StopReason, { state: State; stop: Stop }>> = {
  SUCCESS: ended(
    run,
    red,
    step(1, 2, { denials: denials.slice(0, 2) }),
    restored,
    confirmed('j2', verdict(0)),
    confirmed('j2', verdict(0), true),
    { type: 'sealed', commit: sha(3), tree: 'j2' },
    { type: 'pushed', sha: sha(3) },
  ),
  NOTHING_TO_DO: ended(started({ ...facts, goal: 'green' }), baseline(verdict(0))),
  BUDGET_EXHAUSTED: ended(
    started(bounds({ iterations: 3 })),
    red,
    step(1, 3),
    step(2, 2, { end: 'turns', detail: 'It stopped at its 40-turn limit, after 41 turns.', turns: 41 }),
    step(3, 1),
  ),
  JUDGE_CHANGED: told('JUDGE_CHANGED', 'Edited: test/cart.test.js.', run, red, step(1, 2), restored),
  CHECKPOINT: told('CHECKPOINT', '3 of 9 stories are done.', ...two),
  RATE_LIMITED: ended(...two, [
    begun(3),
    worked({
      end: 'rate-limited',
      detail: "The API's rate limit was reached (429): You have hit your limit",
      turns: 0,
      costUsd: null,
      resetAt: 1_700_020_000_000,
    }),
    unchanged('t2'),
  ]),
  PAUSED: told('PAUSED', 'NO_PROGRESS at 2a7c4e9, three times.', run, red),
  BRANCH_BUSY: told('BRANCH_BUSY', 'Run 4710 holds it until 2026-11-30 22:40 UTC.', run),
  CLOSED: told('CLOSED', 'Pull request 7 was merged.', ...two),
  NO_PROGRESS: ended(
    run,
    red,
    idle(1, { denials, detail: 'It ended by itself after 5 turns.' }),
    idle(2, { denials: denials.slice(0, 1) }),
  ),
  BLOCKED: ended(...two, [
    begun(3),
    worked(
      says(
        'STATUS: IN_PROGRESS\nBLOCKED: The tests need a sandbox key for the payment API, in `PAYMENTS_KEY`.',
      ),
    ),
    unchanged('t2'),
  ]),
  REPEATED_FAILURE: ended(run, red, step(1, 1), step(2, 1), step(3, 1)),
  BASELINE_RED: told('BASELINE_RED', '1 test fails here and on main.', ...two),
  REVIEW_REJECTED: told(
    'REVIEW_REJECTED',
    '2 of 2 rounds are used, 1 finding is open.',
    run,
    red,
    step(1, 1),
    step(2, 0),
  ),
  VERIFIER_BROKEN: ended(
    run,
    baseline(
      verdict(0, {
        kind: 'broken',
        cause: 'not started',
        exitCode: 127,
        tests: null,
        basis: 'exit code',
        feedback: 'bash: line 1: jest: command not found',
        log: 'logs/verify-1.log',
      }),
    ),
  ),
  VERIFIER_TAMPERED: told(
    'VERIFIER_TAMPERED',
    'Skipped: 1 test more than on the base.',
    run,
    red,
    step(1, 2),
    restored,
  ),
  CHANGE_REFUSED: told('CHANGE_REFUSED', 'A secret stands in src/debug.ts.', ...two),
  AUTH_FAILED: ended(run, red, [
    begun(1),
    worked({
      end: 'auth',
      detail: 'The API refused the credential (401).',
      turns: 0,
      costUsd: null,
      millis: 2100,
      model: '',
    }),
    unchanged('base-tree'),
  ]),
  API_UNAVAILABLE: ended(
    ...two,
    ...[1, 2, 3].flatMap((attempt): Step[] => [
      [
        begun(3, attempt),
        worked({
          end: 'unavailable',
          detail: 'The API could not be reached or did not answer as it should (529 overloaded).',
          turns: 0,
          costUsd: 0,
          millis: 31_000,
        }),
        unchanged('t2'),
      ],
      ...(attempt < 3
        ? [[{ type: 'waited' as const, millis: 30_000 * attempt, why: 'The API is overloaded.' }]]
        : []),
    ]),
  ),
  AGENT_FAILED: ended(
    run,
    red,
    ...[1, 2].map(
      (attempt): Step => [
        begun(1, attempt),
        worked({
          end: 'crashed',
          detail: 'The CLI ended without a result (ended by SIGSEGV) after 3 turns: panic at index.js',
          turns: 3,
          costUsd: null,
          warnings: ['The CLI printed 1 line that is no event: <img src=x> @octocat'],
        }),
        saved(`t${attempt}`, { commit: sha(attempt) }),
        { type: 'pushed', sha: sha(attempt) },
        judged(`t${attempt}`, verdict(4, { signature: `s${attempt}` })),
      ],
    ),
  ),
  PUSH_FAILED: ended(run, red, step(1, 2), [
    begun(2),
    worked({ turns: 12, costUsd: 0.4 }),
    saved('t2', {
      commit: sha(2),
      files: 2,
      insertions: 20,
      deletions: 4,
      leftOut: [
        { path: '.env.local', why: 'holds a secret' },
        { path: 'dump|1.bin', why: 'is larger than 50 MiB' },
      ],
    }),
    {
      type: 'push-failed',
      why: 'rules',
      text: 'The remote refuses the branch by its rules: GH013 “Commits must have verified signatures”.',
      bundle: 'work.bundle',
    },
  ]),
  SETUP_FAILED: ended({
    type: 'failed',
    reason: 'SETUP_FAILED',
    text: 'max-turns is "1", which is below 2: a session of one turn ends before the agent can read the result of its first tool call. Give a whole number from 2 to 500, for example `max-turns: 60`.\nanthropic-api-key is not set, nor is claude-code-oauth-token. Store the key as a secret of the repository and give `anthropic-api-key: ${{ secrets.ANTHROPIC_API_KEY }}`. GitHub gives no secrets to runs from forks, so there it is always empty.\nThere is no input "budget-eur". Did you mean `budget-usd`?',
  }),
  CANCELLED: ended(...two, { type: 'cancelled', signal: 'SIGINT' }),
}

export const oneIteration = ended(started({ ...facts, confirmations: 1 }), red, step(1, 0))

export const manyIterations = ended(
  started(bounds({ iterations: 30, usd: 20, turns: 1200 })),
  baseline(verdict(4, { tests: { passed: 10, failed: 90, skipped: 0, total: 100 } })),
  ...Array.from({ length: 30 }, (_, n): Step => {
    const tests = { passed: 12 + n * 2, failed: 88 - n * 2, skipped: 1, total: 101 }
    return [
      begun(n + 1),
      worked({ turns: 21, costUsd: 0.4 }),
      saved(`t${n}`, { commit: sha(n + 1) }),
      { type: 'pushed', sha: sha(n + 1) },
      judged(`t${n}`, verdict(4, { tests, signature: `s${n}` })),
    ]
  }),
)

const byExitCode = (exitCode: number) =>
  verdict(4, {
    tests: null,
    basis: 'exit code',
    failing: [],
    exitCode,
    signature: `exit ${exitCode}`,
    feedback: `make: *** [test] Error ${exitCode}`,
  })

/** Outside GitHub, without a remote, by exit code only, with a subscription. */
export const local = ended(
  started({
    ...aRun(),
    ...facts,
    url: '',
    runUrl: '',
    remote: false,
    model: '',
    place: 'in place',
    placeWhy: 'the ignored files are larger than 4 GB',
    bounds: { ...aRun().bounds, iterations: 2, usdEnforced: false },
    warnings: ['verify ends in `|| true`, which can turn a failure into a pass.'],
  }),
  baseline(byExitCode(1)),
  ...[1, 2].map(
    (n): Step => [
      begun(n),
      worked({ costUsd: n === 1 ? 0.12 : null, end: n === 1 ? 'completed' : 'minutes' }),
      saved(`t${n}`, { commit: sha(n) }),
      judged(`t${n}`, byExitCode(n)),
    ],
  ),
)
