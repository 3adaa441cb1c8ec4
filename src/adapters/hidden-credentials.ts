import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { writeWhole } from './files.ts'

/** How actions/checkout leaves a token: as a header of its own line, or in the address of a remote. */
const header = /^[ \t]*extraheader[ \t]*=.*\r?\n?/gim
const login = /(https?:\/\/)[^\s/@"]+@/gi

const clean = (text: string): string => text.replace(header, '').replace(login, '$1')

const shape = z.object({
  version: z.literal(1),
  files: z.array(z.object({ path: z.string(), folder: z.string(), mode: z.number(), sealed: z.string() })),
})

/** Where credentials may stand: the checkout's settings, its submodules', and the files that checkout v6 keeps in RUNNER_TEMP. */
const candidates = (workspace: string, temp: string): string[] => {
  const git = join(workspace, '.git')
  const modules = join(git, 'modules')
  const below = existsSync(modules) ? readdirSync(modules, { recursive: true, encoding: 'utf8' }) : []
  const kept = existsSync(temp) ? readdirSync(temp) : []
  return [
    join(git, 'config'),
    ...below.filter((name) => /(^|\/)config$/.test(name)).map((name) => join(modules, name)),
    ...kept.filter((name) => /^git-credentials-.*\.config$/.test(name)).map((name) => join(temp, name)),
  ].filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

const keyOf = (secret: string): Buffer => createHash('sha256').update(`ralph-action\0${secret}`).digest()

const seal = (bytes: Buffer, secret: string): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

const unseal = (sealed: string, secret: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}

/**
 * Takes the credentials out of the checkout's settings, for as long as an agent works there. What they were is kept
 * in `keep`, sealed by a secret that the agent does not have. Answers with the files that were changed.
 */
export const hideCredentials = (request: {
  workspace: string
  temp: string
  keep: string
  secret: string
}): string[] => {
  const { workspace, temp, keep, secret } = request
  const found = candidates(workspace, temp).flatMap((path) => {
    const bytes = readFileSync(path)
    const text = bytes.toString('latin1')
    return clean(text) === text ? [] : [{ path, bytes, text }]
  })
  if (found.length === 0) return []
  const files = found.map(({ path, bytes }) => ({
    path,
    folder: realpathSync(dirname(path)),
    mode: lstatSync(path).mode & 0o777,
    sealed: seal(bytes, secret),
  }))
  writeWhole(keep, `${JSON.stringify({ version: 1, files })}\n`)
  for (const { path, text } of found) writeFileSync(path, clean(text), 'latin1')
  return found.map(({ path }) => path)
}

/**
 * Puts back what was hidden, byte for byte, whatever became of the files in between. Nothing when nothing is hidden.
 *
 * @throws Error when it cannot be put back.
 */
export const restoreCredentials = (keep: string, secret: string): void => {
  if (!existsSync(keep)) return
  const { files } = shape.parse(JSON.parse(readFileSync(keep, 'utf8')))
  for (const { path, folder, mode, sealed } of files) {
    // an agent may have put a link in the folder's place
    if (realpathSync(dirname(path)) !== folder) throw new Error(`${dirname(path)} is another folder now.`)
    const draft = `${path}.ralph`
    rmSync(draft, { force: true })
    writeFileSync(draft, unseal(sealed, secret), { mode, flag: 'wx' })
    renameSync(draft, path)
  }
  rmSync(keep)
}
