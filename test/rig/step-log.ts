import { relative } from 'node:path'
import type { Masker } from './masker.ts'

/**
 * What one step wrote to the log, masked line by line at the moment of writing, and the annotations it made.
 * Source: actions/runner ExecutionContext.Write and AddIssue.
 */
export type StepLog = {
  readonly lines: readonly string[]
  readonly annotations: readonly Annotation[]
  write(text: string): void
  /** Shown only when step debugging is on. */
  debug(text: string): void
  annotate(kind: AnnotationKind, message: string, properties?: Record<string, string>): void
}

export type AnnotationKind = 'error' | 'warning' | 'notice'

/** `properties`: `file` (relative to the workspace where it lies there), `line`, `endline`, `col`, `endcolumn`, `title`. */
export type Annotation = { kind: AnnotationKind; message: string; properties: Record<string, string> }

/** More of one kind are dropped without a word [GitHub documentation]. */
const mostOfAKind = 10

/** A longer annotation is cut; its line in the log is not [actions/runner ExecutionContext]. */
const longestMessage = 4096

export const createStepLog = (options: {
  masker: Masker
  workspace: string
  showDebug: boolean
  onLine(line: string): void
}): StepLog => {
  const lines: string[] = []
  const annotations: Annotation[] = []

  const write = (text: string): void => {
    const line = options.masker.mask(text)
    lines.push(line)
    options.onLine(line)
  }

  return {
    lines,
    annotations,
    write,
    debug: (text) => {
      if (options.showDebug) for (const line of text.split(/\r?\n/)) write(`##[debug]${line}`)
    },
    annotate: (kind, message, properties = {}) => {
      annotations.push({
        kind,
        message: options.masker.mask(message).slice(0, longestMessage),
        properties: relativeFile(properties, options.workspace),
      })
      if (message !== '') write(`##[${kind}]${message}`)
    },
  }
}

/** The annotations that GitHub keeps: the first ten of each kind. */
export const keptAnnotations = (annotations: readonly Annotation[]): Annotation[] => {
  const count = { error: 0, warning: 0, notice: 0 }
  return annotations.filter(({ kind }) => {
    count[kind] += 1
    return count[kind] <= mostOfAKind
  })
}

const relativeFile = (properties: Record<string, string>, workspace: string): Record<string, string> => {
  const { file } = properties
  return file?.startsWith(`${workspace}/`) ? { ...properties, file: relative(workspace, file) } : properties
}
