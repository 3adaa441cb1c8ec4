/** What tools leave lying about, where a repository does not say itself that it is to be ignored. */
const leftovers = [
  '__pycache__/',
  '*.py[co]',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  '.coverage',
  '.tox/',
  '.venv/',
  'node_modules/',
  '.nyc_output/',
  '.gradle/',
  '.DS_Store',
]

const asPattern = (leftover: string): RegExp => {
  const name = leftover.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`(^|/)${name}${leftover.endsWith('/') ? '/' : '$'}`)
}

/** Ignore patterns for leftovers of tools, without those of which the repository tracks an example. */
export const leftoverPatterns = (tracked: readonly string[]): string[] =>
  leftovers.filter((leftover) => {
    const pattern = asPattern(leftover)
    return !tracked.some((path) => pattern.test(path))
  })

/**
 * An ignore pattern that means this one path, counted from the root; a closing slash means a folder. A line break
 * cannot be written in a pattern: there `?` stands for it.
 */
export const literalPattern = (path: string): string =>
  `/${path
    .replace(/^\//, '')
    .replace(/[\\*?[\]]/g, '\\$&')
    .replaceAll('\n', '?')
    .replace(/ $/, '\\ ')
    .replace(/\r$/, '?')}`
