import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Adopted } from '../../src/adapters/adopt.ts'
import { checkoutBranches, deliver } from '../../src/adapters/checkout-branch.ts'
import { checkpoint } from '../../src/adapters/checkpoint.ts'
import { createGit, onPath } from '../../src/adapters/git.ts'
import { openRemote, type Remote } from '../../src/adapters/remote.ts'
import type { Store } from '../../src/adapters/store.ts'
import { type Bench, bench, type Files, folderFiles, git, write } from '../rig/repository.ts'

const branch = 'ralph/issue-7'
const words = { base: 'main', message: `Merge main into ${branch}\n` }

/** A checkout whose `origin` is a bare repository beside it, and a clone of a person. */
const withRemote = (b: Bench): { bare: string; person: string } => {
  const bare = join(b.root, 'r.git')
  const person = join(b.root, 'person')
  git(b.root, 'clone', '-q', '--bare', b.ws, bare)
  git(b.ws, 'remote', 'add', 'origin', bare)
  git(b.root, 'clone', '-q', bare, person)
  return { bare, person }
}

const commit = (folder: string, message: string, files: Files): string => {
  write(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '--allow-empty', '-m', message)
  return git(folder, 'rev-parse', 'HEAD')
}

/** The branch with one commit of ours and two of a person. */
const earlier = (person: string): string => {
  git(person, 'checkout', '-q', '-b', branch)
  for (const n of ['ours', 'human 1', 'human 2'])
    commit(person, n, { 'src/a.txt': `${n}\n`, 'src/b.txt': 'new\n' })
  git(person, 'push', '-q', 'origin', branch)
  return git(person, 'rev-parse', 'HEAD')
}

/** Commits on `main` that change nothing. */
const emptyCommits = (folder: string, count: number): void => {
  const one =
    'commit refs/heads/main\ncommitter Ada <ada@example.com> 0 +0000\ndata 0\nfrom refs/heads/main^0\n'
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: one.repeat(count) })
}

const open = async (store: Store): Promise<Remote> => {
  const remote = await openRemote({ store, token: null, waits: [] })
  if (remote === null) throw new Error('no remote')
  return remote
}

const adopted = async (store: Store): Promise<Adopted> => {
  const adoption = await (await open(store)).adopt(branch, words)
  if (adoption?.kind !== 'adopted') throw new Error(`not adopted: ${adoption?.kind}`)
  return adoption
}

describe('F32: a branch of ours that is there already', () => {
  test('is gone on with: its commits stay, its files lie in the work tree, HEAD stays', async () => {
    await using b = await bench({ 'src/a.txt': 'one\n', 'src/c.txt': 'c\n' })
    const { bare, person } = withRemote(b)
    const tip = earlier(person)
    const before = readFileSync(join(b.ws, '.git/HEAD'), 'utf8') + git(b.ws, 'rev-parse', 'HEAD')
    const store = await b.open()
    expect(await adopted(store)).toEqual({ kind: 'adopted', found: tip, tip, ahead: 3, warnings: [] })
    expect(readFileSync(join(b.ws, 'src/a.txt'), 'utf8')).toBe('human 2\n')
    expect(readFileSync(join(b.ws, '.git/HEAD'), 'utf8') + git(b.ws, 'rev-parse', 'HEAD')).toBe(before)
    expect(await checkpoint(store, { parent: tip, message: 'x' })).toMatchObject({ changed: false })
    write(b.ws, { 'src/c.txt': 'C\n' })
    const made = await checkpoint(store, { parent: tip, message: 'x' })
    expect(made.files).toBe(1)
    const pushed = await (await open(store)).push({ commit: made.commit ?? '', branch, expected: tip })
    expect(pushed).toEqual({ kind: 'pushed' })
    expect(git(bare, 'rev-list', '--count', `main..${branch}`)).toBe('4')
  })

  test('is not there', async () => {
    await using b = await bench()
    withRemote(b)
    expect(await (await open(await b.open())).adopt(branch, words)).toBeNull()
  })

  test.each([
    ['a changed file', { 'src/a.txt': 'dirty\n' }],
    ['an untracked file', { 'src/b.txt': 'mine\n' }],
  ])('fails cleanly when %s is in the way', async (_, files) => {
    await using b = await bench({ 'src/a.txt': 'one\n' })
    earlier(withRemote(b).person)
    write(b.ws, files)
    const before = folderFiles(b.ws)
    const store = await b.open()
    await expect(adopted(store)).rejects.toThrow(Object.keys(files)[0])
    expect(folderFiles(b.ws)).toEqual(before)
    const made = await checkpoint(store, { parent: store.start.head, message: 'x' })
    expect(made).toMatchObject({ changed: false })
  })

  test('F37: a shallow checkout finds where it forked; a full one stays full', async () => {
    await using b = await bench()
    const { bare, person } = withRemote(b)
    const found = earlier(person)
    emptyCommits(b.ws, 60)
    git(b.ws, 'push', '-q', 'origin', 'main')
    const shallow = join(b.root, 'shallow')
    git(b.root, 'clone', '-q', '--depth=1', `file://${bare}`, shallow)
    const store = await b.open({ workspace: shallow })
    expect(await adopted(store)).toMatchObject({ found, ahead: 3, warnings: [] })
    const full = await b.open({ dir: join(b.root, 'store-2') })
    expect(await adopted(full)).toMatchObject({ found, ahead: 3, warnings: [] })
    expect(existsSync(join(full.dir, 'shallow'))).toBe(false)
  })
})

describe('F32: the base has gone on since', () => {
  const moved = async (b: Bench, files: Files): Promise<{ found: string; store: Store }> => {
    const found = earlier(withRemote(b).person)
    commit(b.ws, 'newer', files)
    return { found, store: await b.open() }
  }

  test('it is merged into the branch by one commit of ours', async () => {
    await using b = await bench({ 'src/a.txt': 'one\n', 'src/c.txt': 'c\n' })
    const { found, store } = await moved(b, { 'src/c.txt': 'newer\n' })
    const { tip, ahead } = await adopted(store)
    expect(git(store.dir, 'show', '-s', '--format=%P%n%an%n%s', tip).split('\n')).toEqual([
      `${found} ${store.start.head}`,
      'github-actions[bot]',
      `Merge main into ${branch}`,
    ])
    expect(ahead).toBe(3)
    expect(folderFiles(b.ws)).toEqual({
      'src/a.txt': 'human 2\n',
      'src/b.txt': 'new\n',
      'src/c.txt': 'newer\n',
    })
    expect(await checkpoint(store, { parent: tip, message: 'x' })).toMatchObject({ changed: false })
  })

  test('a conflict is told with its files and the ways out, and nothing is changed', async () => {
    await using b = await bench()
    const { store } = await moved(b, { 'src/a.txt': 'newer\n' })
    await expect(adopted(store)).rejects.toThrow(
      `${branch} and main change the same places in src/a.txt. Merge main into ${branch} and push it, or delete`,
    )
    expect(folderFiles(b.ws)).toEqual({ 'src/a.txt': 'newer\n' })
  })

  test('a git that cannot merge without files goes on without, and says so', async () => {
    await using b = await bench({ 'src/a.txt': 'one\n', 'src/c.txt': 'c\n' })
    const { found } = await moved(b, { 'src/c.txt': 'newer\n' })
    const old = join(b.root, 'bin')
    mkdirSync(old)
    const program = onPath('git', process.env.PATH)
    writeFileSync(
      join(old, 'git'),
      `#!/bin/sh\ncase "$*" in *--write-tree*) exit 129;; esac\nexec ${program} "$@"\n`,
    )
    chmodSync(join(old, 'git'), 0o755)
    const store = await b.open({
      git: createGit({ PATH: `${old}:${process.env.PATH}` }),
      dir: join(b.root, 'store-2'),
    })
    const { tip, warnings } = await adopted(store)
    expect(tip).toBe(found)
    expect(warnings.join()).toContain('git 2.38')
  })
})

describe('F32: a branch that holds nothing of its own', () => {
  test.each([
    ['merged', ['merge', '-q', '--no-ff', '-m', 'merged', branch]],
    ['merged by a fast-forward', ['merge', '-q', branch]],
    ['merged as one commit', ['merge', '-q', '--squash', branch]],
  ])('%s, with newer commits on the base', async (_, merge) => {
    await using b = await bench()
    const { person } = withRemote(b)
    const found = earlier(person)
    git(person, 'checkout', '-q', 'main')
    git(person, ...merge)
    commit(person, 'squash, perhaps', {})
    commit(person, 'newer', { 'src/a.txt': 'newer\n' })
    git(person, 'push', '-q', 'origin', 'main')
    git(b.ws, 'pull', '-q', 'origin', 'main')
    const before = folderFiles(b.ws)
    const store = await b.open()
    expect(await (await open(store)).adopt(branch, words)).toEqual({ kind: 'merged', found })
    expect(folderFiles(b.ws)).toEqual(before)
  })

  test('one that nobody has worked on', async () => {
    await using b = await bench()
    withRemote(b)
    git(b.ws, 'push', '-q', 'origin', `main:refs/heads/${branch}`)
    const store = await b.open()
    const adoption = await (await open(store)).adopt(branch, words)
    expect(adoption).toEqual({ kind: 'merged', found: store.start.head })
  })
})

describe('a checkout without a remote', () => {
  test('gets the work on a branch of its own, forward only; nothing else of it moves and no hook runs', async () => {
    await using b = await bench()
    const hook = `#!/bin/sh\ntouch ${join(b.root, 'ran')}\nexit 1\n`
    write(b.ws, { '.git/hooks/reference-transaction*': hook, '.git/hooks/post-merge*': hook })
    const before = git(b.ws, 'rev-parse', 'HEAD', 'main')
    const store = await b.open()
    expect(await (await checkoutBranches(b.git, store)).names).toEqual(['main'])
    write(b.ws, { 'src/a.txt': 'two\n' })
    const { commit: made } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    expect(await deliver(b.git, store, branch, made ?? '')).toBeNull()
    expect(git(b.ws, 'rev-parse', branch)).toBe(made)
    expect(git(b.ws, 'rev-parse', 'HEAD', 'main')).toBe(before)
    expect(git(b.ws, 'status', '--porcelain')).toBe('M src/a.txt')
    expect(await deliver(b.git, store, branch, store.start.head)).toContain('non-fast-forward')
    expect(existsSync(join(b.root, 'ran'))).toBe(false)

    git(b.ws, 'checkout', '-q', '-f', 'main')
    const next = await b.open({ dir: join(b.root, 'store-2') })
    const branches = await checkoutBranches(b.git, next)
    expect(await branches.adopt(branch, words)).toMatchObject({ kind: 'adopted', found: made, ahead: 1 })
    expect(readFileSync(join(b.ws, 'src/a.txt'), 'utf8')).toBe('two\n')
  })
})
