import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, modelWith, realClaude, requestTo, run, temporary } from './session-fixture.ts'

const text = (body: unknown): string => JSON.stringify(body)

describe('our settings', () => {
  it('D4: were taken, which costs the request nothing', async () => {
    using place = temporary()
    await using model = await modelWith([{ text: 'done' }])
    const transcript = join(place.root, 'stream.ndjson')
    const request = requestTo(model, place, { transcript })
    expect((await run(request)).session.end).toBe('completed')
    const events = readFileSync(transcript, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const names = events.map(({ subtype, type }) => subtype ?? type)
    expect(names.indexOf('hook_response')).toBeLessThan(names.indexOf('init'))
    expect(text(model.requests[0]?.body)).not.toContain(request.mark)
  })

  it('D4: when the CLI drops them, the session is refused before it asks the model', async () => {
    using place = temporary()
    const broken = join(place.root, 'claude')
    writeFileSync(
      broken,
      `#!/usr/bin/env bash\nexec "${realClaude}" "\${@//\\"SessionStart\\":\\[/\\"SessionStart\\":7,\\"x\\":[}"\n`,
    )
    chmodSync(broken, 0o755)
    await using model = await modelWith([bash('touch ran'), { text: 'done' }])
    const { session, left } = await run(requestTo(model, place, { claudePath: broken }))
    expect(session).toMatchObject({ end: 'refused', turns: 0, costUsd: null })
    expect(session.detail).toContain('settings')
    expect(existsSync(join(place.cwd, 'ran'))).toBe(false)
    expect(left).toBe(0)
  })

  it('a note is heard once, after the next tool calls, also when they failed or were denied', async () => {
    using place = temporary()
    const denied = { tool: { name: 'Write', input: { file_path: '/etc/x', content: 'x' } } }
    await using model = await modelWith([
      bash('sleep 0.3; false'),
      denied,
      bash('sleep 0.3'),
      bash('sleep 0.3'),
      { text: 'done' },
    ])
    const said: Record<number, string> = { 1: 'NOTE-ONE "é中"', 3: 'NOTE-THREE' }
    const notes = ({ turns }: { turns: number }) => said[turns] ?? null
    const { session } = await run(requestTo(model, place, { notes }))
    expect(session).toMatchObject({ end: 'completed', turns: 5 })
    const heard = model.requests.map(({ body }) => [
      text(body).split('NOTE-ONE').length - 1,
      text(body).split('NOTE-THREE').length - 1,
    ])
    expect(heard).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
      [1, 1],
    ])
    expect(text(model.requests[1]?.body)).toContain(JSON.stringify('NOTE-ONE "é中"').slice(1, -1))
  })

  it('a note that nobody heard is not lost by the next one', async () => {
    using place = temporary()
    const stop = join(place.root, 'stop.sh')
    const once = `[ -e ${place.root}/asked ] || { touch ${place.root}/asked; echo '{"decision":"block","reason":"GO-ON"}'; }`
    writeFileSync(stop, once)
    await using model = await modelWith([{ text: 'I am done' }, bash('sleep 0.3'), { text: 'done' }])
    const notes = ({ turns }: { turns: number }) => (turns === 3 ? null : `NOTE-${turns}`)
    const stopHook = { command: `sh ${stop}`, seconds: 10, blocks: 3 }
    const { session } = await run(requestTo(model, place, { notes, stopHook }))
    expect(session).toMatchObject({ end: 'completed', turns: 3 })
    const [, second, third] = model.requests.map(({ body }) => text(body))
    expect(second).toContain('GO-ON')
    expect(second).not.toContain('NOTE-')
    expect(third).toContain('NOTE-1\\n\\nNOTE-2')
  })
})
