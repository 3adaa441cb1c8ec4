import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type NotePaths, noteText } from '../core/session/claude-settings.ts'

export type SessionFolder = {
  systemPromptFile: string
  /** The CLI's own files: configuration, caches. */
  configDir: string
  tmpDir: string
  paths: NotePaths
  /** Leaves a note that the agent hears once, after its next tool calls. One that still waits is put before it. */
  leaveNote: (text: string) => void
}

const moveIfThere = (from: string, to: string): boolean => {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false // the hook was faster, or there was none
  }
}

/**
 * Makes the folder of one session, readable to us alone, with the stable part of the prompt in a file: as an
 * argument it could be too long. Throws what the file system throws.
 */
export const openSessionFolder = (path: string, systemPrompt: string): SessionFolder => {
  const folder = resolve(path)
  const within = (name: string) => join(folder, name)
  const configDir = within('config')
  const tmpDir = within('tmp')
  for (const each of [folder, configDir, tmpDir]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const systemPromptFile = within('system-prompt.md')
  writeFileSync(systemPromptFile, systemPrompt)

  const paths = { note: within('note.json'), taken: within('note.taken.json') }
  let waiting = ''
  const leaveNote = (text: string) => {
    // Taking the old note back by a rename decides between us and the hook who has it.
    const back = moveIfThere(paths.note, within('note.back.json'))
    waiting = back ? `${waiting}\n\n${text}` : text
    writeFileSync(within('note.new.json'), noteText(waiting))
    renameSync(within('note.new.json'), paths.note)
  }
  return { systemPromptFile, configDir, tmpDir, paths, leaveNote }
}
