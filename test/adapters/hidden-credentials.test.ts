import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hideCredentials, restoreCredentials } from '../../src/adapters/hidden-credentials.ts'
import { type Bench, bench, folderFiles, git, write } from '../rig/repository.ts'

const token = 'c2VjcmV0LXRva2Vu'
const header = `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${token}\n`

const hide = (b: Bench): string[] =>
  hideCredentials({ workspace: b.ws, temp: join(b.root, 'temp'), keep: join(b.root, 'keep'), secret: 's' })
const restore = (b: Bench, secret = 's'): void => restoreCredentials(join(b.root, 'keep'), secret)

/** All layouts that actions/checkout has had: in the settings, a submodule's, a file of its own, an address. */
const planted = async (): Promise<Bench> => {
  const b = await bench()
  write(b.ws, { '.git/modules/lib/config': header })
  write(b.root, { 'temp/git-credentials-1.config': header, 'temp/other.config': 'x' })
  git(b.ws, 'config', 'http.https://github.com/.extraheader', `AUTHORIZATION: basic ${token}`)
  git(b.ws, 'config', 'remote.origin.url', `https://x-access-token:${token}@github.com/o/r`)
  git(b.ws, 'config', `url.https://${token}@github.com/.insteadOf`, 'git@github.com:')
  return b
}

const everything = (b: Bench): string =>
  JSON.stringify([folderFiles(b.root, true), git(b.ws, 'config', '--list')])

describe('credentials of the checkout', () => {
  test('are nowhere while they are hidden, and back byte for byte afterwards', async () => {
    await using b = await planted()
    const before = folderFiles(b.root, true)
    expect(hide(b)).toHaveLength(3)
    expect(everything(b)).not.toContain(token)
    expect(git(b.ws, 'remote', 'get-url', 'origin')).toBe('https://github.com/o/r')
    restore(b)
    expect(folderFiles(b.root, true)).toEqual(before)
    restore(b)
    expect(folderFiles(b.root, true)).toEqual(before)
  })

  test('F63: what an agent did to the settings is gone with it', async () => {
    await using b = await planted()
    const config = join(b.ws, '.git/config')
    const [before, mode] = [readFileSync(config, 'utf8'), statSync(config).mode]
    hide(b)
    rmSync(config)
    symlinkSync(join(b.root, 'elsewhere'), config)
    restore(b)
    expect([readFileSync(config, 'utf8'), statSync(config).mode]).toEqual([before, mode])
    expect(existsSync(join(b.root, 'elsewhere'))).toBe(false)
  })

  test('are not written through a link that an agent put in the folder’s place', async () => {
    await using b = await planted()
    hide(b)
    renameSync(join(b.ws, '.git'), join(b.root, 'moved'))
    symlinkSync(join(b.root, 'moved'), join(b.ws, '.git'))
    expect(() => restore(b)).toThrow('is another folder now')
    expect(readFileSync(join(b.root, 'moved/config'), 'utf8')).not.toContain(token)
  })

  test('are not to be had with another secret', async () => {
    await using b = await planted()
    hide(b)
    expect(() => restore(b, 'other')).toThrow()
    expect(everything(b)).not.toContain(token)
  })

  test('none: nothing is touched', async () => {
    await using b = await bench()
    git(b.ws, 'config', 'remote.origin.url', 'git@github.com:o/r.git')
    const before = folderFiles(b.root, true)
    expect(hide(b)).toEqual([])
    restore(b)
    expect(folderFiles(b.root, true)).toEqual(before)
  })
})
