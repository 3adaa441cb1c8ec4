import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { branch, bug, fix, judge, overHttp, programs, run } from './git-cases.ts'
import {
  type Acted,
  act,
  bash,
  claudePath,
  dummyKey,
  fixedAdd,
  root,
  say,
  session,
  stage,
  write,
} from './kit.ts'

const token = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz'

/** What a plain clone of a repository gets out of the record's bundle. */
const fetched = (from: string, { record }: Acted): string => {
  const clone = join(record, '../clone')
  run(record, 'clone', '-q', from, clone)
  run(clone, 'fetch', '-q', join(record, 'work.bundle'), `ralph-work:${branch}`)
  return run(clone, 'rev-parse', branch)
}

describe('a push that is refused', () => {
  test('F26: the GitHub token dies after the first push: nothing is lost, and the token is named', async () => {
    await using on = await stage({ files: bug, sessions: [session(write('a.md', '1'), say('x')), fix] })
    await using server = await overHttp(on, token)
    let pushes = 0
    server.intercept = ({ method, url }, response) => {
      const dead = pushes > 0
      if (method === 'POST' && url?.endsWith('/git-receive-pack')) pushes += 1
      if (dead) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="GitHub"' }).end()
      return dead
    }
    const ran = await act(on, { ...judge, 'github-token': token }, { secrets: [dummyKey, token] })
    expect(ran.outputs).toMatchObject({ 'stop-reason': 'PUSH_FAILED', success: 'false', iterations: '2' })
    expect(ran.conclusion).toBe('failure')
    const commits = ran.events.flatMap((event) =>
      event.type === 'checkpointed' ? [event.checkpoint.commit] : [],
    )
    expect(ran.pushed).toBe(commits[0])
    expect(ran.outputs['head-sha']).toBe(commits[1])
    expect(fetched(on.remote, ran)).toBe(commits[1])
    for (const text of [
      'PUSH_FAILED',
      '- The GitHub token was not accepted',
      'git fetch work.bundle',
      '\n- Used: 2 iterations',
    ])
      expect(ran.summary).toContain(text)
    expect(ran.annotations[0]?.message).toContain('GitHub token')
    expect(ran.log).not.toContain(token)
  })

  test('F26: the token dies and the job is cancelled: the last work is in the record', async () => {
    const busy = bash('node -e "setTimeout(() => {}, 60000)"')
    await using on = await stage({ files: bug, sessions: [session(write('a.md', '1'), busy)] })
    await using server = await overHttp(on, token)
    let dead = false
    server.intercept = (_, response) => {
      if (dead) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="GitHub"' }).end()
      return dead
    }
    const line = (_: unknown, text: string) => {
      dead ||= text.includes('Cancelled by')
    }
    const ran = await act(
      on,
      { ...judge, 'github-token': token },
      { cancelAt: { step: 'loop', line: /turn 2: Bash/, after: 300 }, observe: { line } },
    )
    expect(ran.outputs['stop-reason']).toBe('CANCELLED')
    expect(ran.pushed).toBe('')
    expect(fetched(on.remote, ran)).toBe(ran.outputs['head-sha'])
    expect(ran.summary).toContain('not on the remote')
    expect(ran.summary).toContain('git fetch work.bundle')
  })

  test('F34: by a rule of the repository: one attempt, the rule’s text, the work in the record', async () => {
    await using on = await stage({ files: bug, sessions: [fix] })
    const rule = 'GH013: Repository rule violations found for refs/heads/ralph.'
    programs(join(on.remote, 'hooks'), {
      'pre-receive': `echo x >> ${join(on.temp, 'attempts')}; echo "error: ${rule}" >&2; exit 1`,
    })
    const ran = await act(on, judge)
    expect(ran.outputs).toMatchObject({ 'stop-reason': 'PUSH_FAILED', success: 'false' })
    expect(readFileSync(join(on.temp, 'attempts'), 'utf8')).toBe('x\n')
    expect(ran.summary).toContain('A rule of the repository does not allow this push')
    expect(ran.summary).toContain(`- remote: error: ${rule}`)
    expect(ran.pushed).toBe('')
    expect(fetched(on.remote, ran)).toBe(ran.outputs['head-sha'])
  })

  test('F33: two runs on one branch at once: no commit is lost, and the loser says so', async () => {
    const meet =
      'n=0; touch ../../../meet/$$; until [ $(ls ../../../meet | wc -l) -ge 2 ]; do sleep 0.1; done'
    const both = session(bash(meet), write('src/add.js', fixedAdd), say('ok'))
    await using on = await stage({ files: bug, sessions: [both, both] })
    mkdirSync(join(on.temp, 'meet'))
    const [workspace, runnerTemp] = [join(on.temp, 'other/demo/demo'), join(on.temp, 'other/_temp')]
    mkdirSync(runnerTemp, { recursive: true })
    run(on.temp, 'clone', '-q', on.remote, workspace)
    const runs = await Promise.all([act(on, judge), act({ ...on, workspace, runnerTemp }, judge)])
    const [loser, winner] = [...runs].sort((a, b) =>
      (a.outputs['stop-reason'] ?? '').localeCompare(b.outputs['stop-reason'] ?? ''),
    )
    if (loser === undefined || winner === undefined) throw new Error('unreachable')
    expect([loser, winner].map(({ outputs }) => outputs['stop-reason'])).toEqual(['PUSH_FAILED', 'SUCCESS'])
    expect(on.remoteGit('rev-parse', branch)).toBe(winner.outputs['head-sha'])
    expect(loser.summary).toContain('The branch was moved by somebody else during this run')
    expect(fetched(on.remote, loser)).toBe(loser.outputs['head-sha'])
    expect(loser.conclusion).toBe('failure')
  })
})

describe('secrets', () => {
  test('F35: files that hold the key or the token are left out and named, their values nowhere', async () => {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
    await using on = await stage({
      files: bug,
      sessions: [
        session(
          write('.env.local', `KEY=${dummyKey}\n`),
          write('src/debug.ts', `// ${token} ${'x'.repeat(70_000)}${basic}\n`),
          write('src/add.js', fixedAdd),
          say('ok'),
        ),
      ],
    })
    const ran = await act(on, { ...judge, 'github-token': token })
    expect(ran.outputs['stop-reason']).toBe('SUCCESS')
    expect(on.remoteGit('diff', '--name-only', 'main', ran.pushed)).toBe('src/add.js')
    const objects = on.remoteGit('cat-file', '--batch', '--batch-all-objects', '--buffer')
    for (const secret of [dummyKey, token, basic]) {
      expect(objects).not.toContain(secret)
      expect(ran.summary).not.toContain(secret)
    }
    for (const path of ['.env.local', 'src/debug.ts'])
      expect(ran.summary).toContain(`\`${path}\`: it holds a secret of this run`)
  })

  test('F43, F63: what the checkout kept is hidden from the agent, not sent, and back at the end', async () => {
    const [old, given] = ['ghs_persisted0123456789', token].map((name) => `x-access-token:${name}`)
    const basic = Buffer.from(old ?? '').toString('base64')
    const pattern = `ghs_persist[e]d|${basic.slice(0, 20)}[${basic[20]}]`
    const look = `{ git remote -v; git config --list --show-origin; cat .git/config; grep -ra . .git ../../_temp; } 2>&1 | grep -acE '${pattern}' > seen.txt || true`
    await using on = await stage({
      files: bug,
      sessions: [session(bash(look), write('src/add.js', fixedAdd), say('ok'))],
    })
    await using server = await overHttp(on, token)
    const kept = join(on.runnerTemp, 'git-credentials-1f.config')
    writeFileSync(kept, `[http "${server.url}"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`)
    on.git('config', `includeIf.gitdir:${on.workspace}/.git.path`, kept)
    on.git('config', `http.${server.url}.extraheader`, `AUTHORIZATION: basic ${basic}`)
    on.git('remote', 'set-url', 'origin', `${server.url.replace('//', `//${old}@`)}remote.git`)
    const files = [kept, join(on.workspace, '.git/config')]
    const before = files.map((file) => readFileSync(file, 'utf8'))

    const ran = await act(on, { ...judge, 'github-token': token })
    expect(ran.outputs['stop-reason']).toBe('SUCCESS')
    expect(on.remoteGit('show', `${ran.pushed}:seen.txt`)).toBe('0')
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
    expect(ran.summary).toContain('persist-credentials: false')
    const ours = `Basic ${Buffer.from(given ?? '').toString('base64')}`
    expect(server.seen.map(({ authorization }) => authorization)).toEqual(server.seen.map(() => [ours]))
    expect(ran.log + ran.summary).not.toContain('ghs_persisted')
  })
})

describe('a checkout without a remote', () => {
  test('the commits are in the record, and the summary says so', async () => {
    await using on = await stage({ files: bug, sessions: [fix], noRemote: true })
    const ran = await act(on, judge)
    expect(ran.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', branch })
    expect(fetched(on.workspace, ran)).toBe(ran.outputs['head-sha'])
    expect(ran.summary).toContain('nothing is pushed')
    expect(ran.summary).toContain('`work.bundle`')
  })

  test('ralph run puts the branch into the repository, runs no hook, and goes on with it the next time', async () => {
    await using on = await stage({ files: bug, sessions: [fix], noRemote: true })
    const ran = join(on.temp, 'ran')
    const hook = `touch ${ran}; exit 1`
    programs(join(on.workspace, '.git/hooks'), { 'reference-transaction': hook, 'post-checkout': hook })
    const options = { 'claude-path': claudePath, 'anthropic-base-url': on.model.url, ...judge }
    const ralph = async (): Promise<string> => {
      const flags = Object.entries({ task: 'Make the tests pass', ...options }).map(
        ([name, value]) => `--${name}=${value}`,
      )
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(root, 'dist/ralph'), 'run', ...flags],
        {
          cwd: on.workspace,
          env: { PATH: process.env.PATH, HOME: on.temp, TMPDIR: on.runnerTemp, ANTHROPIC_API_KEY: dummyKey },
        },
      )
      return stdout
    }
    const head = on.git('rev-parse', 'HEAD')
    const first = await ralph()
    expect(first).toContain('STOP_REASON: SUCCESS')
    expect(first).toContain(`The work is on the branch ${branch} of this repository.`)
    expect(existsSync(ran)).toBe(false)
    expect(on.git('log', '--format=%s', `main..${branch}`)).toBe('wip: Make the tests pass (iteration 1)')
    expect(on.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(on.git('rev-parse', 'HEAD')).toBe(head)

    programs(join(on.workspace, '.git/hooks'), {
      'reference-transaction': 'exit 0',
      'post-checkout': 'exit 0',
    })
    on.git('checkout', '-q', '-f', 'main')
    const again = await ralph()
    expect(again).toContain('1 commit ahead')
    expect(again).toContain('STOP_REASON: SUCCESS')
    expect(on.model.requests.filter(({ session: n }) => (n ?? 0) > 1)).toEqual([])
    expect(readdirSync(on.workspace).sort()).toEqual(['.git', 'src'])
  })
})
