/** Why a push was refused, as far as it matters to what is done next. */
export type RefusalClass =
  | 'rules'
  | 'protected'
  | 'workflows'
  | 'moved'
  | 'auth'
  | 'hook'
  | 'too-large'
  | 'unreachable'
  | 'unknown'

/** What it means to a person, and what helps. */
export const refusalMeans: Readonly<Record<RefusalClass, string>> = {
  rules: 'A rule of the repository does not allow this push. Change the rule, or choose another `branch`.',
  protected: 'The branch is protected. Choose another `branch`.',
  workflows:
    'The commits change files in `.github/workflows`, which this GitHub token may not do. It needs the right `workflows: write`.',
  moved: 'The branch was moved by somebody else during this run, and what is there is not overwritten.',
  auth: 'The GitHub token was not accepted: it has expired (the token of an app lives for one hour), or it lacks `contents: write`.',
  hook: 'A hook of the remote refused the push.',
  'too-large': 'A file is too large for the remote.',
  unreachable: 'The remote could not be reached.',
  unknown: 'The push failed.',
}

/** What servers are known to say, the first match counts; the last rows are what any server says of anything. */
const texts: readonly [RegExp, RefusalClass][] = [
  [/GH013|repository rule violations|push declined due to repository rule/i, 'rules'],
  [/refusing to allow .* to create or update workflow/i, 'workflows'],
  [
    /GH001|this exceeds .* file size limit|exceeds maximum allowed size|large files detected|HTTP 413|error: 413/i,
    'too-large',
  ],
  [/GH006|protected branch/i, 'protected'],
  [
    /\((stale info|fetch first|non-fast-forward|already exists|remote ref updated since checkout)\)/i,
    'moved',
  ],
  [/cannot lock ref|reference already exists|failed to update ref|incorrect old value provided/i, 'moved'],
  [/GH008|unknown Git LFS objects|hook declined/i, 'hook'],
  [
    /authentication failed|could not read (username|password)|invalid username or (token|password)|error: 40[13]\b|bad credentials/i,
    'auth',
  ],
  [
    /permission to .* denied|write access to repository not granted|repository not found|error: 404\b|permission denied \(publickey/i,
    'auth',
  ],
  [
    /could not resolve|failed to connect|connection (refused|reset|timed out)|network is unreachable|operation timed out/i,
    'unreachable',
  ],
  [
    /error: 5\d\d|error: 429\b|RPC failed|early EOF|unexpected disconnect|hung up unexpectedly|empty reply|transfer closed/i,
    'unreachable',
  ],
  [
    /gnutls|SSL|TLS|unable to access|does not appear to be a git repository|could not read from remote/i,
    'unreachable',
  ],
]

export type PushAnswer = { code: number; timedOut: boolean; stdout: string; stderr: string }

/** Longest text that is kept of a refusal, in characters. */
const longest = 4000

/** What a push that failed says: the status lines of `--porcelain` first, then what the server and git wrote. */
export const refusalOf = ({
  timedOut,
  stdout,
  stderr,
}: PushAnswer): { class: RefusalClass; text: string } => {
  const status = stdout.split('\n').filter((line) => line.startsWith('!'))
  const said = stderr.split('\n').filter((line) => line.trim() !== '' && !/^(hint|To |Done)/.test(line))
  const text = [...said, ...status.map((line) => line.slice(2).replaceAll('\t', ' '))]
    .join('\n')
    .slice(0, longest)
  if (timedOut) return { class: 'unreachable', text: `The remote did not answer in time.\n${text}`.trim() }
  const found = texts.find(([pattern]) => pattern.test(`${stderr}\n${status.join('\n')}`))
  return { class: found?.[1] ?? 'unknown', text: text === '' ? 'The remote gave no reason.' : text }
}
