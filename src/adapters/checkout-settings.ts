import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { splitRemote } from '../core/remote-url.ts'
import { type Git, type GitOptions, line, parts } from './git.ts'

/** Keys in lower case but for their middle part, with their values, in the order in which they count. */
export type Settings = readonly (readonly [string, string])[]

/** Settings of a checkout that say how its files are read; nothing among them runs a program. */
const readers = /^core\.(autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode)$/

/** With the user's own settings, in the checkout. Only for what runs no program of theirs. */
const asUser = (cwd: string): GitOptions => ({
  cwd,
  env: {
    GIT_CONFIG_GLOBAL: undefined,
    GIT_CONFIG_NOSYSTEM: undefined,
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: cwd,
  },
})

/** All settings in force in the checkout. */
export const readSettings = async (git: Git, workspace: string): Promise<Settings> => {
  if (!existsSync(join(workspace, '.git')))
    throw new Error(`${workspace} is not the root of a git repository.`)
  return parts(await git(['config', '--list', '-z', '--includes'], asUser(workspace))).map(
    (part): [string, string] => {
      const [key = '', ...value] = part.toString('utf8').split('\n')
      return [key, value.join('\n')]
    },
  )
}

/** The address of `origin` as git would use it; a path is made absolute. */
export const remoteOf = async (git: Git, cwd: string, settings: Settings) => {
  if (!settings.some(([key]) => key === 'remote.origin.url')) return { url: '', token: null }
  const { url, token } = splitRemote(line(await git(['ls-remote', '--get-url', 'origin'], asUser(cwd))))
  return { url: /^[^:/]+:|:\/\//.test(url) ? url : resolve(cwd, url), token }
}

/** Whether a header or an address with a token stands in the settings, as actions/checkout leaves one. */
export const hasCredential = (settings: Settings): boolean =>
  settings.some(([key, value]) => /^http\..*extraheader$/.test(key) || /^https?:\/\/[^/]*:[^/]*@/.test(value))

/** What decides how files are read, as text of a configuration. */
export const readingOf = (settings: Settings): string => {
  const kept = settings.filter(([key]) => readers.test(key))
  return `[core]\n${kept.map(([key, value]) => `\t${key.slice(5)} = ${quote(value)}\n`).join('')}`
}

export const quote = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`

/** The definition of the filter of Git LFS, run by its absolute path. */
export const lfsFilter = (program: string): string =>
  `[filter "lfs"]\n\tclean = ${quote(`'${program}' clean -- %f`)}\n\tsmudge = ${quote(`'${program}' smudge -- %f`)}\n` +
  `\tprocess = ${quote(`'${program}' filter-process`)}\n\trequired = true\n`

/** The remote as the settings of a repository of ours name it; nothing when there is none. */
export const originOf = (url: string): string =>
  url === ''
    ? ''
    : `[remote "origin"]\n\turl = ${quote(url)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`
