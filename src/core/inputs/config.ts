import type { Bounds } from '../ledger.ts'
import type { StopReason } from '../stop.ts'
import type { Identity } from './git-kinds.ts'
import type { Problem } from './input.ts'
import { refuse } from './input-kinds.ts'
import { allInputs, inputs } from './inputs.ts'
import { type RawInputs, rawInputs } from './raw-inputs.ts'

export type Task = { kind: 'text'; text: string } | { kind: 'file'; path: string }

export type VerifierConfig = {
  command: string
  /** Names of variables that the verifier gets although they look like secrets. */
  env: readonly string[]
  timeoutMillis: number
  confirmations: 'auto' | number
  /** Pattern of JUnit files, relative to the repository's root; null: none are written. */
  report: string | null
  tests: 'additive' | 'frozen' | 'free'
  protectedPaths: readonly string[]
}

export type AgentConfig = {
  /** Null stands for Claude Code's own choice, in all of these. */
  model: string | null
  fallbackModel: string | null
  effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  allowedTools: readonly string[] | null
  /** In addition to what is always denied. */
  disallowedTools: readonly string[]
  /** Absolute; null: the installed one. */
  path: string | null
  args: readonly string[]
  baseUrl: string | null
}

export type GitConfig = { token: string | null; branch: string | null; base: string | null; author: Identity }

/** What the model is paid with. */
export type Credential = { kind: 'api-key' | 'subscription'; value: string }

/** All inputs of a run, checked. Spans of time are in milliseconds, `windDownAt` in percent. */
export type Config = {
  task: Task
  goal: 'auto' | 'green' | 'change'
  verifier: VerifierConfig
  bounds: Bounds & { idleMillis: number; windDownAt: number }
  agent: AgentConfig
  git: GitConfig
  credential: Credential
  /** The stop reasons that fail the step; null: the default of each. */
  failOn: readonly StopReason[] | null
  /** Relative to the repository's root, `.` for the root itself. */
  workingDirectory: string
  dryRun: boolean
  uploadTranscript: boolean
  /** Sentences a person should read; nothing in them stops the run. */
  warnings: readonly string[]
}

/** Every problem of the inputs at once, or the configuration. Text that is empty or blank counts as not given. */
export const parseConfig = (
  raw: Readonly<Record<string, string>>,
): { ok: true; config: Config } | { ok: false; problems: readonly Problem[] } => {
  const from = rawInputs(raw, allInputs)
  const config = configOf(from)
  const problems = from.problems()
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config }
}

/** Reads every input once, in the order of the declaration; with problems the result is not to be used. */
const configOf = (from: RawInputs): Config => {
  const task = taskOf(from)
  const goal = from.take(inputs.goal)
  const verifier = verifierOf(from)
  const bounds = boundsOf(from)
  const credential = credentialOf(from)
  const agent = agentOf(from)
  const git = gitOf(from)
  const failOn = from.take(inputs.failOn)
  return {
    task,
    goal,
    verifier,
    bounds: { ...bounds, usdEnforced: credential.kind === 'api-key' || from.has(inputs.budgetUsd) },
    agent,
    git,
    credential,
    failOn: failOn === 'none' ? [] : failOn,
    workingDirectory: from.take(inputs.workingDirectory),
    dryRun: from.take(inputs.dryRun),
    uploadTranscript: from.take(inputs.uploadTranscript),
    warnings: warningsOf(verifier, agent),
  }
}

const taskOf = (from: RawInputs): Task => {
  const text = from.take(inputs.task)
  const path = from.take(inputs.taskFile)
  const both = from.has(inputs.task) && from.has(inputs.taskFile)
  if (both) from.complain(inputs.taskFile, 'task and task-file are both given. Leave one of them out.')
  if (!from.has(inputs.task) && !from.has(inputs.taskFile)) {
    const { example } = inputs.task
    from.complain(
      inputs.task,
      `task is not given. Say what is to be done, for example \`task: ${example}\`, or name a file by \`task-file\`.`,
    )
  }
  return path === null ? { kind: 'text', text: text ?? '' } : { kind: 'file', path }
}

const verifierOf = (from: RawInputs): VerifierConfig => {
  const command = from.take(inputs.verify) ?? ''
  if (!from.has(inputs.verify))
    from.complain(
      inputs.verify,
      'verify is not given. Name the command that judges the work, for example `verify: npm test`.',
    )
  if (/^none$/i.test(command))
    from.refuse(inputs.verify, refuse('leaves nobody to judge the work, so that no run could succeed'))
  return {
    command,
    env: from.take(inputs.verifyEnv) ?? [],
    timeoutMillis: from.take(inputs.verifyTimeout),
    confirmations: from.take(inputs.confirmations),
    report: from.take(inputs.testReport),
    tests: from.take(inputs.tests),
    protectedPaths: from.take(inputs.protectedPaths) ?? [],
  }
}

/** What saving and reporting need after the run's own end and before GitHub kills the job: 5 minutes. */
const reserve = 5 * 60_000
const minute = 60_000

const boundsOf = (from: RawInputs): Omit<Config['bounds'], 'usdEnforced'> => {
  const iterations = from.take(inputs.maxIterations)
  const turnsPerIteration = from.take(inputs.maxTurns)
  const turns = from.take(inputs.budgetTurns) ?? iterations * turnsPerIteration
  const usd = from.take(inputs.budgetUsd)
  const budget = from.take(inputs.budgetMinutes)
  const job = from.take(inputs.jobTimeout)
  const millis = job === null ? budget : Math.min(budget, job - reserve)
  if (millis < minute)
    from.refuse(
      inputs.jobTimeout,
      refuse('leaves less than a minute to work, as 5 minutes of the job are kept for saving the work', {
        fix: "Raise the job's `timeout-minutes` and give the same number here, for example `job-timeout-minutes: 60`.",
      }),
    )
  const idleMillis = from.take(inputs.idleMinutes)
  return {
    iterations,
    turnsPerIteration,
    turns,
    usd,
    millis,
    idleMillis,
    windDownAt: from.take(inputs.windDownAt),
  }
}

const credentialOf = (from: RawInputs): Credential => {
  const key = from.take(inputs.apiKey)
  const token = from.take(inputs.oauthToken)
  const hasKey = from.has(inputs.apiKey)
  const hasToken = from.has(inputs.oauthToken)
  if (hasKey && hasToken)
    from.complain(
      inputs.oauthToken,
      'anthropic-api-key and claude-code-oauth-token are both given, and only one can pay. Leave one of them out.',
    )
  if (!hasKey && !hasToken)
    from.complain(
      inputs.apiKey,
      `anthropic-api-key is not set, nor is claude-code-oauth-token. Store the key as a secret of the repository and give \`anthropic-api-key: ${inputs.apiKey.example}\`. GitHub gives no secrets to runs from forks, so there it is always empty.`,
    )
  return key === null ? { kind: 'subscription', value: token ?? '' } : { kind: 'api-key', value: key }
}

const agentOf = (from: RawInputs): AgentConfig => ({
  baseUrl: from.take(inputs.baseUrl),
  model: from.take(inputs.model),
  fallbackModel: from.take(inputs.fallbackModel),
  effort: from.take(inputs.effort),
  allowedTools: from.take(inputs.allowedTools),
  disallowedTools: from.take(inputs.disallowedTools) ?? [],
  path: from.take(inputs.claudePath),
  args: from.take(inputs.claudeArgs) ?? [],
})

const gitOf = (from: RawInputs): GitConfig => {
  const token = from.take(inputs.githubToken)
  const branch = from.take(inputs.branch)
  const base = from.take(inputs.base)
  if (branch !== null && branch.toLowerCase() === base?.toLowerCase())
    from.refuse(
      inputs.branch,
      refuse('is the base as well, and the base is never touched', {
        fix: 'Give the work a branch of its own, for example `branch: ralph/fix-api`.',
      }),
    )
  return { token, branch, base, author: from.take(inputs.author) }
}

const warningsOf = (verifier: VerifierConfig, agent: AgentConfig): string[] => {
  const warnings: string[] = []
  // F15: pipefail does not help against a fallback that always succeeds.
  const [, fallback] =
    /((?:^|\|\||;|\n)\s*(?:(?:\/bin\/)?true|:|exit 0))[;)\s]*$/.exec(verifier.command) ?? []
  if (fallback !== undefined)
    warnings.push(
      `verify ends in \`${fallback.trim()}\`, which can turn a failure into a pass. Take it out, so that the exit code of the tests decides.`,
    )
  for (const name of verifier.env.filter((each) => /^(GITHUB|GH)_TOKEN$/i.test(each)))
    warnings.push(
      `verify-env gives ${name} to the verifier, which runs code that the agent wrote. Give it a token that can only read.`,
    )
  if (agent.fallbackModel !== null && agent.fallbackModel === agent.model)
    warnings.push(
      'fallback-model is the same as model and has no effect. Name another model, or leave it out.',
    )
  return warnings
}
