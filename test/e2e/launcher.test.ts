import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from './kit.ts'

/** Only what a bare runner has beside Node.js. */
const tools = ['bash', 'env', 'sort', 'dirname', 'cat', 'sh']

let temp = ''
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'ralph-launch-'))
  mkdirSync(join(temp, 'bin'))
  for (const tool of tools) {
    const found = spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim()
    symlinkSync(found, join(temp, 'bin', tool))
  }
})
afterEach(() => rmSync(temp, { recursive: true, force: true }))

const program = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** A Node.js that says its version and, when it is really started, who it is and what it sees. */
const fakeNode = (path: string, version: string) =>
  program(
    path,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo v${version}; exit; fi\necho "node ${version} $*"\necho "pid $$"\nenv | sort\necho --\ncat <&3 | tr '\\0' '\\n' 2>/dev/null || cat <&3\n`,
  )

const launch = (environment: Record<string, string>, ...args: string[]) =>
  spawnSync(join(temp, 'bin/bash'), [join(root, 'launch.sh'), ...args], {
    encoding: 'utf8',
    env: { PATH: join(temp, 'bin'), HOME: '/home/someone', ...environment },
  })

describe('the launcher', () => {
  test('takes the Node.js on PATH and becomes it, with its arguments', () => {
    fakeNode(join(temp, 'bin/node'), '22.1.0')
    const run = launch({}, 'loop', 'two words')
    expect(run.stdout).toContain(`node 22.1.0 ${join(root, 'dist/ralph/index.js')} loop two words`)
    expect(run.stdout).toContain(`pid ${run.pid}`)
  })

  test('passes an old Node.js on PATH over for the newest in the tool cache', () => {
    fakeNode(join(temp, 'bin/node'), '16.20.2')
    for (const version of ['18.19.0', '20.9.0', '22.10.0', '22.9.0']) {
      fakeNode(join(temp, `cache/node/${version}/x64/bin/node`), version)
    }
    expect(launch({ RUNNER_TOOL_CACHE: join(temp, 'cache') }, 'loop').stdout).toContain('node 22.10.0 ')
  })

  test('says what to do when there is none', () => {
    const run = launch({ RUNNER_TOOL_CACHE: join(temp, 'nothing') }, 'loop')
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/^::error::.*Node\.js 20 or newer.*actions\/setup-node/)
  })

  test('keeps secrets out of the environment and hands everything over by a descriptor', () => {
    fakeNode(join(temp, 'bin/node'), '20.20.2')
    symlinkSync(spawnSync('which', ['tr'], { encoding: 'utf8' }).stdout.trim(), join(temp, 'bin/tr'))
    const secret = 'sk-ant-secret\nwith a second line'
    const run = launch({
      RALPH_INPUTS: secret,
      GITHUB_TOKEN: 'ghs_x',
      RUNNER_TRACKING_ID: 'github_1',
      NODE_OPTIONS: '--inspect',
    })
    const [own = '', handed = ''] = run.stdout.split('--\n')
    expect(own).not.toMatch(/sk-ant|ghs_x|NODE_OPTIONS/)
    expect(own).toMatch(/^RUNNER_TRACKING_ID=github_1$/m)
    expect(own).toMatch(/^HOME=\/home\/someone$/m)
    expect(handed).toContain(`RALPH_INPUTS=${secret}`)
    expect(handed).toContain('GITHUB_TOKEN=ghs_x')
  })
})
