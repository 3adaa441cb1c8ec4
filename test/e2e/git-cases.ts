import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GitServer, gitServer } from '../rig/git-server.ts'
import { fixedAdd, type Stage, say, session, write } from './kit.ts'

/** What the cases of git share: a file with a bug, a verifier that takes no time, and the session that mends it. */
export const bug: Record<string, string> = { 'src/add.js': 'export const add = (a, b) => a - b\n' }
export const judge = { verify: 'grep -q "a + b" src/add.js', confirmations: '1' }
export const fix = session(write('src/add.js', fixedAdd), say('ok'))

/** The name that a run makes from the kit's task. */
export const branch = `ralph/make-the-tests-pass-${createHash('sha256').update('Make the tests pass').digest('hex').slice(0, 6)}`

export const run = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((role) => [
          [`GIT_${role}_NAME`, 'Person'],
          [`GIT_${role}_EMAIL`, 'person@example.com'],
        ]),
      ),
    },
  }).trim()

/** Checks out afresh, as the next job on another runner does. */
export const checkOut = (on: Stage, ...options: string[]): void => {
  rmSync(on.workspace, { recursive: true, force: true })
  run(on.temp, 'clone', '-q', ...options, `file://${on.remote}`, on.workspace)
}

/** A person's clone, and commits in it; answers with the newest one. */
export const person = (on: Stage) => {
  const folder = join(on.temp, 'person')
  run(on.temp, 'clone', '-q', on.remote, folder)
  const git = (...args: string[]) => run(folder, ...args)
  return {
    git,
    commit: (message: string, command: string): string => {
      execFileSync('sh', ['-ec', command], { cwd: folder })
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}

/** Which of the commits a commit does not contain. */
export const lost = (on: Stage, tip: string, commits: readonly string[]): string[] =>
  commits.filter((commit) => {
    try {
      on.remoteGit('merge-base', '--is-ancestor', commit, tip)
      return false
    } catch {
      return true
    }
  })

/** Writes programs into a folder. */
export const programs = (folder: string, texts: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(texts)) {
    rmSync(join(folder, name), { force: true })
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
}

/** A folder with all programs of the system but one. */
export const systemWithout = (on: Stage, missing: string): string => {
  const folder = join(on.temp, 'system')
  mkdirSync(folder)
  for (const from of [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'])
    for (const name of existsSync(from) ? readdirSync(from) : [])
      if (name !== missing && !existsSync(join(folder, name)))
        symlinkSync(join(from, name), join(folder, name))
  return folder
}

/** Serves the stage's remote over HTTP, as the checkout's `origin`. */
export const overHttp = async (on: Stage, token: string | null = null): Promise<GitServer> => {
  on.remoteGit('config', 'http.receivepack', 'true')
  const server = await gitServer(on.temp, token)
  on.git('remote', 'set-url', 'origin', `${server.url}remote.git`)
  return server
}
