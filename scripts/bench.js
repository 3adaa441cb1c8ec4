// @ts-check
// What the driver costs beside Claude Code and the verifier. Alternating rounds, medians, ratios of one run.
//   node scripts/bench.js [rounds]
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.argv[2] ?? 7)
const iterations = 5
const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = join(root, 'dist/ralph/index.js')
const scope = join(root, 'node_modules/@anthropic-ai')
const claude = readdirSync(scope)
  .map((name) => join(scope, name, 'claude'))
  .find((path) => existsSync(path))
if (claude === undefined) throw new Error('Run npm ci first.')

const temp = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
const verifier = 'grep -q four src/work.txt'

/** Each session writes another word; the fifth is the one that the verifier wants. */
const words = ['zero', 'one', 'two', 'three', 'four']
const scenario = `version: 1\nafter: repeat\nsessions:\n${words
  .map(
    (word) =>
      `  - replies:\n      - tool: { name: Write, input: { file_path: "{{cwd}}/src/work.txt", content: "${word}" } }\n      - text: Done.\n`,
  )
  .join('')}`
writeFileSync(join(temp, 'scenario.yml'), scenario)

const median = (/** @type {number[]} */ list) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const repository = (/** @type {string} */ name) => {
  const folder = join(temp, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'src/work.txt'), 'nothing')
  for (let n = 0; n < 200; n += 1) writeFileSync(join(folder, `src/file-${n}.txt`), `${n}\n`.repeat(50))
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  return folder
}

/** A model of its own process, so that its work is not ours. */
const startModel = async (/** @type {string} */ log) => {
  const child = spawn(process.execPath, [
    bundle,
    'model',
    '--scenario',
    join(temp, 'scenario.yml'),
    '--log',
    log,
  ])
  const url = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))
      if (found) resolve(found[0])
    })
  })
  return { url: String(url), stop: () => child.kill('SIGTERM') }
}

const bareEnvironment = (/** @type {string} */ url, /** @type {string} */ home) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  ANTHROPIC_API_KEY: 'dummy',
  ANTHROPIC_BASE_URL: url,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
})

const requests = (/** @type {string} */ log) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The same number of sessions and verifications as the driver's run, with nothing between them. */
const bare = async (/** @type {number} */ verifications) => {
  const folder = repository('bare')
  const home = join(temp, 'bare-home')
  mkdirSync(home, { recursive: true })
  const log = join(temp, 'bare.log')
  rmSync(log, { force: true })
  const model = await startModel(log)
  const begin = performance.now()
  const firsts = []
  for (let n = 0; n < iterations; n += 1) {
    const before = existsSync(log) ? requests(log).length : 0
    const started = Date.now()
    spawnSync(
      claude,
      ['-p', '--permission-mode', 'acceptEdits', '--output-format', 'stream-json', '--verbose'],
      {
        cwd: folder,
        env: bareEnvironment(model.url, home),
        input: 'do it',
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    )
    firsts.push(requests(log)[before].at - started)
  }
  for (let n = 0; n < verifications; n += 1)
    spawnSync('bash', ['-eo', 'pipefail', '-c', verifier], { cwd: folder, stdio: 'ignore' })
  const wall = performance.now() - begin
  model.stop()
  return { wall, first: median(firsts) }
}

const driven = async () => {
  const folder = repository('driven')
  const work = join(temp, 'driven-temp')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const log = join(temp, 'driven.log')
  rmSync(log, { force: true })
  const model = await startModel(log)
  const begin = performance.now()
  const run = spawnSync(
    process.execPath,
    [
      bundle,
      'run',
      '--task',
      'do it',
      '--verify',
      verifier,
      '--claude-path',
      claude,
      '--anthropic-base-url',
      model.url,
    ],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: work,
        TMPDIR: work,
        RUNNER_TEMP: work,
        ANTHROPIC_API_KEY: 'dummy',
      },
      encoding: 'utf8',
    },
  )
  const wall = performance.now() - begin
  model.stop()
  const place = readdirSync(work).find((name) => name.startsWith('ralph-'))
  const journal = join(work, place ?? '', 'record/journal.ndjson')
  if (run.status !== 0 || !existsSync(journal))
    throw new Error(`The driver's run failed: ${run.stdout}${run.stderr}`)
  const events = requests(journal).filter((event) => 'type' in event)
  const of = (/** @type {string} */ type) => events.filter((event) => event.type === type)
  const judged = [...of('baseline-judged'), ...of('judged')]
  const lived =
    of('session-ended').reduce((sum, event) => sum + event.session.millis, 0) +
    judged.reduce((sum, event) => sum + event.verdict.millis, 0)
  const starts = of('iteration-started').map((event) => event.at)
  // Of each iteration but the last: from its start to the next one's, less the processes that lived in it.
  const steady = starts.slice(1).map((end, index) => {
    const within = events.filter((event) => event.at > starts[index] && event.at <= end)
    const lived = within.reduce(
      (sum, event) => sum + (event.session ?? event.verdict ?? { millis: 0 }).millis,
      0,
    )
    return end - starts[index] - lived
  })
  const seen = requests(log).map((request) => request.at)
  const firsts = starts.map((at) => Math.min(...seen.filter((time) => time >= at)) - at)
  return {
    wall,
    steady: median(steady),
    around: wall - lived - median(steady) * iterations,
    first: median(firsts),
    verifications: judged.length,
    sessions: starts.length,
  }
}

const rows = []
for (let round = 0; round <= rounds; round += 1) {
  const ours = await driven()
  if (ours.sessions !== iterations)
    throw new Error(`The run took ${ours.sessions} sessions instead of ${iterations}.`)
  const plain = await bare(ours.verifications)
  if (round > 0) rows.push({ ours, plain }) // the first round warms caches
}
rmSync(dirname(join(temp, 'x')), { recursive: true, force: true })

const show = (
  /** @type {string} */ name,
  /** @type {number} */ value,
  /** @type {string} */ unit,
  /** @type {string} */ limit,
) =>
  console.log(
    `${name.padEnd(62)} ${value.toFixed(unit === '' ? 2 : 0).padStart(6)} ${unit.padEnd(3)} (at most ${limit})`,
  )
console.log(`${rounds} rounds, ${iterations} iterations each, alternating; medians`)
show('driver wall per iteration', median(rows.map(({ ours }) => ours.steady)), 'ms', '80 ms')
show(
  'driver wall once a run: start, confirmations, end',
  median(rows.map(({ ours }) => ours.around)),
  'ms',
  '—',
)
show(
  'whole run over bare runs of the CLI and the verifier',
  median(rows.map(({ ours, plain }) => ours.wall / plain.wall)),
  '',
  '1.00',
)
show(
  'decision to first request, over the bare CLI',
  median(rows.map(({ ours, plain }) => ours.first - plain.first)),
  'ms',
  '60 ms',
)
show('  (driven, decision to first request)', median(rows.map(({ ours }) => ours.first)), 'ms', '—')
show('  (bare, spawn to first request)', median(rows.map(({ plain }) => plain.first)), 'ms', '—')
