import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/** Writes a file so that it is there whole or not at all, whenever the writer is killed. */
export const writeWhole = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.draft`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
