import { join } from 'node:path'
import { quote } from './checkout-settings.ts'
import { writeWhole } from './files.ts'
import type { Person } from './store.ts'

/**
 * The agent's environment for git where nothing is set up: an identity, and the checkout even when its files belong
 * to another user, as in container jobs. These settings count less than any of the machine, the user or the checkout.
 */
export const agentGit = (
  folder: string,
  workspace: string,
  { name, email }: Person,
): Record<string, string> => {
  const file = join(folder, 'agent.gitconfig')
  const text = `[user]\n\tname = ${quote(name)}\n\temail = ${quote(email)}\n[safe]\n\tdirectory = ${quote(workspace)}\n`
  writeWhole(file, `${text}[include]\n\tpath = /etc/gitconfig\n`)
  return { GIT_CONFIG_SYSTEM: file }
}
