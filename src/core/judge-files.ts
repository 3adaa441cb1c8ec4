import picomatch from 'picomatch'
import type { Change, IndexEdit } from './tree-diff.ts'

/** `additive`: new tests are welcome, existing ones are as on the base; `frozen`: no new ones; `free`: the candidate's. */
export type TestsRule = 'additive' | 'frozen' | 'free'

/** Whose version of a path the judge takes, and of which kind the path is. */
export type JudgeKind = 'fixed' | 'test' | 'candidate'

/** Always as on the base, new ones removed. */
const fixed = ['.github/**', '.harness/loop/**']

const testFolders = '**/{test,tests,spec,specs,__tests__,testdata,fixtures,__snapshots__,golden}/**'

const testFiles = [
  testFolders,
  '**/*.{test,spec}.*',
  '**/*_{test,spec}.{c,cc,cpp,dart,ex,exs,go,js,jsx,lua,php,py,rb,rs,ts,tsx}',
  '**/{test,tests}.{py,rs,js,ts,rb}',
  '**/test_*.{py,rb,c,cc,cpp,lua}',
  '**/*{Test,Tests,TestCase,Spec,IT}.{java,kt,kts,groovy,scala,cs,fs,vb,php,swift}',
  '**/*.{snap,bats}',
]

const options = { dot: true }
const isTest = picomatch(testFiles, options)

/** Sorts paths. `protectedGlobs` are treated as `.github/**` is. */
export const judgeKind = (protectedGlobs: readonly string[] = []): ((path: string) => JudgeKind) => {
  const isFixed = picomatch([...fixed, ...protectedGlobs], options)
  return (path) => (isFixed(path) ? 'fixed' : isTest(path) ? 'test' : 'candidate')
}

export type JudgeRules = { tests: TestsRule; protectedGlobs?: readonly string[] }

/** What turns the candidate's tree into J, given what it changed on the base. */
export const judgeEdits = (
  changes: readonly Change[],
  { tests, protectedGlobs = [] }: JudgeRules,
): { edits: IndexEdit[]; restored: string[] } => {
  const kindOf = judgeKind(protectedGlobs)
  const theirs = changes.filter(({ path, old }) => {
    const kind = kindOf(path)
    switch (kind) {
      case 'candidate':
        return false
      case 'fixed':
        return true
      case 'test':
        return tests === 'frozen' || (tests === 'additive' && old !== null)
      default:
        return kind satisfies never
    }
  })
  return {
    edits: theirs.map(({ bytes, old }) => ({ bytes, to: old })),
    restored: theirs.map(({ path }) => path).sort(),
  }
}
