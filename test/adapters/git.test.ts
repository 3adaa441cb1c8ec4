import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoint } from '../../src/adapters/checkpoint.ts'
import { createGit, GitError, line, onPath, parts } from '../../src/adapters/git.ts'
import { judgeTree } from '../../src/adapters/judge-tree.ts'
import { openPlace } from '../../src/adapters/place.ts'
import { openRemote } from '../../src/adapters/remote.ts'
import { type Bench, bench, git, treeFiles, write } from '../rig/repository.ts'

const PATH = process.env.PATH ?? ''

describe('git', () => {
  test('runs with an environment of ours: no settings of the step, no secret, English', async () => {
    await using b = await bench()
    write(b.root, { 'bin/git': `#!/bin/sh\nenv\n` })
    chmodSync(join(b.root, 'bin/git'), 0o755)
    const step = {
      PATH: `${join(b.root, 'bin')}${delimiter}${PATH}`,
      HOME: '/home/x',
      GIT_DIR: '/evil',
      GIT_SSH_COMMAND: 'evil',
      GIT_CONFIG_PARAMETERS: 'evil',
      GITHUB_TOKEN: 's3cret',
      LD_PRELOAD: 'evil.so',
      LANG: 'tr_TR',
      https_proxy: 'http://proxy',
    }
    const told = (await createGit(step)(['x'], { index: '/i' })).stdout.toString('utf8')
    expect(told).not.toMatch(/evil|s3cret|LANG=/)
    for (const row of [
      'LC_ALL=C',
      'HOME=/home/x',
      'https_proxy=http://proxy',
      'GIT_INDEX_FILE=/i',
      'GIT_CONFIG_GLOBAL=/dev/null',
      'GIT_CONFIG_NOSYSTEM=1',
      'GIT_TEMPLATE_DIR=',
      'GIT_TERMINAL_PROMPT=0',
      'GIT_OPTIONAL_LOCKS=0',
      'GIT_ATTR_NOSYSTEM=1',
      'GIT_NO_REPLACE_OBJECTS=1',
    ])
      expect(told.split('\n')).toContain(row)
  })

  test('is the program of the start, not one that is put on PATH later or lies in a relative entry', async () => {
    await using b = await bench()
    const ours = createGit({ PATH: `${join(b.root, 'late')}${delimiter}${PATH}` })
    write(b.root, { 'late/git*': '#!/bin/sh\necho late\n' })
    expect(line(await ours(['--version']))).toMatch(/^git version/)
    expect(onPath('git', `.${delimiter}bin`)).toBeNull()
    expect(() => createGit({ PATH: '/nowhere' })).toThrow(/no git on PATH/)
  })

  test('raises an error with what git said, unless the exit code is accepted', async () => {
    const ours = createGit({ PATH })
    await expect(ours(['rev-parse', 'x'], { cwd: '/' })).rejects.toThrow(GitError)
    await expect(ours(['rev-parse', 'x'], { cwd: '/' })).rejects.toThrow(
      /ended with 128: fatal: not a git repository/,
    )
    expect(await ours(['rev-parse', 'x'], { cwd: '/', accept: [128] })).toMatchObject({
      code: 128,
      timedOut: false,
    })
    await expect(ours(['--version'], { cwd: '/nowhere' })).rejects.toThrow(/ENOENT/)
  })

  test.each([false, true])('is ended after its limit (its helpers too: %s)', async (group) => {
    const began = performance.now()
    const ours = createGit({ PATH })
    const args = ['-c', 'alias.x=!sleep 30 >&- 2>&-', 'x'] // the sleeper holds no pipe of ours
    await expect(ours(args, { limitMillis: 100, group })).rejects.toThrow(/did not end within its limit/)
    expect(await ours(args, { limitMillis: 100, group, accept: 'any' })).toMatchObject({
      code: -1,
      timedOut: true,
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('takes input, streams output, splits it at NUL', async () => {
    const ours = createGit({ PATH })
    const chunks: Buffer[] = []
    const result = await ours(['hash-object', '--stdin'], {
      input: 'x',
      onStdout: (chunk) => chunks.push(chunk),
    })
    expect(result.stdout).toHaveLength(0)
    expect(Buffer.concat(chunks).toString()).toBe(
      `${line(await ours(['hash-object', '--stdin'], { input: Buffer.from('x') }))}\n`,
    )
    expect(parts({ ...result, stdout: Buffer.from('a\0\0b\n\0c') }).map(String)).toEqual([
      'a',
      '',
      'b\n',
      'c',
    ])
    expect(parts({ ...result, stdout: Buffer.from('') })).toEqual([])
  })
})

/** Every way in which a checkout can make git run something; each leaves a file of its own name when it does. */
const poison = (b: Bench, trap: (name: string) => string) => {
  const { ws } = b
  const set = (key: string, value: string, at = ws) => git(at, 'config', key, value)
  set('core.fsmonitor', trap('fsmonitor'))
  set('core.hooksPath', join(b.root, 'hooks'))
  set('core.sshCommand', trap('ssh'))
  set('core.editor', trap('editor'))
  set('core.pager', trap('pager'))
  set('core.gitProxy', trap('proxy'))
  set('core.alternateRefsCommand', trap('alternates'))
  set('credential.helper', `!${trap('credential')}`)
  set('commit.gpgsign', 'true')
  set('gpg.program', trap('gpg'))
  set('diff.external', trap('diff'))
  set('diff.evil.textconv', trap('textconv'))
  set('merge.evil.driver', trap('merge'))
  for (const part of ['evil.clean', 'evil.smudge', 'lfs.clean', 'lfs.smudge', 'lfs.process'])
    set(`filter.${part}`, trap(part))
  set('remote.origin.receivepack', trap('receivepack'))
  set('remote.origin.uploadpack', trap('uploadpack'))
  set('uploadpack.packObjectsHook', trap('pack-objects'))
  set(`url.ext::${trap('ext')} %S.insteadOf`, b.root)
  set('protocol.ext.allow', 'always')
  set('alias.add', `!${trap('alias')}`)
  write(b.root, {
    'included.config': `[core]\n\tfsmonitor = ${trap('included')}\n`,
    'home/.gitconfig': `[core]\n\tfsmonitor = ${trap('home')}\n`,
  })
  set('include.path', join(b.root, 'included.config'))
  write(b.root, {
    'home/.config/git/config': `[core]\n\tfsmonitor = ${trap('xdg')}\n`,
    'home/.config/git/attributes': '* filter=evil\n',
  })
  const hooks = [
    'pre-commit',
    'post-commit',
    'commit-msg',
    'pre-push',
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'fsmonitor-watchman',
    'post-rewrite',
    'post-merge',
  ]
  for (const folder of [join(b.root, 'hooks'), join(ws, '.git/hooks')])
    write(folder, Object.fromEntries(hooks.map((hook) => [`${hook}*`, `#!/bin/sh\n${trap(hook)}\n`])))
  write(ws, {
    '.gitattributes': '* filter=evil diff=evil merge=evil\n*.bin filter=lfs\n',
    'x.bin': 'x\n',
    'src/a.txt': 'agent\n',
  })
  git(ws, 'init', '-q', 'nested')
  set('core.fsmonitor', trap('nested'), join(ws, 'nested'))
  set('core.fsmonitor', trap('submodule'), join(ws, 'sub'))
  set('filter.evil.clean', trap('submodule-clean'), join(ws, 'sub'))
  write(ws, { 'sub/.gitattributes': '* filter=evil\n', 'sub/src/a.txt': 'changed\n' })
  write(ws, {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\tbare = true\n\tfsmonitor = ${trap('embedded')}\n`,
    'objects/x': '',
    'refs/x': '',
  })
}

describe('T20: a checkout that lies in wait', () => {
  const prepare = async (b: Bench) => {
    const lib = join(b.root, 'lib')
    git(b.root, 'clone', '-q', b.ws, lib)
    git(b.ws, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'sub')
    git(b.ws, 'commit', '-q', '-m', 'Submodule')
    git(b.root, 'clone', '-q', '--bare', b.ws, 'r.git')
    git(b.ws, 'remote', 'add', 'origin', join(b.root, 'r.git'))
    const traps = join(b.root, 'traps')
    mkdirSync(traps)
    write(b.root, { 'trap*': `#!/bin/sh\ntouch "${traps}/$1"\nexit 1\n` })
    return {
      caught: () => readdirSync(traps).sort(),
      trap: (name: string) => `${join(b.root, 'trap')} ${name}`,
    }
  }

  test('runs nothing over checkpoint, judging and push', async () => {
    await using b = await bench()
    const { caught, trap } = await prepare(b)
    const step = {
      PATH,
      HOME: join(b.root, 'home'),
      GIT_SSH_COMMAND: trap('env-ssh'),
      GIT_EXTERNAL_DIFF: trap('env-diff'),
      GIT_PROXY_COMMAND: trap('env-proxy'),
      GIT_TEMPLATE_DIR: join(b.root, 'template'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: trap('env-config'),
    }
    write(b.root, { 'template/hooks/post-index-change*': `#!/bin/sh\n${trap('template')}\n` })
    const store = await b.open({ git: createGit(step) })
    const remote = await openRemote({ store, token: null, waits: [] })
    const place = await openPlace({ store, dir: join(b.root, 'place'), base: store.start.head })
    poison(b, trap)
    let parent = store.start.head
    let expected: string | null = null
    const moves = [
      () => {},
      () => write(b.ws, { 'src/a.txt': 'again\n' }),
      () => {
        renameSync(join(b.ws, '.git'), join(b.ws, 'real'))
        writeFileSync(join(b.ws, '.git'), 'gitdir: real\n')
        write(b.ws, { 'src/a.txt': 'redirected\n' })
      },
    ]
    for (const move of moves) {
      move()
      const made = await checkpoint(store, { parent, message: 'x' })
      const j = await judgeTree(store, {
        candidate: made.tree,
        base: store.start.headTree,
        tests: 'additive',
      })
      await place.judge(j.tree, async (path) => expect(existsSync(join(path, 'src/a.txt'))).toBe(true))
      await place.judge(j.tree, async () => {}, { pristine: true })
      expect(await remote?.push({ commit: made.commit ?? '', branch: 'ralph/x', expected })).toEqual({
        kind: 'pushed',
      })
      parent = expected = made.commit ?? ''
    }
    expect(caught()).toEqual([])
    expect(treeFiles(store, parent)['src/a.txt']).toBe('redirected')
    expect(readFileSync(join(b.ws, 'sub/src/a.txt'), 'utf8')).toBe('changed\n')
  })

  test('runs nothing when it is judged in place', async () => {
    await using b = await bench()
    const { caught, trap } = await prepare(b)
    const store = await b.open()
    const place = await openPlace({
      store,
      dir: join(b.root, 'place'),
      base: store.start.head,
      mostCopied: -1,
    })
    poison(b, trap)
    const { tree } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    await place.judge(tree, async () => {})
    await place.judge(store.start.headTree, async () => {})
    expect(caught()).toEqual([])
  })

  test('would have caught plain git: the traps are set', async () => {
    await using b = await bench()
    const { caught, trap } = await prepare(b)
    poison(b, trap)
    for (const args of [['status'], ['add', '-A', '--', 'src'], ['push', 'origin', 'main:y']])
      try {
        git(b.ws, ...args)
      } catch {} // a trap answers nothing that git can use
    expect(caught()).toEqual(
      expect.arrayContaining(['evil.clean', 'ext', 'included', 'post-index-change', 'submodule']),
    )
  })
})
