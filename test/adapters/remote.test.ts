import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoint } from '../../src/adapters/checkpoint.ts'
import {
  openRemote,
  type Remote,
  type RemoteRequest,
  saveBundle,
  stateRef,
} from '../../src/adapters/remote.ts'
import { commitTree, type Store } from '../../src/adapters/store.ts'
import { gitServer } from '../rig/git-server.ts'
import { type Bench, bench, folderFiles, git, write } from '../rig/repository.ts'

const branch = 'ralph/issue-7'

/** A checkout whose `origin` is a bare repository beside it, with `main` pushed. */
const withRemote = async (b: Bench, address = join(b.root, 'srv/r.git')): Promise<string> => {
  const bare = join(b.root, 'srv/r.git')
  mkdirSync(join(b.root, 'srv'))
  git(b.root, 'clone', '-q', '--bare', b.ws, bare)
  git(bare, 'config', 'http.receivepack', 'true')
  git(b.ws, 'remote', 'add', 'origin', address)
  return bare
}

const open = async (store: Store, options: Partial<RemoteRequest> = {}): Promise<Remote> => {
  const remote = await openRemote({ store, token: null, waits: [], ...options })
  if (remote === null) throw new Error('no remote')
  return remote
}

const work = async (b: Bench, store: Store, text: string, parent = store.start.head): Promise<string> => {
  write(b.ws, { 'src/a.txt': text })
  return (await checkpoint(store, { parent, message: text })).commit ?? ''
}

const refs = (bare: string) => git(bare, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')

describe('a push', () => {
  test('makes the branch, moves it, and touches nothing else', async () => {
    await using b = await bench()
    const bare = await withRemote(b)
    write(join(bare, 'hooks'), { 'update*': `#!/bin/sh\necho "$1" >> ${b.root}/updates\n` })
    git(b.ws, 'tag', 'v1')
    const store = await b.open()
    const remote = await open(store)
    expect([remote.defaultBranch, remote.branches]).toEqual(['main', ['main']])
    const first = await work(b, store, 'one')
    const second = await work(b, store, 'two', first)
    expect(await remote.push({ commit: first, branch, expected: null })).toEqual({ kind: 'pushed' })
    expect(await remote.push({ commit: second, branch, expected: first })).toEqual({ kind: 'pushed' })
    expect(await remote.branch(branch)).toBe(second)
    expect(readFileSync(join(b.root, 'updates'), 'utf8')).toBe(`refs/heads/${branch}\nrefs/heads/${branch}\n`)
    expect(refs(bare)).toEqual([`refs/heads/main ${store.start.head}`, `refs/heads/${branch} ${second}`])
  })

  test('again of what is there already is a push, whatever was expected', async () => {
    await using b = await bench()
    await withRemote(b)
    const store = await b.open()
    const remote = await open(store)
    const commit = await work(b, store, 'one')
    for (const expected of [null, null, commit])
      expect(await remote.push({ commit, branch, expected })).toEqual({ kind: 'pushed' })
  })

  test('R8: never over the work of others', async () => {
    await using b = await bench()
    const bare = await withRemote(b)
    const store = await b.open()
    const remote = await open(store)
    const first = await work(b, store, 'one')
    await remote.push({ commit: first, branch, expected: null })
    const human = git(bare, 'commit-tree', '-p', first, '-m', 'human', `${first}^{tree}`)
    git(bare, 'update-ref', `refs/heads/${branch}`, human)
    const second = await work(b, store, 'two', first)
    for (const expected of [first, null, human]) {
      expect(await remote.push({ commit: second, branch, expected })).toMatchObject({
        kind: 'refused',
        class: 'moved',
      })
      expect(await remote.branch(branch)).toBe(human)
    }
  })

  test('a lease does not let a commit through that forgets the leased one', async () => {
    await using b = await bench()
    await withRemote(b)
    const store = await b.open()
    const remote = await open(store)
    const first = await work(b, store, 'one')
    await remote.push({ commit: first, branch, expected: null })
    const beside = await work(b, store, 'two')
    expect(await remote.push({ commit: beside, branch, expected: first })).toMatchObject({ class: 'moved' })
    expect(await remote.branch(branch)).toBe(first)
  })

  test.each(['main', 'Main', 'refs/heads/x', '--force', 'a..b'])(
    'T23: %s is refused before anything is sent',
    async (name) => {
      await using b = await bench()
      const bare = await withRemote(b)
      const store = await b.open()
      const before = refs(bare)
      const pushed = await (await open(store)).push({
        commit: await work(b, store, 'x'),
        branch: name,
        expected: null,
      })
      expect(pushed).toMatchObject({ kind: 'refused', class: 'protected' })
      expect(refs(bare)).toEqual(before)
    },
  )

  test('branch and state arrive together or not at all', async () => {
    await using b = await bench()
    const bare = await withRemote(b)
    const store = await b.open()
    const remote = await open(store)
    const commit = await work(b, store, 'one')
    const state = await commitTree(store, { tree: store.start.headTree, parents: [], message: 'state' })
    const other = await commitTree(store, { tree: store.start.headTree, parents: [], message: 'other' })
    git(store.dir, 'push', '-q', bare, `${other}:${stateRef(branch)}`)
    expect(
      await remote.push({ commit, branch, expected: null, state: { commit: state, expected: null } }),
    ).toMatchObject({ class: 'moved' })
    expect(await remote.branch(branch)).toBeNull()
    expect(
      await remote.push({ commit, branch, expected: null, state: { commit: state, expected: other } }),
    ).toEqual({ kind: 'pushed' })
    expect(refs(bare)).toContain(`${stateRef(branch)} ${state}`)
    expect(stateRef(branch)).toMatch(/^refs\/ralph\/[0-9a-f]{16}$/)
    expect(
      await remote.push({ commit, branch, expected: commit, state: { commit: null, expected: state } }),
    ).toEqual({ kind: 'pushed' })
    expect(refs(bare).join()).not.toContain('refs/ralph')
  })

  test('F37: from a shallow clone', async () => {
    await using b = await bench()
    for (const n of [1, 2, 3]) git(b.ws, 'commit', '-q', '--allow-empty', '-m', `${n}`)
    const bare = await withRemote(b)
    const shallow = join(b.root, 'shallow')
    git(b.root, 'clone', '-q', '--depth=1', `file://${bare}`, shallow)
    const store = await b.open({ workspace: shallow })
    write(shallow, { 'src/a.txt': 'two' })
    const { commit } = await checkpoint(store, { parent: store.start.head, message: 'x' })
    expect(await (await open(store)).push({ commit: commit ?? '', branch, expected: null })).toEqual({
      kind: 'pushed',
    })
    expect(git(bare, 'rev-list', '--count', branch)).toBe('5')
  })

  test('F34: a refusal by rules is told after exactly one attempt', async () => {
    await using b = await bench()
    const bare = await withRemote(b)
    const says = 'error: GH013: Repository rule violations found for refs/heads/ralph/issue-7.'
    write(join(bare, 'hooks'), {
      'pre-receive*': `#!/bin/sh\necho x >> ${b.root}/attempts\necho '${says}'\nexit 1\n`,
    })
    const store = await b.open()
    const refused = await (await open(store, { waits: [1, 1] })).push({
      commit: await work(b, store, 'x'),
      branch,
      expected: null,
    })
    expect(refused).toMatchObject({ kind: 'refused', class: 'rules' })
    expect(refused.kind === 'refused' && refused.text).toContain(says)
    expect(readFileSync(join(b.root, 'attempts'), 'utf8')).toBe('x\n')
  })

  test('F40: hooks of the checkout are not run, one of the remote is told as such', async () => {
    await using b = await bench()
    const bare = await withRemote(b)
    write(join(b.ws, '.git/hooks'), { 'pre-push*': `#!/bin/sh\ntouch ${b.root}/sentinel\nexit 1\n` })
    const store = await b.open()
    const remote = await open(store)
    const commit = await work(b, store, 'x')
    expect(await remote.push({ commit, branch, expected: null })).toEqual({ kind: 'pushed' })
    write(join(bare, 'hooks'), { 'update*': '#!/bin/sh\necho no pushes on Fridays\nexit 1\n' })
    const refused = await remote.push({ commit: await work(b, store, 'y', commit), branch, expected: commit })
    expect(refused).toMatchObject({ class: 'hook', text: expect.stringContaining('no pushes on Fridays') })
    expect(existsSync(join(b.root, 'sentinel'))).toBe(false)
  })
})

test('F42: large files of Git LFS are sent ahead', async () => {
  const oid = 'ab'.repeat(32)
  await using b = await bench({
    '.gitattributes': '*.bin filter=lfs\n',
    'old.bin': `oid sha256:${'cd'.repeat(32)}\n`,
  })
  await withRemote(b)
  const store = await b.open({ lfs: join(import.meta.dirname, '../fixtures/programs/git-lfs') })
  const remote = await open(store)
  const first = await work(b, store, 'no large file')
  expect(await remote.push({ commit: first, branch, expected: null })).toEqual({ kind: 'pushed' })
  expect(existsSync(join(store.dir, 'lfs-pushed'))).toBe(false)
  write(b.ws, { 'new.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 5\n` })
  const second = await work(b, store, 'one', first)
  expect(await remote.push({ commit: second, branch, expected: first })).toEqual({ kind: 'pushed' })
  expect(readFileSync(join(store.dir, 'lfs-pushed'), 'utf8')).toBe(
    `--object-id ${store.start.remote} ${oid}\n`,
  )
})

describe('over HTTP', () => {
  const token = 's3cret-t0ken'

  test('F43: exactly one Authorization, ours, and the checkout’s own settings as they were', async () => {
    await using b = await bench()
    await using server = await gitServer(join(b.root, 'srv'), token)
    await withRemote(b, `${server.url}r.git`)
    write(b.root, {
      'included.config': `[http "${server.url}"]\n\textraheader = AUTHORIZATION: basic b2xkOm9sZA==\n`,
    })
    git(b.ws, 'config', `http.${server.url}.extraheader`, 'AUTHORIZATION: basic b2xkOm9sZA==')
    git(b.ws, 'config', 'include.path', join(b.root, 'included.config'))
    const config = readFileSync(join(b.ws, '.git/config'), 'utf8')
    const store = await b.open()
    const remote = await open(store, { token })
    expect(await remote.push({ commit: await work(b, store, 'x'), branch, expected: null })).toEqual({
      kind: 'pushed',
    })
    expect(server.seen.length).toBeGreaterThan(3)
    const ours = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
    expect(server.seen.map(({ authorization }) => authorization)).toEqual(server.seen.map(() => [ours]))
    expect(readFileSync(join(b.ws, '.git/config'), 'utf8')).toBe(config)
    expect(JSON.stringify(folderFiles(store.dir, true))).not.toContain(token)
    expect(store.start.credential).toBe(true)
  })

  test('the token of the remote’s address serves when none was given', async () => {
    await using b = await bench()
    await using server = await gitServer(join(b.root, 'srv'), token)
    await withRemote(b, `${server.url.replace('//', `//x-access-token:${token}@`)}r.git`)
    const store = await b.open()
    const remote = await open(store)
    expect(await remote.push({ commit: await work(b, store, 'x'), branch, expected: null })).toEqual({
      kind: 'pushed',
    })
    expect(remote.url).not.toContain(token)
  })

  test('a token that is not taken', async () => {
    await using b = await bench()
    await using server = await gitServer(join(b.root, 'srv'), token)
    await withRemote(b, `${server.url}r.git`)
    const store = await b.open()
    await expect(open(store, { token: 'wrong' })).rejects.toThrow(/cannot be read/)
    const remote = await open(store, { token })
    server.intercept = (_, response) => response.writeHead(403).end() !== undefined
    expect(await remote.push({ commit: await work(b, store, 'x'), branch, expected: null })).toMatchObject({
      class: 'auth',
    })
  })

  test('R13: an answer that was cut off after the push arrived is a push, tried once', async () => {
    await using b = await bench()
    await using server = await gitServer(join(b.root, 'srv'))
    await withRemote(b, `${server.url}r.git`)
    const store = await b.open()
    const remote = await open(store, { waits: [10, 10] })
    const commit = await work(b, store, 'x')
    let cuts = 0
    server.swallow = ({ method, url }) =>
      method === 'POST' && url?.endsWith('git-receive-pack') === true && cuts++ === 0
    expect(await remote.push({ commit, branch, expected: null })).toEqual({ kind: 'pushed' })
    expect(server.seen.filter(({ url }) => url.endsWith('service=git-receive-pack'))).toHaveLength(1)
  })

  test('a server in trouble is asked again, and given up in the end', async () => {
    await using b = await bench()
    await using server = await gitServer(join(b.root, 'srv'))
    await withRemote(b, `${server.url}r.git`)
    const store = await b.open()
    const remote = await open(store, { waits: [10, 10] })
    const commit = await work(b, store, 'x')
    let troubles = 2
    server.intercept = (_, response) => troubles-- > 0 && response.writeHead(502).end() !== undefined
    expect(await remote.push({ commit, branch, expected: null })).toEqual({ kind: 'pushed' })
    troubles = 1000
    expect(
      await remote.push({ commit: await work(b, store, 'y', commit), branch, expected: commit }),
    ).toMatchObject({ class: 'unreachable' })
  })

  test('a remote that answers nothing is ended after its limit, helpers included', async () => {
    await using b = await bench()
    const silent = createServer((socket) => socket.on('error', () => {}).resume())
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await withRemote(b, `http://127.0.0.1:${port}/r.git`)
    const store = await b.open()
    const began = performance.now()
    await expect(open(store, { limitMillis: 300 })).rejects.toThrow(/did not answer in time/)
    expect(performance.now() - began).toBeLessThan(5000)
    const connections = await new Promise<number>((done) =>
      setTimeout(() => silent.getConnections((_, count) => done(count)), 200),
    )
    expect(connections).toBe(0)
    silent.close()
  })

  test('nobody is followed to another address', async () => {
    await using b = await bench()
    await using other = await gitServer(join(b.root, 'srv'))
    await using server = await gitServer(join(b.root, 'srv'))
    server.intercept = (request, response) =>
      response.writeHead(302, { Location: `${other.url}${request.url?.slice(1)}` }).end() !== undefined
    await withRemote(b, `${server.url}r.git`)
    await expect(open(await b.open(), { token })).rejects.toThrow()
    expect(other.seen).toEqual([])
  })
})

test('what could not be pushed is saved in a file that git reads', async () => {
  await using b = await bench()
  const store = await b.open()
  const tip = await work(b, store, 'two')
  const file = join(b.root, 'work.bundle')
  expect(await saveBundle(store, file, store.start.head, store.start.head)).toBe(false)
  expect(await saveBundle(store, file, store.start.head, tip)).toBe(true)
  git(b.ws, 'fetch', '-q', file, 'refs/heads/ralph-work:refs/heads/saved')
  expect(git(b.ws, 'rev-parse', 'saved')).toBe(tip)
})

test('a checkout without a remote has none', async () => {
  await using b = await bench()
  writeFileSync(join(b.ws, 'x'), '')
  expect(await openRemote({ store: await b.open(), token: null })).toBeNull()
})

test.each(['file', 'relative'])('a remote by a path (%s)', async (kind) => {
  await using b = await bench()
  await withRemote(b, kind === 'file' ? `file://${join(b.root, 'srv/r.git')}` : '../srv/r.git')
  expect((await open(await b.open())).defaultBranch).toBe('main')
})
