import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decodePath } from '../core/tree-diff.ts'
import { parts } from './git.ts'
import type { Store } from './store.ts'

const run = promisify(execFile)

/** Where the system's own tools are; what an agent puts on PATH is not run. */
const tools = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/** Most bytes of paths on one command line. Linux takes 128 KiB for one and 2 MiB for all. */
const mostArguments = 512 * 1024

/** Paths of the work tree that no commit holds and a test may need: ignored, untracked, submodules. */
export const uncommitted = async ({ work, start }: Store): Promise<string[]> => {
  const listed = parts(await work(['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']))
  const paths = listed.map((bytes) => decodePath(bytes)).flatMap(({ path, exact }) => (exact ? [path] : []))
  return [...paths.filter((path) => !start.ours.includes(path)), ...start.submodules.map(({ path }) => path)]
}

/** What paths take on the disk, in bytes. What cannot be read counts nothing. */
export const diskUse = async (cwd: string, paths: readonly string[]): Promise<number> => {
  let kilobytes = 0
  for (const some of batches(paths)) {
    const { stdout } = await tolerant('du', ['-skc', ...some], cwd)
    kilobytes += Number(/(\d+)\ttotal\s*$/.exec(stdout)?.[1] ?? 0)
  }
  return kilobytes * 1024
}

export const freeSpace = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Copies paths of a work tree into a new folder: real copies, never hard links, sharing blocks where the file
 * system can. Answers with what went wrong for single files; empty when all went well.
 */
export const copyPaths = async (store: Store, paths: readonly string[], into: string): Promise<string> => {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const told: string[] = []
  for (const some of batches(paths)) told.push(await copySome(store.workspace, some, into))
  for (const path of store.start.ours) rmSync(join(into, path), { recursive: true, force: true })
  for (const { path } of store.start.submodules)
    rmSync(join(into, path, '.git'), { recursive: true, force: true })
  return told.join('').trim()
}

/** Copies a folder's content into a new folder. */
export const copyFolder = async (from: string, into: string): Promise<void> => {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  await tolerant('cp', [...copying, `${from}/.`, `${into}/`], from)
}

const linux = process.platform === 'linux'
const copying = linux ? ['-a', '--reflink=auto'] : ['-a']

const copySome = async (cwd: string, paths: readonly string[], into: string): Promise<string> => {
  if (linux) return (await tolerant('cp', [...copying, '--parents', '-t', into, ...paths], cwd)).stderr
  const list = join(into, '..', 'copy.list') // the cp of BSD knows no --parents
  writeFileSync(list, paths.map((path) => `${path}\0`).join(''))
  const script = 'tar -cf - --null -T "$1" | tar -xf - -C "$2"'
  return (await tolerant('sh', ['-c', script, 'sh', list, into], cwd)).stderr
}

/** Missing and unreadable files are told on stderr and are no reason to stop. */
const tolerant = async (
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string }> => {
  try {
    return await run(program, [...args], { cwd, env: tools, maxBuffer: 64 << 20 })
  } catch (error) {
    if (
      error instanceof Error &&
      'stdout' in error &&
      'stderr' in error &&
      'code' in error &&
      error.code === 1
    )
      return { stdout: String(error.stdout), stderr: String(error.stderr) }
    throw error
  }
}

const batches = (paths: readonly string[]): string[][] => {
  const all: string[][] = []
  let size = mostArguments
  for (const path of paths.map((path) => `./${path}`)) {
    size += Buffer.byteLength(path) + 1
    if (size >= mostArguments) {
      all.push([])
      size = 0
    }
    all.at(-1)?.push(path)
  }
  return all
}
