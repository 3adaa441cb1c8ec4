import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { result, says } from '../core/transcript.ts'
import { compiled } from '../fixtures/compiled.ts'
import { requestIn, run, stubClaude, temporary } from './session-fixture.ts'

const driver = fileURLToPath(new URL('../fixtures/programs/drive-session.js', import.meta.url))

it('the driver needs at most 150 MiB with a session that streams 200 MiB', { timeout: 120_000 }, () => {
  using place = temporary()
  using build = compiled()
  const [play, transcript] = [join(place.root, 'play.json'), join(place.root, 'stream.ndjson')]
  const big = { print: says('m1', 'x'.repeat(8 * 1024 * 1024)) }
  const steps = [{ start: true }, big, { flood: 190 }, big, { print: result() }]
  writeFileSync(play, JSON.stringify({ record: join(place.root, 'record.json'), steps }))
  const environment = { PATH: process.env.PATH ?? '', STUB_PLAY: play }
  const request = requestIn(place, { claudePath: stubClaude, environment, transcript })
  const args = [driver, build.href, JSON.stringify(request)]
  const told = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  expect(told).toMatchObject({ end: 'completed', turns: 1 })
  expect(statSync(transcript).size).toBeGreaterThan(200 * 1024 * 1024)
  expect(told.peak).toBeLessThanOrEqual(150)
})

it('from the decision to start a session until the CLI runs it takes at most 60 ms', async () => {
  using place = temporary()
  const [program, time] = [join(place.root, 'claude'), join(place.root, 'time')]
  writeFileSync(program, `#!/bin/sh\ndate +%s%N > ${time}\n`)
  chmodSync(program, 0o755)
  const spans: number[] = []
  // The fastest of ten: what the machine does beside is not the driver's.
  for (let i = 0; i < 10; i++) {
    const decided = performance.timeOrigin + performance.now()
    await run(requestIn(place, { claudePath: program, folder: join(place.root, `session-${i}`) }))
    spans.push(Number(readFileSync(time, 'utf8')) / 1e6 - decided)
  }
  const fastest = Math.min(...spans)
  expect(fastest).toBeGreaterThan(0)
  expect(fastest).toBeLessThanOrEqual(60)
})
