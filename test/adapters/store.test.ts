import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoint } from '../../src/adapters/checkpoint.ts'
import { createGit } from '../../src/adapters/git.ts'
import type { Store } from '../../src/adapters/store.ts'
import { bench, folderFiles, git, treeFiles, write } from '../rig/repository.ts'

const save = (store: Store, parent = store.start.head) =>
  checkpoint(store, { parent, message: 'Iteration 1\n\nBody\n' })

const authorOf = (store: Store, commit: string | null) =>
  git(store.dir, 'log', '-1', '--format=%an <%ae>|%cn|%P|%B', commit ?? '')

describe('a checkpoint', () => {
  test('is one commit of the bot on the parent, with the figures', async () => {
    await using b = await bench({ 'src/a.txt': 'one\ntwo\n', 'src/gone.txt': 'x\n', 'run.sh': '#!/bin/sh\n' })
    const store = await b.open()
    write(b.ws, { 'src/a.txt': 'one\n2\nthree\n', 'src/new/b.txt': 'b\n' })
    rmSync(join(b.ws, 'src/gone.txt'))
    chmodSync(join(b.ws, 'run.sh'), 0o755)
    const made = await save(store)
    expect(made).toMatchObject({ changed: true, files: 4, insertions: 3, deletions: 2, leftOut: [] })
    expect(treeFiles(store, made.tree)).toEqual({
      'run.sh': '#!/bin/sh',
      'src/a.txt': 'one\n2\nthree',
      'src/new/b.txt': 'b',
    })
    expect(authorOf(store, made.commit)).toBe(
      `github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>|github-actions[bot]|${store.start.head}|Iteration 1\n\nBody`,
    )
  })

  test('a second one stands on the first', async () => {
    await using b = await bench()
    const store = await b.open()
    write(b.ws, { 'src/a.txt': 'two\n' })
    const first = await save(store)
    write(b.ws, { 'src/a.txt': 'three\n' })
    const second = await save(store, first.commit ?? '')
    expect(git(store.dir, 'rev-list', '--count', `${store.start.head}..${second.commit}`)).toBe('2')
    expect(second).toMatchObject({ files: 1, insertions: 1, deletions: 1 })
  })

  test('F38: nothing changed, or only line ends that git normalises away: no commit', async () => {
    await using b = await bench({ '.gitattributes': '* text=auto\n', 'src/a.txt': 'one\ntwo\n' })
    const store = await b.open()
    expect(await save(store)).toMatchObject({
      commit: null,
      changed: false,
      files: 0,
      tree: store.start.headTree,
    })
    write(b.ws, { 'src/a.txt': 'one\r\ntwo\r\n' })
    expect(await save(store)).toMatchObject({ commit: null, changed: false, tree: store.start.headTree })
  })

  test('F38: line ends as the checkout says, not as the machine does', async () => {
    await using b = await bench()
    git(b.ws, 'config', 'core.autocrlf', 'input')
    const store = await b.open()
    write(b.ws, { 'src/a.txt': 'one\r\n' })
    expect(await save(store)).toMatchObject({ changed: false })
  })

  test('F36: from a detached HEAD', async () => {
    await using b = await bench()
    git(b.ws, 'checkout', '-q', '--detach')
    const store = await b.open()
    write(b.ws, { 'src/a.txt': 'two\n' })
    expect((await save(store)).changed).toBe(true)
  })

  test('F37: from a shallow clone', async () => {
    await using b = await bench()
    for (const n of [1, 2, 3]) git(b.ws, 'commit', '-q', '--allow-empty', '-m', `${n}`)
    const shallow = join(b.root, 'shallow')
    git(b.root, 'clone', '-q', '--depth=1', `file://${b.ws}`, shallow)
    const store = await b.open({ workspace: shallow })
    write(shallow, { 'src/a.txt': 'two\n' })
    const made = await save(store)
    expect(git(store.dir, 'rev-list', '--count', made.commit ?? '')).toBe('2')
    expect(readFileSync(join(store.dir, 'shallow'), 'utf8').trim()).toBe(store.start.head)
  })

  test('F39: no identity, an empty HOME, files of another user', async () => {
    await using b = await bench()
    const home = join(b.root, 'home')
    write(home, { '.gitconfig': '[core]\n\teditor = false\n' })
    const ours = createGit({ PATH: process.env.PATH, HOME: home })
    const other: typeof ours = (args, options) =>
      ours(args, { ...options, env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', ...options?.env } })
    await expect(other(['status'], { cwd: b.ws })).rejects.toThrow(/dubious ownership/)
    const store = await b.open({ git: other })
    write(b.ws, { 'src/a.txt': 'two\n' })
    expect(authorOf(store, (await save(store)).commit)).toContain('github-actions[bot]')
    expect(readFileSync(join(home, '.gitconfig'), 'utf8')).toBe('[core]\n\teditor = false\n')
  })

  test('F41: what was untracked at the start and what is ours stays out, even when an agent un-ignores it', async () => {
    await using b = await bench()
    write(b.ws, { 'notes.txt': 'mine\n', 'out/[1] log*.txt': 'mine\n', 'new\nline': 'mine\n' })
    const store = await b.open()
    write(b.ws, {
      'src/a.txt': 'two\n',
      'notes.txt': 'changed\n',
      'out/new.txt': 'the agent’s\n',
      '.harness/loop/handoff.md': 'ours\n',
      'pkg/__pycache__/a.pyc': 'x',
      '.gitignore': '!notes.txt\n!/.harness/\n!/.harness/loop/\n!*\n',
    })
    const made = await save(store)
    expect(Object.keys(treeFiles(store, made.tree))).toEqual(
      expect.arrayContaining(['src/a.txt', 'out/new.txt', '.gitignore']),
    )
    expect(treeFiles(store, made.tree)).not.toHaveProperty(['notes.txt'])
    expect(treeFiles(store, made.tree)).not.toHaveProperty(['out/[1] log*.txt'])
    expect(treeFiles(store, made.tree)).not.toHaveProperty(['.harness/loop/handoff.md'])
    expect(Object.keys(treeFiles(store, made.tree)).join()).not.toContain('new\nline')
  })

  test('F41: a file of ours that the repository tracks stays tracked', async () => {
    await using b = await bench({ '.harness/loop/progress.md': 'one\n' })
    const store = await b.open()
    write(b.ws, { '.harness/loop/progress.md': 'two\n' })
    expect(treeFiles(store, (await save(store)).tree)).toEqual({ '.harness/loop/progress.md': 'two' })
  })

  test('files that were changed before the start keep the base’s content until the agent changes them', async () => {
    await using b = await bench({
      'a.txt': 'base\n',
      'b.txt': 'base\n',
      'gone.txt': 'base\n',
      'back.txt': 'base\n',
      'src/c.txt': 'base\n',
    })
    write(b.ws, { 'a.txt': 'dirty\n', 'b.txt': 'dirty\n', 'staged.txt': 'staged\n' })
    git(b.ws, 'add', 'b.txt', 'staged.txt')
    rmSync(join(b.ws, 'gone.txt'))
    rmSync(join(b.ws, 'back.txt'))
    const store = await b.open()
    expect(store.start.tree).not.toBe(store.start.headTree)
    expect(await save(store)).toMatchObject({ changed: false, leftOut: [] })
    write(b.ws, { 'src/c.txt': 'agent\n', 'b.txt': 'agent\n', 'back.txt': 'agent\n' })
    const made = await save(store)
    expect(made.files).toBe(3)
    expect(treeFiles(store, made.tree)).toEqual({
      'a.txt': 'base',
      'b.txt': 'agent',
      'back.txt': 'agent',
      'gone.txt': 'base',
      'src/c.txt': 'agent',
    })
    write(b.ws, { 'src/c.txt': 'again\n' })
    expect(treeFiles(store, (await save(store, made.commit ?? '')).tree)).toMatchObject({
      'a.txt': 'base',
      'src/c.txt': 'again',
      'gone.txt': 'base',
    })
  })

  test('a sparse checkout loses nothing', async () => {
    await using b = await bench({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/deep/c.txt': 'c\n' })
    git(b.ws, 'sparse-checkout', 'set', 'in')
    const store = await b.open()
    expect(await save(store)).toMatchObject({ changed: false })
    write(b.ws, { 'in/a.txt': 'A\n', 'out/new.txt': 'new\n', 'out/b.txt': 'B\n' })
    expect(treeFiles(store, (await save(store)).tree)).toEqual({
      'in/a.txt': 'A',
      'out/b.txt': 'B',
      'out/deep/c.txt': 'c',
      'out/new.txt': 'new',
    })
  })

  test('F42: nested repositories and moved submodules are named and left out', async () => {
    await using b = await bench()
    const lib = join(b.root, 'lib')
    execFileSync('git', ['clone', '-q', b.ws, lib])
    git(b.ws, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'sub')
    git(b.ws, 'commit', '-q', '-m', 'Submodule')
    const store = await b.open()
    const pointer = treeFiles(store, store.start.head).sub
    git(join(b.ws, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'moved')
    for (const folder of ['vendor/x', 'vendor/empty']) git(b.ws, 'init', '-q', folder)
    write(b.ws, { 'vendor/x/f': 'x', 'vendor/y.txt': 'y\n' })
    git(join(b.ws, 'vendor/x'), 'add', '-A')
    git(join(b.ws, 'vendor/x'), 'commit', '-q', '-m', 'x')
    const made = await save(store)
    expect(treeFiles(store, made.tree)).toMatchObject({ sub: pointer, 'vendor/y.txt': 'y' })
    expect(Object.keys(treeFiles(store, made.tree)).sort()).toEqual([
      '.gitmodules',
      'src/a.txt',
      'sub',
      'vendor/y.txt',
    ])
    expect(made.leftOut.map(({ path, why }) => `${path.replace(/\/$/, '')}: ${why}`).sort()).toEqual([
      'sub: a submodule',
      'vendor/empty: a nested repository',
      'vendor/x: a nested repository',
    ])
    expect(await save(store, made.commit ?? '')).toMatchObject({ changed: false })
  })

  test('hostile names and links are named and left out, the rest goes in', async () => {
    await using b = await bench({ 'src/a.txt': 'one\n', link: 'x' })
    const store = await b.open()
    write(b.ws, {
      ':(glob)**x': 'ok\n',
      '-rf': 'ok\n',
      'it\'s "quoted"': 'ok\n',
      'back\\slash': 'ok\n',
      'tab\there': 'no\n',
      'SRC/A.txt': 'no\n',
      'git~1': 'no\n',
      'nul.txt': 'no\n',
    })
    writeFileSync(Buffer.from(`${b.ws}/\xff\xfe.txt`, 'latin1'), 'no\n')
    symlinkSync('/etc/passwd', join(b.ws, 'out'))
    symlinkSync('../../outside', join(b.ws, 'src/up'))
    symlinkSync('../src/a.txt', join(b.ws, 'src/inside'))
    rmSync(join(b.ws, 'link'))
    symlinkSync('.git/config', join(b.ws, 'link'))
    const made = await save(store)
    expect(Object.keys(treeFiles(store, made.tree)).sort()).toEqual([
      '-rf',
      ':(glob)**x',
      'back\\slash',
      'it\'s "quoted"',
      'link',
      'src/a.txt',
      'src/inside',
    ])
    expect(treeFiles(store, made.tree).link).toBe('x')
    expect(made.leftOut.map(({ path }) => path).sort()).toEqual([
      'SRC/A.txt',
      'git~1',
      'link',
      'nul.txt',
      'out',
      'src/up',
      'tab\there',
      '\ufffd\ufffd.txt',
    ])
  })

  test('R36: whatever the agent does to its repository', async () => {
    await using b = await bench()
    const store = await b.open()
    const parent = store.start.head
    let n = 0
    const trial = async (what: string, move: () => void) => {
      write(b.ws, { 'src/a.txt': `${what} ${n++}\n` })
      move()
      const made = await save(store, parent)
      expect(treeFiles(store, made.tree), what).toEqual({ 'src/a.txt': `${what} ${n - 1}` })
      expect(authorOf(store, made.commit), what).toContain(`|${parent}|`)
    }
    await trial('commits', () => git(b.ws, 'commit', '-qam', 'x'))
    await trial('amends', () => git(b.ws, 'commit', '-qa', '--amend', '-m', 'y'))
    await trial('resets', () => git(b.ws, 'reset', '-q', '--soft', 'HEAD'))
    await trial('orphans', () => git(b.ws, 'checkout', '-q', '--orphan', 'other'))
    await trial('detaches', () => {
      git(b.ws, 'checkout', '-q', '--detach', '-f', 'main')
      write(b.ws, { 'src/a.txt': `detaches ${n - 1}\n` })
    })
    await trial('hides', () => git(b.ws, 'update-index', '--assume-unchanged', 'src/a.txt'))
    await trial('skips', () => git(b.ws, 'update-index', '--skip-worktree', 'src/a.txt'))
    await trial('empties its index', () => git(b.ws, 'read-tree', '--empty'))
    await trial('locks', () => writeFileSync(join(b.ws, '.git/index.lock'), ''))
    await trial('replaces', () =>
      git(b.ws, 'replace', '-f', parent, git(b.ws, 'commit-tree', '-m', 'z', `${parent}^{tree}`)),
    )
    await trial('goes sparse', () => git(b.ws, 'config', 'core.sparseCheckout', 'true'))
    await trial('breaks HEAD', () => writeFileSync(join(b.ws, '.git/HEAD'), 'rubbish'))
    await trial('deletes .git', () => rmSync(join(b.ws, '.git'), { recursive: true }))
    await trial('puts a file for .git', () => writeFileSync(join(b.ws, '.git'), 'gitdir: /nonexistent\n'))
  })

  test('F40: the repository’s own hooks do not get in the way', async () => {
    await using b = await bench()
    for (const hook of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-index-change'])
      write(join(b.ws, '.git/hooks'), { [`${hook}*`]: '#!/bin/sh\nexit 1\n' })
    const store = await b.open()
    write(b.ws, { 'src/a.txt': 'two\n' })
    expect((await save(store)).changed).toBe(true)
  })

  test('F42: files of an LFS repository without git-lfs do not flip, and it is said', async () => {
    await using b = await bench({
      'big.bin': 'version https://git-lfs.github.com/spec/v1\n',
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    })
    write(b.ws, { 'big.bin': 'the real content' })
    const store = await b.open()
    expect(store.start.warnings.join()).toContain('git-lfs is not installed')
    write(b.ws, { 'a.txt': 'new\n' })
    expect(Object.keys(treeFiles(store, (await save(store)).tree))).toContain('a.txt')
    expect(treeFiles(store, (await save(store)).tree)['big.bin']).toContain('version')
  })

  test('a trusted git-lfs is run, and no other filter', async () => {
    await using b = await bench({
      'big.bin': 'POINTER 1\n',
      'n.ipynb': 'stripped\n',
      '.gitattributes': '*.bin filter=lfs\n*.ipynb filter=strip\n',
    })
    write(b.ws, { 'big.bin': 'REAL 1\n' })
    git(b.ws, 'config', 'filter.strip.clean', `touch ${b.root}/sentinel; cat`)
    const store = await b.open({ lfs: join(import.meta.dirname, '../fixtures/programs/git-lfs') })
    expect(store.start).toMatchObject({ lfs: expect.stringContaining('git-lfs'), dirty: [] })
    write(b.ws, { 'n.ipynb': 'with output\n', 'src/a.txt': 'x\n', 'big.bin': 'REAL 2\n' })
    const made = await save(store)
    expect(existsSync(join(b.root, 'sentinel'))).toBe(false)
    expect(made.leftOut).toEqual([{ path: 'n.ipynb', why: 'the filter strip is not run here' }])
    expect(treeFiles(store, made.tree)).toMatchObject({
      'n.ipynb': 'stripped',
      'src/a.txt': 'x',
      'big.bin': 'POINTER 2',
    })
  })

  test('an unreadable file is named and keeps its content', async () => {
    await using b = await bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const store = await b.open()
    const probe = join(b.ws, 'a.txt')
    write(b.ws, { 'a.txt': 'changed\n', 'b.txt': 'B\n' })
    chmodSync(probe, 0)
    const readable = process.getuid?.() === 0 // root reads everything
    const made = await save(store)
    expect(treeFiles(store, made.tree)).toEqual({ 'a.txt': readable ? 'changed' : 'a', 'b.txt': 'B' })
    expect(made.leftOut.map(({ path }) => path)).toEqual(readable ? [] : ['a.txt'])
  })

  test('a thousand files and one of 20 MB arrive whole', async () => {
    await using b = await bench()
    const store = await b.open()
    write(
      b.ws,
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`gen/${i % 100}/${i}.txt`, `${i}\n`])),
    )
    write(b.ws, { 'big.bin': Buffer.alloc(20 << 20, 7) })
    const made = await save(store)
    expect(made).toMatchObject({ files: 1001, insertions: 1000, leftOut: [] })
  })
})

describe('the store', () => {
  test('is taken up again after a kill, with what was so at the start', async () => {
    await using b = await bench()
    write(b.ws, { 'notes.txt': 'mine\n' })
    const first = await b.open()
    write(b.ws, { 'src/a.txt': 'two\n', 'later.txt': 'agent\n' })
    writeFileSync(join(first.dir, 'index.lock'), '')
    rmSync(join(b.ws, '.git'), { recursive: true })
    const again = await b.open()
    expect(again.start).toEqual(first.start)
    expect(Object.keys(treeFiles(again, (await save(again)).tree))).toEqual(['later.txt', 'src/a.txt'])
  })

  test('starts afresh when its start was cut off', async () => {
    await using b = await bench()
    write(join(b.root, 'store'), { HEAD: 'half', 'objects/x': 'half' })
    expect((await b.open()).start.head).toBe(git(b.ws, 'rev-parse', 'HEAD'))
  })

  test('keeps no credentials of the remote’s address', async () => {
    await using b = await bench()
    git(b.ws, 'remote', 'add', 'origin', 'https://x-access-token:s3cret%2F1@example.com/o/r.git')
    const store = await b.open()
    expect([store.start.remote, store.token]).toEqual(['https://example.com/o/r.git', 's3cret/1'])
    expect(JSON.stringify(folderFiles(store.dir, true))).not.toContain('s3cret')
  })

  test.each([
    [
      'a folder that is no repository',
      (ws: string) => rmSync(join(ws, '.git'), { recursive: true }),
      /not the root of a git repository/,
    ],
    ['a repository without a commit', (ws: string) => git(ws, 'update-ref', '-d', 'HEAD'), /no commit yet/],
    ['a partial clone', (ws: string) => git(ws, 'config', 'remote.origin.promisor', 'true'), /partial clone/],
  ])('refuses %s in words', async (_, spoil, words) => {
    await using b = await bench()
    spoil(b.ws)
    await expect(b.open()).rejects.toThrow(words)
  })

  test('works in a linked work tree', async () => {
    await using b = await bench()
    const linked = join(b.root, 'linked')
    git(b.ws, 'worktree', 'add', '-q', linked)
    const store = await b.open({ workspace: linked })
    write(linked, { 'src/a.txt': 'two\n' })
    expect(treeFiles(store, (await save(store)).tree)).toEqual({ 'src/a.txt': 'two' })
  })

  test('works with SHA-256', async () => {
    await using b = await bench()
    rmSync(join(b.ws, '.git'), { recursive: true })
    git(b.ws, 'init', '-q', '-b', 'main', '--object-format=sha256')
    git(b.ws, 'add', '-A')
    git(b.ws, 'commit', '-qm', 'Start')
    const store = await b.open()
    write(b.ws, { 'git~1': 'no', 'src/a.txt': 'two\n', nul: 'no' })
    const made = await save(store)
    expect(made.commit).toHaveLength(64)
    expect(treeFiles(store, made.tree)).toEqual({ 'src/a.txt': 'two' })
  })

  test('is opened through a link to the workspace', async () => {
    await using b = await bench()
    symlinkSync(b.ws, join(b.root, 'link'))
    expect((await b.open({ workspace: join(b.root, 'link') })).workspace).toBe(b.ws)
  })
})
