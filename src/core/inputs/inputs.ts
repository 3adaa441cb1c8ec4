import { stopReasons } from '../stop.ts'
import { baseUrl, environmentName, model, toolRule } from './agent-kinds.ts'
import { claudeArgs } from './claude-args.ts'
import { existingBranch, identity, loopBranch } from './git-kinds.ts'
import { expression, type Input, optional, withDefault } from './input.ts'
import * as kinds from './input-kinds.ts'
import { absolutePath, glob, narrowGlob, relativePath } from './path-kinds.ts'

/** GitHub's own bot, so that commits link to its account. */
const bot = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>'

/** F3: Claude Code counts the reply that calls a tool, so a cap of 1 ends before the agent can read its result. */
const oneTurn = ': a session of one turn ends before the agent can read the result of its first tool call'

const subscriptionToken = (value: string): string | null =>
  value.startsWith('sk-ant-oat')
    ? 'is the token of a subscription; give it as `claude-code-oauth-token`'
    : null

const consoleKey = (value: string): string | null =>
  value.startsWith('sk-ant-api') ? 'is an API key; give it as `anthropic-api-key`' : null

/** A success that fails the step would be of use to nobody. */
const failing = stopReasons.filter((reason) => reason !== 'SUCCESS')

/**
 * Every input of the action and every flag of the command line, in the order in which people see them. action.yml, the
 * README and `Config` come from here. To add one: declare it here, give it a field in `Config`, fill the field.
 */
export const inputs = {
  task: optional('task', kinds.text('a task', 65_536), {
    description: 'What to do, in plain words. Give this or `task-file`.',
    example: 'Make the failing tests in packages/api pass',
    main: true,
  }),
  taskFile: optional('task-file', relativePath('a text file'), {
    description: 'A file of the repository that holds the task, as it is on the base branch.',
    example: 'docs/task.md',
  }),
  goal: withDefault('goal', kinds.oneOf(['auto', 'green', 'change']), {
    description:
      'When the work is done. `green`: the verifier passes. `change`: it passes, something was changed, and the agent says that the task is complete. `auto`: `green` when the verifier fails on the base, else `change`.',
    example: 'change',
    default: 'auto',
  }),
  verify: optional('verify', kinds.text('a command', 8192), {
    description:
      'The command that judges the work, run by `bash -eo pipefail`. It passes when it exits with 0.',
    example: 'npm test',
    main: true,
  }),
  verifyEnv: optional('verify-env', kinds.list(environmentName, 'names of environment variables'), {
    description:
      'Environment variables to hand to the verifier although they look like secrets. The verifier runs code that the agent wrote.',
    example: 'DATABASE_URL, TEST_REGION',
  }),
  verifyTimeout: withDefault('verify-timeout-minutes', kinds.minutes(0.1, 360), {
    description: 'How long one verification may take.',
    example: '45',
    default: '30',
  }),
  confirmations: withDefault('confirmations', kinds.wordOr('auto', kinds.integer(1, 10)), {
    description:
      'How many verifications of the same tree must pass in all. `auto`: three when they fit the time left, else one.',
    example: '3',
    default: 'auto',
  }),
  testReport: optional('test-report', glob, {
    description: 'The JUnit XML files that the verifier writes. With them tests are known by name.',
    example: 'reports/**/*.xml',
    main: true,
    default: 'read from what the verifier prints',
  }),
  tests: withDefault('tests', kinds.oneOf(['additive', 'frozen', 'free']), {
    description:
      'What the agent may do to tests. `additive`: add new ones, existing ones are judged as they are on the base. `frozen`: nothing. `free`: anything.',
    example: 'frozen',
    default: 'additive',
  }),
  protectedPaths: optional(
    'protected-paths',
    kinds.list(narrowGlob, "patterns of paths, relative to the repository's root"),
    {
      description:
        'Further files that are judged as they are on the base. `.github/**`, the tests and their wiring always are.',
      example: 'scripts/check.sh, schemas/**',
    },
  ),
  maxIterations: withDefault('max-iterations', kinds.integer(1, 100), {
    description: 'How many iterations at most. Each is one fresh session, a commit and a verification.',
    example: '20',
    default: '10',
    main: true,
  }),
  maxTurns: withDefault('max-turns', kinds.integer(2, 500, oneTurn), {
    description: 'How many turns one iteration may take. A turn is one reply of the model.',
    example: '60',
    default: '40',
    main: true,
  }),
  budgetTurns: optional('budget-turns', kinds.integer(2, 50_000), {
    description: 'How many turns all iterations may take together.',
    example: '200',
    default: '`max-iterations` times `max-turns`',
  }),
  budgetUsd: withDefault('budget-usd', kinds.usd(10_000), {
    description:
      'How many US dollars the run may cost, as Claude Code reports them. With a subscription token it is a bound only when it is given.',
    example: '2.50',
    default: '5',
    main: true,
  }),
  budgetMinutes: withDefault('budget-minutes', kinds.minutes(1, 4320), {
    description: 'How long the run may take in all, verification included.',
    example: '90',
    default: '60',
    main: true,
  }),
  jobTimeout: optional('job-timeout-minutes', kinds.minutes(1, 43_200), {
    description:
      "The job's own `timeout-minutes`. When it is given, the run ends at least 5 minutes earlier, so that the work is saved.",
    example: '60',
  }),
  idleMinutes: withDefault('idle-minutes', kinds.minutes(1, 120), {
    description: 'A session that shows no sign of life for this long is ended and replaced.',
    example: '20',
    default: '12',
  }),
  windDownAt: withDefault('wind-down-at', kinds.integer(50, 95), {
    description:
      'From this percentage of the nearest budget on, the agent is told to finish and to write the handoff.',
    example: '75',
    default: '80',
  }),
  apiKey: optional('anthropic-api-key', kinds.secret('the API key alone', subscriptionToken), {
    description: 'Your Anthropic API key. Give this or `claude-code-oauth-token`.',
    example: expression('secrets.ANTHROPIC_API_KEY'),
    main: true,
    secret: true,
  }),
  oauthToken: optional('claude-code-oauth-token', kinds.secret('the token alone', consoleKey), {
    description: 'The token of a Claude subscription, made by `claude setup-token`.',
    example: expression('secrets.CLAUDE_CODE_OAUTH_TOKEN'),
    main: true,
    secret: true,
  }),
  baseUrl: optional('anthropic-base-url', baseUrl, {
    description: 'Another address of the Messages API: a gateway, or a server on this machine.',
    example: 'https://gateway.example.com',
    default: "Anthropic's own",
  }),
  model: optional('model', model, {
    description: 'The model that works.',
    example: 'sonnet',
    default: "Claude Code's own",
  }),
  fallbackModel: optional('fallback-model', model, {
    description: 'The model to use while the other one is overloaded.',
    example: 'haiku',
    default: 'none',
  }),
  effort: optional('effort', kinds.oneOf(['low', 'medium', 'high', 'xhigh', 'max']), {
    description: 'How much the model thinks.',
    example: 'high',
    default: "the model's own",
  }),
  allowedTools: optional('allowed-tools', kinds.list(toolRule, 'permission rules'), {
    description: 'What the agent may do, in place of the default. Everything else is denied.',
    example: 'Edit(./**), Bash(npm test *)',
    default: '`Bash` and `Edit(./**)`',
  }),
  disallowedTools: optional('disallowed-tools', kinds.list(toolRule, 'permission rules'), {
    description: "What the agent may not do, beside changing `.github/**` and the judge's files.",
    example: 'WebFetch, WebSearch',
  }),
  claudePath: optional('claude-path', absolutePath('Claude Code'), {
    description: 'Claude Code as you installed it, outside the checkout.',
    example: '/usr/local/bin/claude',
    default: 'the version that the action installs',
  }),
  claudeArgs: optional('claude-args', claudeArgs, {
    description:
      'Further arguments for Claude Code. Those that would undo the isolation or the bounds are refused.',
    example: `'["--betas", "context-1m"]'`,
  }),
  githubToken: optional('github-token', kinds.secret('the token alone'), {
    description: 'Pushes the branch. The agent never holds it.',
    example: expression('github.token'),
    main: true,
    secret: true,
    actionDefault: expression('github.token'),
    default: 'the token of the job',
  }),
  branch: optional('branch', loopBranch, {
    description: 'The branch for the work.',
    example: 'ralph/fix-api',
    default: '`ralph/` and a name made from the task',
  }),
  base: optional('base', existingBranch, {
    description: 'The branch the work starts from and is compared with.',
    example: 'develop',
    default: 'the branch that is checked out',
  }),
  author: withDefault('author', identity, {
    description: 'Author of the commits.',
    example: 'Ralph <ralph@example.com>',
    default: bot,
  }),
  failOn: optional('fail-on', kinds.wordOr('none', kinds.list(kinds.oneOf(failing), 'stop reasons')), {
    description: 'The stop reasons that fail the step, in place of the default.',
    example: 'BUDGET_EXHAUSTED, NO_PROGRESS',
    default: 'as listed with the stop reasons',
  }),
  workingDirectory: withDefault('working-directory', relativePath('a folder'), {
    description: 'The folder in which the verifier runs.',
    example: 'packages/api',
    default: '.',
  }),
  dryRun: withDefault('dry-run', kinds.boolean, {
    description: 'Check the inputs and judge the base, but start no session.',
    example: 'true',
    default: 'false',
  }),
  uploadTranscript: withDefault('upload-transcript', kinds.boolean, {
    description: "Put the sessions' transcripts into the record. They may show private code.",
    example: 'true',
    default: 'false',
  }),
} satisfies Record<string, Input<unknown>>

export const allInputs: readonly Input<unknown>[] = Object.values(inputs)
