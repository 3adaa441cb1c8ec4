import { closeSync, openSync, writeSync } from 'node:fs'
import type { AgentConfig, Credential } from '../core/inputs/config.ts'
import { duration } from '../core/sentences.ts'
import {
  claudeArguments,
  claudeEnvironment,
  credentialDescriptor,
  defaultAllowed,
  defaultDisallowed,
  defaultTools,
} from '../core/session/claude-flags.ts'
import { type StopHook, sessionSettings, settingsText } from '../core/session/claude-settings.ts'
import { noRest, splitLines } from '../core/session/lines.ts'
import { sessionResult } from '../core/session/session-end.ts'
import {
  type Cause,
  causeIn,
  causeOfSilence,
  ending,
  heard,
  nothingHeard,
} from '../core/session/session-fold.ts'
import { readLine, type StreamEvent } from '../core/session/stream.ts'
import type { Denial, SessionResult } from '../core/session.ts'
import { alarm } from './alarm.ts'
import { start } from './process.ts'
import { openSessionFolder } from './session-folder.ts'

/** The CLI's first event comes within a second or two; a machine that swaps may need longer. */
const startUpMillis = 60_000
/** How long the CLI may take to end after its result: it stays when something it started is still running. */
const graceMillis = 5000
/** What is kept of standard error, in characters. */
const stderrTail = 8192
/** A transcript never grows beyond this, so that a flood cannot fill the disk: 1 GiB. */
const transcriptCap = 1024 ** 3

/** Where a session stands at the start of a turn. `tokens` in its context, null when not told. */
export type Progress = { turns: number; tokens: number | null; millis: number }

export type SessionRequest = {
  claudePath: string
  /** The agent's work tree. */
  cwd: string
  /** The stable part of the prompt: the same bytes in all sessions of a run, so that it is cached. */
  systemPrompt: string
  /** The volatile part, by standard input. */
  prompt: string
  /** `millis`: wall time. `idleMillis`: how long it may say nothing; every legal tool call is made shorter. */
  limits: { turns: number; usd: number; millis: number; idleMillis: number }
  agent: Omit<AgentConfig, 'path'>
  /** Other tools than the default ones; none for a session that only reads its prompt. */
  tools?: readonly string[]
  /** JSON schema of the answer, whose JSON is then the session's text. */
  jsonSchema?: string
  /** Null when the environment holds the credentials of another provider. */
  credential: Credential | null
  /** A folder of this session alone, outside the work tree. Made when missing. */
  folder: string
  /** What the agent may see of the step's environment. */
  environment: Readonly<Record<string, string>>
  /** By which everything that the session leaves behind is found. */
  mark: string
  /** File for the raw stream; null: it is not kept. */
  transcript: string | null
  /** Answers the agent's attempts to stop, at most `blocks` times in a row. */
  stopHook?: StopHook & { blocks: number }
  /** Asked at each new turn: what the agent is to hear after its next tool calls, or null. */
  notes?: (progress: Progress) => string | null
  onTurn?: (progress: Progress) => void
  /** A tool call as it is asked for. */
  onCall?: (call: Denial) => void
  onDenial?: (denial: Denial) => void
  /** Ends the session when aborted. */
  signal: AbortSignal
}

/** The raw stream, kept on disk as it comes. Synchronous, so that a fast CLI waits for the disk. */
const openTranscript = (path: string | null) => {
  if (path === null) return { write: () => {}, close: () => {} }
  const file = openSync(path, 'w', 0o600)
  let total = 0
  return {
    write: (chunk: Buffer) => {
      if (total < transcriptCap) writeSync(file, chunk)
      total += chunk.length
    },
    close: () => closeSync(file),
  }
}

/** Everything that the CLI is started with. Throws when our settings are wrong. */
const invocation = (request: SessionRequest, canary: string) => {
  const { agent, limits, credential, stopHook } = request
  const folder = openSessionFolder(request.folder, request.systemPrompt)
  const settings = settingsText(
    sessionSettings({
      canary,
      paths: folder.paths,
      stop: stopHook === undefined ? null : { command: stopHook.command, seconds: stopHook.seconds },
    }),
  )
  const args = claudeArguments({
    limits,
    settings,
    systemPromptFile: folder.systemPromptFile,
    tools: request.tools ?? defaultTools,
    allowedTools: agent.allowedTools ?? defaultAllowed,
    disallowedTools: [...defaultDisallowed, ...agent.disallowedTools],
    model: agent.model,
    fallbackModel: agent.fallbackModel,
    effort: agent.effort,
    jsonSchema: request.jsonSchema ?? null,
    extraArgs: agent.args,
  })
  const env = claudeEnvironment({
    base: request.environment,
    configDir: folder.configDir,
    tmpDir: folder.tmpDir,
    baseUrl: agent.baseUrl,
    credential: credential?.kind ?? null,
    idleMillis: limits.idleMillis,
    stopBlocks: stopHook?.blocks ?? null,
  })
  // A prompt that begins with a slash would be a command of the CLI, after a line end it is text.
  const stdin = request.prompt.startsWith('/') ? `\n${request.prompt}` : request.prompt
  return { args, env, stdin, leaveNote: folder.leaveNote }
}

/**
 * Runs one session of the real CLI, isolated and watched, and ends its whole tree with it. Resolves with what its
 * stream told, however it ended. Throws only when the folder or the transcript cannot be written, when our own
 * settings are wrong, or what a callback threw.
 */
export const runSession = async (request: SessionRequest): Promise<SessionResult> => {
  const { limits, credential, signal } = request
  const canary = `settings-${request.mark}`
  const { args, env, stdin, leaveNote } = invocation(request, canary)
  const transcript = openTranscript(request.transcript)
  const began = performance.now()
  let fold = nothingHeard
  let stderr = ''
  let noise = { count: 0, last: '' }
  let lingered = false

  const end = (cause: Cause, signals?: readonly NodeJS.Signals[]) => {
    fold = ending(fold, cause)
    running.stop(cause.detail, signals)
  }
  const startUp = alarm(startUpMillis, () =>
    end({ end: 'stalled', detail: `The CLI said nothing for ${duration(startUpMillis)} after its start.` }),
  )
  const idle = alarm(limits.idleMillis, () => end(causeOfSilence(fold, limits.idleMillis)))
  const wall = alarm(limits.millis, () =>
    end({ end: 'minutes', detail: `It was ended at its time limit of ${duration(limits.millis)}.` }),
  )
  const grace = alarm(graceMillis, () => {
    lingered = true
    running.stop('its result was there')
  })
  const onAbort = () => {
    fold = ending(fold, { end: 'cancelled', detail: 'It was ended because the run was cancelled.' })
  }

  const newTurn = () => {
    const progress = { turns: fold.ids.length, tokens: fold.tokens, millis: performance.now() - began }
    request.onTurn?.(progress)
    const note = request.notes?.(progress) ?? null
    if (note !== null) leaveNote(note)
  }

  const hear = (event: StreamEvent) => {
    const before = fold
    fold = heard(fold, event, canary)
    startUp.off()
    if (event.type !== 'retry') idle.set()
    if (fold.result !== null && before.result === null) grace.set()
    const cause = fold.result === null ? causeIn(fold, event, limits.turns) : null
    if (cause !== null) end(cause, cause.end === 'refused' ? ['SIGKILL'] : undefined)
    if (fold.ids.length > before.ids.length) newTurn()
    if (event.type === 'reply') for (const { call } of event.calls) request.onCall?.(call)
    const denial = fold.denials.length > before.denials.length ? fold.denials.at(-1) : undefined
    if (denial !== undefined) request.onDenial?.(denial)
  }

  const hearLine = (line: string) => {
    const reading = readLine(line)
    if ('events' in reading) for (const event of reading.events) hear(event)
    else noise = { count: noise.count + 1, last: reading.noise.slice(0, 1000) }
  }

  const decoder = new TextDecoder()
  const errors = new TextDecoder()
  let rest = noRest
  const running = start({
    program: request.claudePath,
    args,
    cwd: request.cwd,
    env,
    stdin,
    ...(credential === null ? {} : { descriptors: { [credentialDescriptor]: credential.value } }),
    onStdout: (chunk) => {
      transcript.write(chunk)
      const read = splitLines(rest, decoder.decode(chunk, { stream: true }))
      rest = read.rest
      for (const line of read.lines) hearLine(line)
    },
    onStderr: (chunk) => {
      stderr = (stderr + errors.decode(chunk, { stream: true })).slice(-stderrTail)
    },
    mark: request.mark,
    signal,
  })
  startUp.set()
  wall.set()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    const ended = await running.end
    hearLine(rest.text)
    return sessionResult(fold, { ended, limits, stderr, noise, lingered, now: Date.now() })
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const each of [startUp, idle, wall, grace]) each.off()
    transcript.close()
  }
}
