import { existsSync, statSync } from 'node:fs'
import { error, notice, setOutput, setSecret, summary, warning } from '@actions/core'
import { capBytes, logLine } from '../core/clean.ts'

/** GitHub drops a step's summary above 1 MiB as a whole; this leaves a margin. In bytes. */
const summaryCap = 1_000_000

/** Adds to the step's summary; what stands there already counts against the limit. `file` is `GITHUB_STEP_SUMMARY`. */
export const addSummary = async (markdown: string, file: string): Promise<void> => {
  const used = existsSync(file) ? statSync(file).size : 0
  await summary.addRaw(capBytes(markdown, Math.max(0, summaryCap - used))).write()
}

/** Sets the step's outputs, each by a marker of its own that no value can hold. */
export const setOutputs = (outputs: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value)
}

const annotations = { error, notice, warning }

/** An annotation on the run. GitHub shows the first 4,096 characters. */
export const annotate = (kind: 'notice' | 'warning' | 'error', title: string, text: string): void => {
  const message = logLine(text).slice(0, 4000)
  annotations[kind](message, { title: logLine(title) })
}

/** Keeps a value out of every log of the job from now on. */
export const mask = (secret: string): void => setSecret(secret)
