import type { Json } from './expressions.ts'

/**
 * The `github` and `runner` contexts, and the variables the runner makes of them.
 * Source: actions/runner GitHubContext and RunnerContext.
 */
export type Context = Record<string, Json>

export const defaultGithub = (workspace: string): Context => ({
  action: '__self',
  actor: 'octocat',
  actor_id: '1',
  api_url: 'https://api.github.com',
  base_ref: '',
  event: {},
  event_name: 'workflow_dispatch',
  graphql_url: 'https://api.github.com/graphql',
  head_ref: '',
  job: 'ralph',
  ref: 'refs/heads/main',
  ref_name: 'main',
  ref_protected: false,
  ref_type: 'branch',
  repository: 'octo/demo',
  repository_id: '2',
  repository_owner: 'octo',
  repository_owner_id: '3',
  retention_days: '90',
  run_attempt: '1',
  run_id: '1000',
  run_number: '1',
  server_url: 'https://github.com',
  sha: '0123456789abcdef0123456789abcdef01234567',
  token: 'ghs_rigtoken0123456789abcdefghijklmnopqrs',
  triggering_actor: 'octocat',
  workflow: 'ralph',
  workflow_ref: 'octo/demo/.github/workflows/ralph.yml@refs/heads/main',
  workflow_sha: '0123456789abcdef0123456789abcdef01234567',
  workspace,
})

/** The entries of `github` that become GITHUB_… variables; `token` and `event` do not. */
const exported = new Set([
  ...[
    'action',
    'action_path',
    'action_ref',
    'action_repository',
    'actor',
    'actor_id',
    'api_url',
    'base_ref',
    'env',
  ],
  ...['event_name', 'event_path', 'graphql_url', 'head_ref', 'job', 'output', 'path', 'ref', 'ref_name'],
  ...['ref_protected', 'ref_type', 'repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
  ...['retention_days', 'run_attempt', 'run_id', 'run_number', 'server_url', 'sha', 'state', 'step_summary'],
  ...['triggering_actor', 'workflow', 'workflow_ref', 'workflow_sha', 'workspace'],
])

/** They win over variables of the same name in `env:`. Numbers, objects and null are no variables. */
export const contextVariables = (github: Context, runner: Record<string, string>): Record<string, string> => {
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(github)) {
    if (exported.has(name) && (typeof value === 'string' || typeof value === 'boolean')) {
      variables[`GITHUB_${name.toUpperCase()}`] = String(value)
    }
  }
  for (const [name, value] of Object.entries(runner)) variables[`RUNNER_${name.toUpperCase()}`] = value
  return variables
}
