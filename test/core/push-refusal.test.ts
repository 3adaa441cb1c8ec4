import { describe, expect, test } from 'vitest'
import { type RefusalClass, refusalOf } from '../../src/core/push-refusal.ts'

const answer = (stderr: string, status = '', timedOut = false) =>
  refusalOf({ code: 1, timedOut, stdout: `To https://github.com/o/r\n${status}\nDone\n`, stderr })

const rejected = (why: string) => `!\t3f9a0c:refs/heads/ralph/x\t[remote rejected] (${why})`

const known: [RefusalClass, string, string][] = [
  [
    'rules',
    'remote: error: GH013: Repository rule violations found for refs/heads/ralph/x.\nremote: - Commits must have verified signatures.\nremote:',
    rejected('push declined due to repository rule violations'),
  ],
  [
    'rules',
    'remote: error: GH013: Repository rule violations found for refs/heads/ralph/x.\nremote: - GITHUB PUSH PROTECTION\nremote:   - Push cannot contain secrets',
    rejected('push declined due to repository rule violations'),
  ],
  [
    'protected',
    'remote: error: GH006: Protected branch update failed for refs/heads/ralph/x.\nremote: error: Cannot force-push to this branch',
    rejected('protected branch hook declined'),
  ],
  [
    'workflows',
    '',
    rejected(
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
    ),
  ],
  [
    'workflows',
    '',
    rejected(
      'refusing to allow a Personal Access Token to create or update workflow `.github/workflows/x.yml` without `workflow` scope',
    ),
  ],
  [
    'too-large',
    "remote: error: File big.bin is 120.00 MB; this exceeds GitHub's file size limit of 100.00 MB\nremote: error: GH001: Large files detected.",
    rejected('pre-receive hook declined'),
  ],
  [
    'too-large',
    'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up unexpectedly',
    '',
  ],
  [
    'too-large',
    'remote: fatal: pack exceeds maximum allowed size (2.00 GiB)\nerror: remote unpack failed: index-pack abnormal exit',
    rejected('failed'),
  ],
  ['moved', '', '!\t3f9a0c:refs/heads/ralph/x\t[rejected] (stale info)'],
  ['moved', '', '!\t3f9a0c:refs/heads/ralph/x\t[rejected] (fetch first)'],
  [
    'moved',
    "remote: error: cannot lock ref 'refs/heads/ralph/x': is at 1 but expected 2",
    rejected('failed to update ref'),
  ],
  ['hook', 'remote: pre-receive: no pushes on Fridays', rejected('pre-receive hook declined')],
  [
    'hook',
    'remote: error: GH008: Your push referenced at least 1 unknown Git LFS object',
    rejected('pre-receive hook declined'),
  ],
  ['auth', "fatal: Authentication failed for 'https://github.com/o/r/'", ''],
  ['auth', "fatal: could not read Username for 'https://github.com': terminal prompts disabled", ''],
  [
    'auth',
    "remote: Permission to o/r.git denied to github-actions[bot].\nfatal: unable to access 'https://github.com/o/r/': The requested URL returned error: 403",
    '',
  ],
  [
    'auth',
    "remote: Write access to repository not granted.\nfatal: unable to access 'https://github.com/o/r/': The requested URL returned error: 403",
    '',
  ],
  ['auth', "remote: Repository not found.\nfatal: repository 'https://github.com/o/r/' not found", ''],
  [
    'auth',
    'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    '',
  ],
  [
    'unreachable',
    "fatal: unable to access 'https://github.com/o/r/': Could not resolve host: github.com",
    '',
  ],
  [
    'unreachable',
    "fatal: unable to access 'https://github.com/o/r/': Failed to connect to github.com port 443",
    '',
  ],
  [
    'unreachable',
    "fatal: unable to access 'https://github.com/o/r/': The requested URL returned error: 502",
    '',
  ],
  [
    'unreachable',
    'error: RPC failed; curl 56 Recv failure: Connection reset by peer\nfatal: the remote end hung up unexpectedly',
    '',
  ],
  [
    'unreachable',
    "fatal: '/gone.git' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    '',
  ],
]

describe('R9: what a remote says, in classes', () => {
  test.each(known)('%s: %s %s', (kind, stderr, status) => {
    const refusal = answer(stderr, status)
    expect(refusal.class).toBe(kind)
    expect(refusal.text).toContain(stderr.split('\n')[0])
  })

  test.each([
    ['remote: something new', rejected('because')],
    ['', rejected('shallow update not allowed')],
    ['fatal: bad object 3f9a0c', ''],
    ['remote: Ihr Zugriff wurde verweigert', ''],
    ['', ''],
  ])('unknown, with its text: %s %s', (stderr, status) => {
    const refusal = answer(stderr, status)
    expect(refusal.class).toBe('unknown')
    expect(refusal.text).not.toBe('')
  })

  test('a limit of ours is a remote that cannot be reached', () => {
    expect(answer('', '', true)).toMatchObject({
      class: 'unreachable',
      text: 'The remote did not answer in time.',
    })
  })

  test('a long answer is cut', () =>
    expect(answer('remote: x\n'.repeat(10_000)).text.length).toBeLessThanOrEqual(4000))
})
