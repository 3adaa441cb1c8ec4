import { readFileSync } from 'node:fs'
import type { TestResults } from '../../../src/core/results.ts'

/** What a real runner printed; record.sh beside the fixtures says how it was recorded. */
export const recorded = (path: string): string =>
  readFileSync(new URL(`../../fixtures/results/${path}`, import.meta.url), 'utf8')

/** `5 passed, 2 failed, 1 skipped by counts`, then what failed. */
export const brief = (results: TestResults | null): string[] => {
  if (results === null) return ['exit code only']
  const { passed, failed, skipped, total } = results.counts
  if (total !== passed + failed + skipped) throw new Error(`The total is ${total}.`)
  return [
    `${passed} passed, ${failed} failed, ${skipped} skipped by ${results.basis}`,
    ...results.failingNames,
  ]
}

export const named = (results: TestResults | null): Record<string, string> =>
  Object.fromEntries(results?.tests ?? [])
