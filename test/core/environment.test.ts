import { describe, expect, test } from 'vitest'
import { withhold } from '../../src/core/environment.ts'

const isKept = (name: string, value = 'some-value'): boolean =>
  name in withhold({ [name]: value }).environment

// biome-ignore format: a table reads better
const kept = [
  'PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TERM', 'TMPDIR', 'PWD', 'OLDPWD', 'SHLVL', 'HOSTNAME', 'DISPLAY', 'ENV', 'NODE_ENV', 'RAILS_ENV',
  'CARGO_HOME', 'RUSTUP_HOME', 'JAVA_HOME', 'JAVA_HOME_21_X64', 'GOPATH', 'GOROOT', 'GOFLAGS', 'MAVEN_OPTS', 'M2_HOME', 'GRADLE_HOME', 'GRADLE_OPTS', 'PYTHONPATH',
  'VIRTUAL_ENV', 'pythonLocation', 'PNPM_HOME', 'NVM_DIR', 'GEM_HOME', 'DOTNET_ROOT', 'ANDROID_HOME', 'LD_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'CONDA', 'AGENT_TOOLSDIRECTORY',
  'RUNNER_TRACKING_ID', 'RUNNER_TEMP', 'RUNNER_OS', 'RUNNER_ARCH', 'RUNNER_TOOL_CACHE', 'CI', 'GITHUB_ACTIONS', 'GITHUB_SHA', 'GITHUB_REPOSITORY', 'GITHUB_REF_NAME',
  'GITHUB_WORKSPACE', 'GITHUB_RUN_ID', 'GITHUB_SERVER_URL', 'GITHUB_API_URL', 'GITHUB_JOB', 'GITHUB_ACTOR', 'GITHUB_ACTION_PATH', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE',
  'HTTP_PROXY', 'https_proxy', 'NO_PROXY', 'DATABASE_HOST', 'PGHOST', 'PGUSER', 'REDIS_URL', 'TOKENIZERS_PARALLELISM', 'PATTERN', 'KEYBOARD', 'MONKEY', 'AUTHOR',
  'AUTHOR_NAME', 'COMPASS', 'PASSENGER_ROOT', 'CACHE_KEY', 'PUBLIC_KEY', 'DEBUG', 'FORCE_COLOR', 'npm_config_registry', 'COREPACK_HOME', 'PLAYWRIGHT_BROWSERS_PATH',
]

// biome-ignore format: a table reads better
const withheld = [
  'GITHUB_TOKEN', 'GH_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_RUNTIME_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_CACHE_URL',
  'ACTIONS_RESULTS_URL', 'INPUT_TASK', 'INPUT_GITHUB-TOKEN', 'RALPH_INPUTS', 'RALPH_PLACE', 'SYSTEM_RUNTIME_TOKEN',
  'NPM_TOKEN', 'NODE_AUTH_TOKEN', 'npm_config__authToken', 'npm_config_//registry.example.com/:_authToken', 'PYPI_TOKEN', 'CODECOV_TOKEN', 'VAULT_TOKEN', 'CARGO_REGISTRY_TOKEN',
  'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_BEARER_TOKEN_BEDROCK',
  'OPENAI_API_KEY', 'GEMINI_APIKEY', 'STRIPE_KEY', 'DEPLOY_KEY', 'RAILS_MASTER_KEY', 'SECRET_KEY_BASE', 'GPG_PRIVATE_KEY', 'SSH_KEY', 'KEY', 'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_GHA_CREDS_PATH', 'AZURE_CLIENT_SECRET', 'AZURE_STORAGE_CONNECTION_STRING', 'AZURE_CREDENTIALS', 'DB_PASSWORD', 'PGPASSWORD', 'POSTGRES_PASSWORD', 'MYSQL_PWD', 'DB_PASS',
  'GPG_PASSPHRASE', 'SENTRY_DSN', 'SLACK_WEBHOOK_URL', 'SLACK_WEBHOOK', 'REDISCLI_AUTH', 'DOCKER_AUTH_CONFIG', 'PERSONAL_PAT', 'KUBECONFIG', 'SESSION_COOKIE',
  'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'CLAUDECODE', 'CLAUDE_CODE_USE_BEDROCK',
  'NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'BASH_ENV', 'BASH_FUNC_npm%%', 'LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GIT_DIR', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL',
  'GIT_ASKPASS', 'SSH_ASKPASS', 'SSH_AUTH_SOCK',
  'github_token', 'Gh_Token', 'anthropic_api_key', 'Npm_Token', 'db_password', 'git_dir', 'ld_preload', 'actions_runtime_token',
]

test.each(kept)('%s is kept', (name) => expect(isKept(name)).toBe(true))
test.each(withheld)('F62: %s is withheld', (name) => expect(isKept(name)).toBe(false))

describe('values', () => {
  // Put together here, so that no scanner takes this file for a leak.
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789ABCD'
  test.each([
    ['a GitHub token', `ghp_${letters}`],
    ['a token of a GitHub App', `ghs_${letters}`],
    ['a fine-grained GitHub token', `github_pat_${letters}`],
    ['a GitLab token', `glpat-${letters}`],
    ['an Anthropic key', `sk-ant-${letters}`],
    ['an OpenAI key', `sk-${letters}`],
    ['a Stripe key', `sk_live_${letters}`],
    ['an AWS key', `AKIA${'ABCDEFGHIJ234567'}`],
    ['a temporary AWS key', `ASIA${'ABCDEFGHIJ234567'}`],
    ['a Google key', `AIza${letters.slice(0, 35)}`],
    ['a Slack token', `xoxb-${letters}`],
    ['an npm token', `npm_${letters.slice(0, 36)}`],
    ['a web token', `eyJ${letters}.eyJ${letters}.${letters}`],
    ['a private key', `-----BEGIN ${'RSA '}PRIVATE KEY-----\n${letters}`],
    ['a key inside JSON', `{"url":"x","token":"ghp_${letters}"}`],
    ['a password in an address', 'postgres://app:hunter2@db.example.com:5432/app'],
    ['a password in an address without a user', 'redis://:hunter2@cache.example.com'],
    ['a password in the second of two addresses', 'http://localhost, https://me:pw@example.com/x'],
    ['a password in an address that only begins like this machine', 'http://a:b@localhost.example.com'],
  ])('%s is withheld under any name', (_, value) => {
    expect(isKept('SETTING', value)).toBe(false)
    expect(withhold({ SETTING: value }).names).toEqual(['SETTING'])
  })
  test.each([
    ['a database on this machine', 'DATABASE_URL', 'postgres://postgres:postgres@localhost:5432/test'],
    ['a database on this machine by number', 'DATABASE_URL', 'mysql://root:root@127.0.0.1/test'],
    ['a database on this machine by IPv6', 'DATABASE_URL', 'mysql://root:root@[::1]:3306/test'],
    ['an address without a password', 'DATABASE_URL', 'postgres://app@db.example.com/app'],
    ['an address with an at sign in its path', 'PAGE', 'https://example.com:8080/@scope/name'],
    [
      'a proxy with its password, without which nothing is reached',
      'HTTPS_PROXY',
      'http://me:pw@proxy.example.com:3128',
    ],
    ['a word that begins like a key', 'THEME', 'sk-dark'],
    ['an empty password', 'DB_PASSWORD', ''],
    ['a switch that is called like a secret', 'ALLOW_EMPTY_PASSWORD', 'yes'],
    ['a number that is called like a secret', 'MAX_TOKENS', '4096'],
  ])('%s is kept', (_, name, value) => expect(isKept(name, value)).toBe(true))
  test('what can command the runner is withheld with any value', () => {
    expect(isKept('GITHUB_ENV', '')).toBe(false)
    expect(isKept('ACTIONS_STEP_DEBUG', 'true')).toBe(false)
  })
})

describe('verify-env', () => {
  const step = { PATH: '/bin', DB_PASSWORD: 'hunter2', db_password: 'other', NPM_TOKEN: 'abc' }
  test('gives back by the exact name', () => {
    const { environment, names } = withhold(step, ['DB_PASSWORD', 'NOT_THERE'])
    expect(environment).toEqual({ PATH: '/bin', DB_PASSWORD: 'hunter2', CI: 'true' })
    expect(names).toEqual(['NPM_TOKEN', 'db_password'])
  })
})

test('the names of what was withheld come sorted and without values', () =>
  expect(withhold({ NPM_TOKEN: 'hunter2', PATH: '/bin', GH_TOKEN: 'hunter3' }).names).toEqual([
    'GH_TOKEN',
    'NPM_TOKEN',
  ]))

test('F16: CI is always true', () => expect(withhold({ CI: 'false' }).environment).toEqual({ CI: 'true' }))

test('a variable called __proto__ is a variable', () => {
  const { environment } = withhold(JSON.parse('{"__proto__":"x","PATH":"/bin"}'))
  expect(Object.entries(environment)).toContainEqual(['__proto__', 'x'])
  expect(Object.getPrototypeOf(environment)).toBe(Object.prototype)
})
