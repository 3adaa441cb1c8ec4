import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoint } from '../../src/adapters/checkpoint.ts'
import { judgeTree } from '../../src/adapters/judge-tree.ts'
import { type JudgePlace, openPlace, type PlaceRequest, recoverPlace } from '../../src/adapters/place.ts'
import type { Store } from '../../src/adapters/store.ts'
import { compiled } from '../fixtures/compiled.ts'
import { type Bench, bench, folderFiles, git, treeFiles, write } from '../rig/repository.ts'

const open = async (
  b: Bench,
  options: Partial<PlaceRequest> & { lfs?: string } = {},
): Promise<{ store: Store; place: JudgePlace }> => {
  const { lfs = null, ...rest } = options
  const store = await b.open({ lfs })
  const place = await openPlace({ store, dir: join(b.root, 'place'), base: store.start.head, ...rest })
  return { store, place }
}

const inode = (path: string) => lstatSync(path).ino

const start = { 'src/a.txt': 'one\n', 'test/a.test.js': 'test\n', '.gitignore': 'node_modules\n*.log\n' }

const modes = ['swapped', 'in place'] as const
const inMode = (mode: (typeof modes)[number]) => (mode === 'swapped' ? {} : { mostCopied: -1 })

describe.each(modes)('J, %s', (mode) => {
  test('lies at the workspace’s path in a clean repository of ours; then the agent’s work is back', async () => {
    await using b = await bench(start)
    git(b.ws, 'tag', 'v1.0')
    git(b.ws, 'remote', 'add', 'origin', 'https://x:s3cret@example.com/o/r.git')
    const { store, place } = await open(b, inMode(mode))
    expect(place.mode).toBe(mode)
    write(b.ws, {
      'src/a.txt': 'two\n',
      'src/new.txt': 'new\n',
      'test/a.test.js': 'weakened\n',
      '.github/workflows/x.yml': 'on: push\n',
    })
    git(b.ws, 'commit', '-qam', 'the agent’s')
    const made = await checkpoint(store, { parent: store.start.head, message: 'x' })
    const j = await judgeTree(store, { candidate: made.tree, base: store.start.headTree, tests: 'additive' })
    expect(j).toMatchObject({ differs: true, restored: ['.github/workflows/x.yml', 'test/a.test.js'] })
    const before = folderFiles(b.ws, true)
    const [folder, repository] = [inode(b.ws), inode(join(b.ws, '.git'))]
    const answer = await place.judge(j.tree, async (path) => {
      expect(path).toBe(b.ws)
      expect(folderFiles(path)).toEqual({ ...start, 'src/a.txt': 'two\n', 'src/new.txt': 'new\n' })
      expect(git(path, 'status', '--porcelain')).toBe('')
      expect(git(path, 'rev-parse', 'HEAD^{tree}')).toBe(j.tree)
      expect(git(path, 'rev-parse', 'HEAD^', 'main', 'origin/main')).toBe(
        Array(3).fill(store.start.head).join('\n'),
      )
      expect(git(path, 'describe', '--tags')).toMatch(/^v1.0-1-g/)
      expect(git(path, 'diff', '--name-only', 'origin/main')).toBe('src/a.txt\nsrc/new.txt')
      expect(JSON.stringify(folderFiles(path, true))).not.toContain('s3cret')
      return 42
    })
    expect(answer).toBe(42)
    expect(folderFiles(b.ws, true)).toEqual(before)
    expect([inode(b.ws), inode(join(b.ws, '.git'))]).toEqual([folder, repository])
    expect(await checkpoint(store, { parent: made.commit ?? '', message: 'x' })).toMatchObject({
      changed: false,
    })
  })

  test('a candidate that is judged as it is has its own commit for HEAD', async () => {
    await using b = await bench(start)
    const { store, place } = await open(b, inMode(mode))
    write(b.ws, { 'src/a.txt': 'two\n' })
    const { commit, tree } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    expect(await place.judge(tree, async (path) => git(path, 'rev-parse', 'HEAD'))).toBe(commit)
  })

  test('is taken away again when the run throws', async () => {
    await using b = await bench(start)
    const { store, place } = await open(b, inMode(mode))
    const before = folderFiles(b.ws, true)
    const run = place.judge(store.start.headTree, async (path) => {
      writeFileSync(join(path, 'src/a.txt'), 'spoilt')
      throw new Error('verifier')
    })
    await expect(run).rejects.toThrow('verifier')
    expect(folderFiles(b.ws, true)).toEqual(before)
  })

  test('R28: what the verifier changed is undone before the next judging', async () => {
    await using b = await bench({ ...start, 'lib/x/y.txt': 'y\n', 'run.sh*': '#!/bin/sh\n' })
    write(b.ws, { 'node_modules/m.js': 'm\n' })
    const { store, place } = await open(b, inMode(mode))
    await place.judge(store.start.headTree, async (path) => {
      write(path, {
        'src/a.txt': 'ONE\n',
        'coverage/index.html': 'x\n',
        'new.txt': 'new\n',
        '.gitignore': 'new.txt\ncoverage\n',
        'a.log': 'kept\n',
      })
      chmodSync(join(path, 'run.sh'), 0o644)
      rmSync(join(path, 'test'), { recursive: true })
      rmSync(join(path, 'lib'), { recursive: true })
      mkdirSync(join(b.root, 'elsewhere/x'), { recursive: true })
      writeFileSync(join(b.root, 'elsewhere/x/y.txt'), 'outside')
      symlinkSync(join(b.root, 'elsewhere'), join(path, 'lib'))
      git(path, 'init', '-q', 'nested')
      git(path, 'config', 'core.hooksPath', '/nonexistent')
      git(path, 'commit', '-q', '--allow-empty', '-m', 'the verifier’s')
      git(path, 'branch', 'theirs')
      write(path, { '.git/hooks/post-checkout*': '#!/bin/sh\n' })
      git(path, 'config', 'core.fsmonitor', `touch ${b.root}/sentinel`)
    })
    const clean = {
      ...start,
      'lib/x/y.txt': 'y\n',
      'run.sh': '#!/bin/sh\n',
      'node_modules/m.js': 'm\n',
      'a.log': 'kept\n',
    }
    await place.judge(store.start.headTree, async (path) => {
      const { 'nested/.git/config': _, ...files } = folderFiles(path)
      expect(files).toEqual(clean)
      expect(git(path, 'status', '--porcelain').replace('?? nested/', '')).toBe('')
      expect(git(path, 'rev-parse', 'HEAD')).toBe(store.start.head)
      expect(git(path, 'for-each-ref', '--format=%(refname)')).toBe(
        'refs/heads/main\nrefs/remotes/origin/main',
      )
      expect(existsSync(join(path, '.git/hooks'))).toBe(false)
      expect(lstatSync(join(path, 'run.sh')).mode & 0o111).not.toBe(0)
    })
    expect(readFileSync(join(b.root, 'elsewhere/x/y.txt'), 'utf8')).toBe('outside')
    expect(existsSync(join(b.root, 'sentinel'))).toBe(false)
  })

  test('with files that were changed or untracked before the start', async () => {
    await using b = await bench({ ...start, 'gone.txt': 'base\n' })
    write(b.ws, { 'src/a.txt': 'dirty\n', 'config.json': '{}\n' })
    rmSync(join(b.ws, 'gone.txt'))
    const { store, place } = await open(b, inMode(mode))
    const { tree } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    const before = folderFiles(b.ws, true)
    await place.judge(tree, async (path) => {
      expect(folderFiles(path)).toMatchObject({ 'src/a.txt': 'one\n', 'config.json': '{}\n' })
      expect(git(path, 'status', '--porcelain')).toBe('')
    })
    expect(folderFiles(b.ws, true)).toEqual(before)
  })

  test('F41: the commit holds the agent’s change only, whatever the verifier leaves', async () => {
    await using b = await bench({ ...start, 'snap.txt': 'snapshot\n' })
    write(b.ws, { 'notes.txt': 'mine\n' })
    const { store, place } = await open(b, inMode(mode))
    write(b.ws, { 'src/a.txt': 'two\n' })
    const first = await checkpoint(store, { parent: store.start.head, message: 'x' })
    await place.judge(first.tree, async (path) =>
      write(path, { 'coverage/x': 'x\n', 'snap.txt': 'changed\n' }),
    )
    expect(git(store.dir, 'diff-tree', '-r', '--name-only', store.start.head, first.commit ?? '')).toBe(
      'src/a.txt',
    )
    expect(await checkpoint(store, { parent: first.commit ?? '', message: 'x' })).toMatchObject({
      changed: false,
    })
  })
})

describe('the judge’s ignored files', () => {
  test('are a copy from before the first session, in no way shared with the agent', async () => {
    await using b = await bench(start)
    write(b.ws, {
      'node_modules/m/index.js': 'good\n',
      'node_modules/.bin/tool*': 'tool\n',
      'pkg/b.log': 'log\n',
      '.harness/loop/handoff.md': 'ours\n',
    })
    symlinkSync('m/index.js', join(b.ws, 'node_modules/link'))
    const { store, place } = await open(b)
    expect(place.copied.bytes).toBeGreaterThan(0)
    appendFileSync(join(b.ws, 'node_modules/m/index.js'), 'evil\n')
    write(b.ws, { 'node_modules/shim.js': 'evil\n' })
    await place.judge(store.start.headTree, async (path) => {
      expect(folderFiles(path)).toEqual({
        ...start,
        'node_modules/.bin/tool': 'tool\n',
        'node_modules/m/index.js': 'good\n',
        'pkg/b.log': 'log\n',
      })
      expect(lstatSync(join(path, 'node_modules/.bin/tool')).mode & 0o111).not.toBe(0)
      expect(lstatSync(join(path, 'node_modules/link')).isSymbolicLink()).toBe(true)
      write(path, { 'node_modules/cache': 'verifier\n' })
    })
    expect(existsSync(join(b.ws, 'node_modules/cache'))).toBe(false)
    expect(readFileSync(join(b.ws, 'node_modules/m/index.js'), 'utf8')).toBe('good\nevil\n')
  })

  test('V19: a pristine judging starts from the copy, others from where the last one ended', async () => {
    await using b = await bench(start)
    write(b.ws, { 'node_modules/m.js': 'good\n' })
    const { store, place } = await open(b)
    const judge = (pristine: boolean) =>
      place.judge(
        store.start.headTree,
        async (path) => {
          const found = folderFiles(join(path, 'node_modules'))
          write(path, { 'node_modules/counter': 'x\n', 'node_modules/m.js': 'bad\n' })
          return found
        },
        { pristine },
      )
    const good = { 'm.js': 'good\n' }
    const used = { counter: 'x\n', 'm.js': 'bad\n' }
    expect([
      await judge(false),
      await judge(false),
      await judge(true),
      await judge(true),
      await judge(false),
    ]).toEqual([good, used, good, good, used])
  })

  test('with the content of submodules', async () => {
    await using b = await bench(start)
    const lib = join(b.root, 'lib')
    execFileSync('git', ['clone', '-q', b.ws, lib])
    git(b.ws, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'sub')
    git(b.ws, 'commit', '-q', '-m', 'Submodule')
    const { store, place } = await open(b)
    write(b.ws, { 'sub/src/a.txt': 'the agent’s\n' })
    await place.judge(store.start.headTree, async (path) => {
      expect(folderFiles(path)).toMatchObject({ 'sub/src/a.txt': 'one\n' })
      expect(git(path, 'status', '--porcelain')).toBe('')
    })
  })

  test('names with blanks, quotes, leading dashes; a folder that cannot be read whole is told', async () => {
    await using b = await bench(start)
    write(b.ws, { 'node_modules/a b/"c".js': 'x\n', '-rf.log': 'x\n', "it's.log": 'x\n' })
    const { store, place } = await open(b)
    await place.judge(store.start.headTree, async (path) => {
      expect(folderFiles(path)).toEqual({
        ...start,
        'node_modules/a b/"c".js': 'x\n',
        '-rf.log': 'x\n',
        "it's.log": 'x\n',
      })
    })
  })

  test('a sparse checkout is judged sparse', async () => {
    await using b = await bench({ ...start, 'out/b.txt': 'b\n' })
    git(b.ws, 'sparse-checkout', 'set', 'src')
    const { store, place } = await open(b)
    await place.judge(store.start.headTree, async (path) => {
      expect(existsSync(join(path, 'out'))).toBe(false)
      expect(git(path, 'status', '--porcelain')).toBe('')
    })
  })

  test('files of Git LFS are written by the trusted program', async () => {
    await using b = await bench({ 'big.bin': 'POINTER 1\n', '.gitattributes': '*.bin filter=lfs\n' })
    write(b.ws, { 'big.bin': 'REAL 1\n' })
    const { store, place } = await open(b, { lfs: join(import.meta.dirname, '../fixtures/programs/git-lfs') })
    await place.judge(store.start.headTree, async (path) => {
      expect(readFileSync(join(path, 'big.bin'), 'utf8')).toBe('REAL 1\n')
      expect(git(path, 'status', '--porcelain')).toBe('')
    })
  })
})

describe('judged in place, and it is said why', () => {
  test('too many ignored files', async () => {
    await using b = await bench(start)
    write(b.ws, { 'node_modules/m.js': 'm\n' })
    expect((await open(b, { mostCopied: 1 })).place).toMatchObject({
      mode: 'in place',
      why: expect.stringContaining('ignored files take'),
    })
  })

  test('no file system in common', async () => {
    await using b = await bench(start)
    const dir = mkdtempSync('/dev/shm/ralph-place-')
    try {
      const { store, place } = await open(b, { dir })
      expect(place).toMatchObject({ mode: 'in place', why: expect.stringContaining('shares no file system') })
      write(b.ws, { 'src/a.txt': 'agent\n' })
      const before = folderFiles(b.ws, true)
      await place.judge(store.start.headTree, async (path) => {
        expect(folderFiles(path)).toEqual(start)
        write(path, { 'src/a.txt': 'verifier\n', 'x.txt': 'x\n' })
      })
      expect(folderFiles(b.ws, true)).toEqual(before)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  test('what may not be committed is still there afterwards', async () => {
    await using b = await bench(start)
    const { store, place } = await open(b, inMode('in place'))
    write(b.ws, { 'src/a.txt': 'agent\n', 'SRC/A.txt': 'twin\n' })
    symlinkSync('/etc', join(b.ws, 'out'))
    git(b.ws, 'init', '-q', 'nested')
    write(b.ws, { 'nested/f': 'f\n' })
    const before = folderFiles(b.ws, true)
    const { tree } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    await place.judge(tree, async (path) => {
      expect(existsSync(join(path, 'out'))).toBe(false)
      expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('agent\n')
    })
    expect(folderFiles(b.ws, true)).toEqual(before)
    expect(lstatSync(join(b.ws, 'out')).isSymbolicLink()).toBe(true)
  })
})

describe('the swap', () => {
  test('survives a verifier that deletes the workspace, or makes it anew afterwards', async () => {
    await using b = await bench(start)
    const { store, place } = await open(b)
    const before = folderFiles(b.ws, true)
    await place.judge(store.start.headTree, async (path) => rmSync(path, { recursive: true }))
    expect(folderFiles(b.ws, true)).toEqual(before)
    await place.judge(store.start.headTree, async (path) => {
      expect(folderFiles(path)).toEqual(start)
      rmSync(path, { recursive: true })
      write(path, { 'late.txt': 'x' })
    })
    expect(folderFiles(b.ws, true)).toEqual(before)
    await place.judge(store.start.headTree, async (path) => expect(folderFiles(path)).toEqual(start))
  })

  test('a place inside the work tree is refused', async () => {
    await using b = await bench(start)
    await expect(open(b, { dir: join(b.ws, '.ralph') })).rejects.toThrow(/lies in the work tree/)
  })

  test.each(modes)(
    'R1: a kill before any of its steps is put right (%s)',
    async (mode) => {
      await using b = await bench(start)
      write(b.ws, { 'node_modules/m.js': 'good\n' })
      const { store } = await open(b, inMode(mode))
      write(b.ws, { 'src/a.txt': 'agent\n', 'node_modules/m.js': 'agent’s\n' })
      const { tree } = await checkpoint(store, { parent: store.start.head, message: 'x' })
      const before = folderFiles(b.ws, true)
      using build = compiled()
      const driver = join(b.root, 'driver.mjs')
      writeFileSync(driver, killedDriver)
      let steps = 0
      for (let ended = false; !ended; steps++) {
        const child = spawnSync(process.execPath, [driver, build.href, b.root, tree, String(steps), mode], {
          encoding: 'utf8',
        })
        expect(child.stderr).toBe('')
        ended = child.status === 0
        expect(child.signal).toBe(ended ? null : 'SIGKILL')
        await recoverPlace(b.git, join(b.root, 'place'))
        await recoverPlace(b.git, join(b.root, 'place'))
        expect(folderFiles(b.ws, true), `step ${steps}`).toEqual(before)
      }
      expect(steps).toBeGreaterThan(4)
      const place = await openPlace({
        store: await b.open(),
        dir: join(b.root, 'place'),
        base: store.start.head,
      })
      expect(place.mode).toBe(mode)
      const module = await place.judge(
        tree,
        async (path) => readFileSync(join(path, 'node_modules/m.js'), 'utf8'),
        { pristine: true },
      )
      expect(module).toBe(mode === 'swapped' ? 'good\n' : 'agent’s\n')
      expect(treeFiles(store, tree)).toMatchObject({ 'src/a.txt': 'agent' })
    },
    120_000,
  )
})

/** Opens the place again and judges; dies before the given rename or start of a program, or in the middle of the run. */
const killedDriver = `
import child_process from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const [, , src, root, tree, step, what] = process.argv
let left = Number(step)
const dieIfDue = () => left-- === 0 && process.kill(process.pid, 'SIGKILL')
const { spawn } = child_process
child_process.spawn = (...all) => {
  if (what === 'in place') dieIfDue() // else git is at work outside the workspace only
  return spawn(...all)
}
const { renameSync } = fs
fs.renameSync = (from, to) => {
  dieIfDue()
  renameSync(from, to)
}
syncBuiltinESMExports()
const { createGit } = await import(src + 'adapters/git.js')
const { openStore } = await import(src + 'adapters/store.js')
const { openPlace } = await import(src + 'adapters/place.js')
const git = createGit(process.env)
const store = await openStore({ git, dir: root + '/store', workspace: root + '/ws', exclude: ['/.harness/loop/'], lfs: null })
const place = await openPlace({ store, dir: root + '/place', base: store.start.head })
await place.judge(tree, async (path) => {
  fs.writeFileSync(path + '/verifier.txt', 'x')
  fs.writeFileSync(path + '/src/a.txt', 'verifier')
  dieIfDue()
})
`
