import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type CompositeOptions, type CompositeResult, runComposite } from './composite.ts'

/** A workspace and a RUNNER_TEMP of the test's own, removed after it. */
export const rigFolders = (): { workspace: string; temp: string } => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rig-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folders = { workspace: join(root, 'work', 'demo'), temp: join(root, 'work', '_temp') }
  mkdirSync(folders.workspace, { recursive: true })
  return folders
}

/** Runs test/fixtures/composites/<name>. */
export const runFixture = (name: string, options: Partial<CompositeOptions> = {}): Promise<CompositeResult> =>
  runComposite({
    action: join(import.meta.dirname, '../fixtures/composites', name),
    with: {},
    ...rigFolders(),
    ...options,
  })
