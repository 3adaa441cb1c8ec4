import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onPath } from '../../src/adapters/git.ts'
import {
  branch,
  bug,
  checkOut,
  fix,
  judge,
  lost,
  overHttp,
  person,
  programs,
  systemWithout,
} from './git-cases.ts'
import { act, bash, fixedAdd, type Stage, say, session, stage, write } from './kit.ts'

/** The branch of an earlier run, with one commit of ours and two of a person. */
const earlier = (on: Stage, path = 'src/more.js') => {
  const by = person(on)
  by.git('checkout', '-q', '-b', branch)
  const commits = ['ours', 'hers', 'hers again'].map((text) => by.commit(text, `echo '// ${text}' > ${path}`))
  by.git('push', '-q', 'origin', branch)
  by.git('checkout', '-q', 'main')
  return { ...by, commits, tip: commits[2] ?? '' }
}

describe('F32: an older branch of ours', () => {
  test('F32: with commits of ours and of a person is gone on with', async () => {
    await using on = await stage({ files: bug, sessions: [session(write('notes.md', 'x'), say('x')), fix] })
    const first = await act(on, { ...judge, 'max-iterations': '1' })
    expect(first.outputs).toMatchObject({ branch, 'stop-reason': 'BUDGET_EXHAUSTED' })
    const by = person(on)
    by.git('checkout', '-q', branch)
    const hers = [by.commit('one', 'echo 1 > one.txt'), by.commit('two', 'echo 2 > two.txt')]
    by.git('push', '-q')
    checkOut(on)

    const again = await act(on, judge)
    expect(again.outputs).toMatchObject({ branch, 'stop-reason': 'SUCCESS', 'head-sha': again.pushed })
    expect(lost(on, again.pushed, [first.pushed, ...hers])).toEqual([])
    expect(on.remoteGit('rev-list', '--count', `main..${again.pushed}`)).toBe('4')
    expect(again.log).toContain('3 commits ahead')
    expect(JSON.stringify(on.model.requests.at(-1)?.body)).toContain('already held 3 commits')
    expect(again.summary).toContain(branch)
  })

  test('F32, F37: the base has gone on by 30 commits, and the checkout is shallow', async () => {
    await using on = await stage({ files: bug, sessions: [fix] })
    const by = earlier(on)
    for (let n = 0; n < 29; n++) by.git('commit', '-q', '--allow-empty', '-m', `${n}`)
    const newest = by.commit('newest', 'echo new > new.txt')
    by.git('push', '-q', 'origin', 'main')
    checkOut(on, '--depth=1')

    const ran = await act(on, judge)
    expect(ran.outputs).toMatchObject({ branch, 'stop-reason': 'SUCCESS' })
    expect(lost(on, ran.pushed, [...by.commits, newest])).toEqual([])
    expect(on.remoteGit('log', '-1', '--format=%P', `${ran.pushed}^`)).toBe(`${by.tip} ${newest}`)
    expect(on.remoteGit('diff', '--name-only', 'main', ran.pushed)).toBe('src/add.js\nsrc/more.js')
    expect(ran.summary).toMatch(/1\sfile\s\+1\s−1/)
    expect(on.git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  test('F32: a branch that does not merge with the base is told with its files, before any cost', async () => {
    await using on = await stage({ files: bug })
    const by = earlier(on, 'src/add.js')
    by.commit('newer', "echo '// newer' > src/add.js")
    by.git('push', '-q', 'origin', 'main')
    checkOut(on)
    const ran = await act(on, judge)
    expect(ran.outputs).toMatchObject({ 'stop-reason': 'SETUP_FAILED', success: 'false' })
    expect(ran.summary).toContain('src/add.js')
    expect(ran.summary).toContain(`Merge main into ${branch}`)
    expect(on.model.requests).toEqual([])
    expect(ran.pushed).toBe(by.tip)
    expect(on.git('status', '--porcelain')).toBe('')
  })

  test.each([
    ['of a name made from the task: the next one is taken', {}, `${branch}-2`],
    ['named by branch: it is moved forward', { branch }, branch],
  ])('F32: a merged branch %s', async (_, inputs, expected) => {
    await using on = await stage({ files: bug, sessions: [fix] })
    const by = earlier(on)
    by.git('merge', '-q', '--no-ff', '-m', 'merged', branch)
    const newest = by.commit('newest', 'echo newer > src/more.js')
    by.git('push', '-q', 'origin', 'main')
    checkOut(on)
    const ran = await act(on, { ...judge, ...inputs })
    expect(ran.outputs).toMatchObject({ branch: expected, 'stop-reason': 'SUCCESS' })
    expect(on.remoteGit('rev-parse', `${expected}^`)).toBe(newest)
    expect(on.remoteGit('show', `${expected}:src/more.js`)).toBe('newer')
    expect(lost(on, branch, by.commits)).toEqual([])
  })
})

const headRef = `ref: \${{ github.head_ref }}`

describe('F36: a checkout that is at no branch stops before any cost', () => {
  test.each([
    ['F36: the merge commit of a pull request', 'refs/pull/7/merge', {}, headRef],
    ['F36: the same, with a base', 'refs/pull/7/merge', { base: 'main' }, headRef],
    ['F36: a tag', 'refs/tags/v1', {}, 'the tag v1'],
  ])('%s', async (_, ref, inputs, advice) => {
    await using on = await stage({ files: bug })
    on.git('checkout', '-q', '--detach')
    const github = { ref, sha: on.git('rev-parse', 'HEAD'), event_name: 'pull_request' }
    const ran = await act(on, { ...judge, ...inputs }, { github })
    expect(ran.outputs).toMatchObject({ 'stop-reason': 'SETUP_FAILED', branch: '' })
    expect(ran.summary).toContain(advice)
    expect(ran.annotations[0]?.message).toContain(advice)
    expect(on.model.requests).toEqual([])
    expect(ran.pushed).toBe('')
  })
})

test.each([
  ['nothing was changed', say('Nothing to do.')],
  ['only line ends were changed', bash("printf 'export const add = (a, b) => a - b\\r\\n' > src/add.js")],
])('F38: %s: no commit, no branch, and no failure for that', async (_, reply) => {
  await using on = await stage({
    files: { ...bug, '.gitattributes': '* text=auto\n' },
    sessions: [session(reply, say('done')), session(reply, say('done'))],
  })
  const ran = await act(on, judge)
  expect(ran.outputs).toMatchObject({ 'stop-reason': 'NO_PROGRESS', branch: '', 'head-sha': '' })
  expect(ran.outputs.iterations).toBe('2')
  expect(ran.pushed).toBe('')
  expect(ran.summary).not.toMatch(/nothing to commit/i)
  expect(existsSync(join(ran.record, 'work.bundle'))).toBe(false)
})

test('F44: a title in no plain letters, and a branch ralph on the remote', async () => {
  await using on = await stage({ files: bug, sessions: [fix] })
  on.git('push', '-q', 'origin', 'main:refs/heads/ralph')
  const ran = await act(on, { ...judge, task: '-rf 🚀🚀 课题 a..b~^: ?*[\\ $(touch pwned).lock' })
  expect(ran.outputs['stop-reason']).toBe('SUCCESS')
  expect(ran.outputs.branch).toMatch(/^ralph-rf-a-b-touch-pwned-lock-[0-9a-f]{6}$/)
  expect(on.remoteGit('rev-parse', ran.outputs.branch ?? '')).toBe(ran.outputs['head-sha'])
  expect(on.remoteGit('rev-parse', 'ralph')).toBe(on.remoteGit('rev-parse', 'main'))
  expect(readdirSync(on.workspace)).not.toContain('pwned')
})

test('F39: no identity, an empty HOME, files of another user: the agent commits, and so do we', async () => {
  const commit = 'git commit -q --allow-empty -m mine && git log -1 --format="%an <%ae>" > who.txt'
  await using on = await stage({
    files: bug,
    sessions: [session(bash(commit), write('src/add.js', fixedAdd), say('ok'))],
  })
  await using _ = await overHttp(on)
  const bin = join(on.temp, 'bin')
  programs(bin, { git: `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${onPath('git', process.env.PATH)} "$@"` })
  const ran = await act(on, judge, { host: { PATH: `${bin}:${process.env.PATH}` } })
  const bot = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>'
  expect(ran.outputs['stop-reason']).toBe('SUCCESS')
  expect(on.remoteGit('show', `${ran.pushed}:who.txt`)).toBe(bot)
  expect(on.remoteGit('log', '--format=%an <%ae> %s', `main..${ran.pushed}`)).toBe(
    `${bot} wip: Make the tests pass (iteration 1)`,
  )
  expect(readdirSync(join(on.temp, 'work/_home')).filter((name) => name.includes('git'))).toEqual([])
})

test('F40: hooks of the checkout stand in no way and are not run', async () => {
  await using on = await stage({ files: bug, sessions: [fix] })
  const names = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-push', 'reference-transaction']
  const hook = `echo "$0" >> ${join(on.temp, 'ran')}; exit 1`
  programs(
    join(on.workspace, '.git/hooks'),
    Object.fromEntries([...names, 'post-checkout', 'post-index-change'].map((name) => [name, hook])),
  )
  const ran = await act(on, judge)
  expect(ran.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', 'head-sha': ran.pushed })
  expect(existsSync(join(on.temp, 'ran'))).toBe(false)
})

test('F41: the commits hold what the agent did, and nothing that lay there or that the verifier left', async () => {
  await using on = await stage({
    files: { ...bug, 'test/snap.txt': 'old\n' },
    sessions: [session(write('src/new.js', '1\n'), say('half')), fix],
  })
  writeFileSync(join(on.workspace, 'notes.txt'), 'mine\n')
  const verify = `mkdir -p coverage; echo x > coverage/x; echo new > test/snap.txt; ${judge.verify}`
  const ran = await act(on, { ...judge, verify })
  expect(ran.outputs).toMatchObject({ 'stop-reason': 'SUCCESS', iterations: '2' })
  expect(on.remoteGit('diff', '--name-only', 'main', ran.pushed)).toBe('src/add.js\nsrc/new.js')
  expect(on.git('status', '--porcelain', '-uall')).toBe('M src/add.js\n?? notes.txt\n?? src/new.js')
  expect(readFileSync(join(on.workspace, 'notes.txt'), 'utf8')).toBe('mine\n')
})

test('F42: a nested repository and a moved submodule stay out and are named', async () => {
  const commit = 'git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m x'
  await using on = await stage({
    files: bug,
    sessions: [
      session(
        bash(`(cd lib && ${commit}) && git init -q vendor/x && (cd vendor/x && ${commit})`),
        write('src/add.js', fixedAdd),
        say('ok'),
      ),
    ],
  })
  on.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', on.remote, 'lib')
  on.git('commit', '-q', '-m', 'a submodule')
  on.git('push', '-q', 'origin', 'main')
  const ran = await act(on, judge)
  expect(ran.outputs['stop-reason']).toBe('SUCCESS')
  expect(on.git('-C', 'lib', 'rev-parse', 'HEAD')).not.toBe(on.git('rev-parse', 'HEAD:lib'))
  expect(on.remoteGit('diff', '--name-only', 'main', ran.pushed)).toBe('src/add.js')
  expect(ran.summary).toContain('- `lib`: a submodule')
  expect(ran.summary).toContain('- `vendor/x`: a nested repository')
})

test('F42: Git LFS without git-lfs is told at the start, and no pointer flips', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`
  const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
  await using on = await stage({
    files: { ...bug, '.gitattributes': attributes, 'a.bin': pointer },
    sessions: [fix],
  })
  const ran = await act(on, judge, { host: { PATH: systemWithout(on, 'git-lfs') } })
  expect(ran.outputs['stop-reason']).toBe('SUCCESS')
  expect(on.remoteGit('diff', '--name-only', 'main', ran.pushed)).toBe('src/add.js')
  expect(ran.summary).toContain('git-lfs is not installed')
  expect(ran.log.indexOf('git-lfs is not installed')).toBeLessThan(ran.log.indexOf('Iteration 1'))
})
