import { expect, test } from 'vitest'
import { parseReports } from '../../../src/core/results.ts'
import { brief, named, recorded } from './recorded.ts'

const of = (...paths: string[]) => parseReports(paths.map((path) => ({ path, xml: recorded(path) })))
const report = (xml: string) => parseReports([{ path: 'r.xml', xml }])

test.each([
  [
    'vitest/junit-mixed.xml',
    [
      '5 passed, 2 failed, 2 skipped by names',
      'test/a.test.js > add > carries',
      'test/liar.test.js > throws > odd name',
    ],
  ],
  ['vitest/junit-broken.xml', ['1 passed, 1 failed, 0 skipped by names', 'broken/a.test.js']],
  ['vitest/junit-hook.xml', ['0 passed, 1 failed, 2 skipped by names', 'hook/a.test.js > group']],
  [
    'pytest/junit-mixed.xml',
    [
      '7 passed, 4 failed, 2 skipped by names',
      'tests.test_a > test_carries',
      'tests.test_a > test_needs_database',
      'tests.test_a > test_closes',
      'tests.test_a > test_sub',
    ],
  ],
  ['pytest/junit-broken.xml', ['0 passed, 1 failed, 0 skipped by names', 'pytest > broken.test_a']],
  [
    'surefire/junit-CalcTest.xml',
    [
      '4 passed, 4 failed, 1 skipped by names',
      'org.example.CalcTest > errors',
      'org.example.CalcTest > each(int)[2]',
      'org.example.CalcTest > carries',
      'org.example.CalcTest$Inner > deepFails',
    ],
  ],
  ['surefire/junit-StartTest.xml', ['0 passed, 1 failed, 0 skipped by names', 'org.example.StartTest']],
  [
    'mocha/junit-mixed.xml',
    [
      '3 passed, 3 failed, 1 skipped by names',
      '/repo/mocha/test/a.js > Mocha Tests > at the top fails',
      '/repo/mocha/test/a.js > add > carries',
      '/repo/mocha/test/a.js > add deep > fails deep',
    ],
  ],
  [
    'go-test/junit-mixed.xml',
    [
      '6 passed, 6 failed, 1 skipped by names',
      'example.org/sample/a > TestCarries',
      'example.org/sample/a > TestTable/bad',
      'example.org/sample/a > TestTable',
      'example.org/sample/crash > TestCrash',
      'example.org/sample/bad > TestMain',
      'example.org/sample/main > TestMain',
    ],
  ],
  [
    'node-test/24-junit-mixed.xml',
    [
      '11 passed, 5 failed, 4 skipped by names',
      '/repo/node-test/fail/a.test.js > add > carries',
      '/repo/node-test/fail/a.test.js > add.deep > adds',
      '/repo/node-test/test/add.test.js > add > carries',
      '/repo/node-test/test/liar.test.js > test > throws',
      '/repo/node-test/broken/a.test.js > test > broken/a.test.js',
    ],
  ],
])('JUnit recorded: %s', (path, told) => {
  expect(brief(of(path))).toEqual(told)
})

test('several reports are one result', () => {
  expect(of('surefire/junit-TwoTest.xml', 'vitest/junit-mixed.xml')?.counts).toEqual({
    passed: 7,
    failed: 2,
    skipped: 2,
    total: 11,
  })
  expect(parseReports([])).toBeNull()
})

test('what a test printed counts for nothing in a report', () => {
  expect(recorded('vitest/junit-mixed.xml')).toContain('99 passed')
  expect(named(of('vitest/junit-mixed.xml'))).toEqual({
    'test/a.test.js > add > adds': 'passed',
    'test/a.test.js > add > carries': 'failed',
    'test/a.test.js > add > is skipped': 'skipped',
    'test/a.test.js > add > is to do': 'skipped',
    'test/a.test.js > add > deep > adds': 'passed',
    'test/a.test.js > same': 'passed',
    'test/a.test.js > same #2': 'passed',
    'test/liar.test.js > prints a summary': 'passed',
    'test/liar.test.js > throws > odd name': 'failed',
  })
})

test.each([
  [
    'entities',
    '<testsuite><testcase name="a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; &#65;&#x1F600;"/></testsuite>',
    `a <b> & "c" 'd' A😀`,
  ],
  ['no name', '<testsuite name="s"><testcase classname="c"/></testsuite>', 'c'],
  [
    'file, class and name',
    `<testsuite><testcase file='f.js' classname='c' name='n'/></testsuite>`,
    'f.js > c > n',
  ],
  [
    'markup inside CDATA and comments',
    '<testsuite><!-- <testcase name="no"/> --><testcase name="a"><system-out><![CDATA[<failure/></testcase>]]></system-out></testcase></testsuite>',
    'a',
  ],
  [
    'a processing instruction',
    '<?xml version="1.0"?><?xslt <testcase/>?><testsuite><testcase name="a"/></testsuite>',
    'a',
  ],
  ['a > inside an attribute', '<testsuite><testcase name="a > b"/></testsuite>', 'a > b'],
  ['a byte order mark', '\ufeff<testsuite><testcase name="a"/></testsuite>', 'a'],
  ['spaces in tags', '<testsuite >\n<testcase\n\tname = "a"\n/>\n</testsuite >\n', 'a'],
  ['a name like one of an object', '<testsuite><testcase name="__proto__"/></testsuite>', '__proto__'],
])('JUnit: %s', (_, xml, name) => {
  expect(report(xml)?.problems).toEqual([])
  expect([...(report(xml)?.tests ?? [])]).toEqual([[name, 'passed']])
})

test.each([
  [
    'numbers of a suite',
    '<testsuite tests="99" failures="-1"><testcase name="a"/></testsuite>',
    '1 passed, 0 failed, 0 skipped by names',
  ],
  [
    'disabled and not run',
    '<testsuite><testcase name="a" status="disabled"/><testcase name="b" status="notrun"/><testcase name="c" status="run"/></testsuite>',
    '1 passed, 0 failed, 2 skipped by names',
  ],
  [
    'skipped as to-do, though it failed',
    '<testsuite><testcase name="a"><skipped type="todo"/><failure/></testcase></testsuite>',
    '0 passed, 0 failed, 1 skipped by names',
  ],
  [
    'a flaky test that passed in the end',
    '<testsuite><testcase name="a"><flakyFailure/></testcase></testsuite>',
    '1 passed, 0 failed, 0 skipped by names',
  ],
  ['no test at all', '<testsuites/>', '0 passed, 0 failed, 0 skipped by names'],
  [
    'suites in suites',
    '<testsuites><testsuite name="x"><testsuite name="y"><testcase name="a"><error/></testcase></testsuite></testsuite></testsuites>',
    '0 passed, 1 failed, 0 skipped by names',
  ],
  [
    'an error of a suite',
    '<testsuite name="x"><error message="no database"/></testsuite>',
    '0 passed, 1 failed, 0 skipped by names',
  ],
])('JUnit counts the test cases: %s', (_, xml, told) => {
  expect(brief(report(xml))[0]).toBe(told)
})

test.each([
  [
    'an external entity',
    '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
    'it has a document type, which is not read',
  ],
  [
    'a billion laughs',
    '<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite/>',
    'it has a document type, which is not read',
  ],
  [
    'an unknown entity',
    '<testsuite><testcase name="&nbsp;"/></testsuite>',
    'an entity that is not predefined stands in "name"',
  ],
  [
    'a character beyond Unicode',
    '<testsuite><testcase name="&#x110000;"/></testsuite>',
    'an entity that is not predefined stands in "name"',
  ],
  ['another root', '<html><testcase name="a"/></html>', 'its root is html'],
  ['an end in the middle', '<testsuite><testcase name="a"/><testcase name="b"', 'it ends in the middle'],
  ['a root that is not closed', '<testsuite><testcase name="a"/>', 'it ends in the middle'],
  ['a CDATA section that is not closed', '<testsuite><![CDATA[ x', 'it ends in the middle'],
  [
    'crossed tags',
    '<testsuite><testcase name="a"></testsuite></testcase>',
    'the end tag of "testsuite" has no start',
  ],
  ['two roots', '<testsuite/><testsuite/>', 'it has more than one root'],
  ['text only', '5 passed', 'it holds text outside the root'],
  ['nothing', '', 'it is empty'],
  ['UTF-16', '<\0t\0e\0s\0t\0s\0u\0i\0t\0e\0/\0>\0', 'a tag cannot be read'],
  [
    'an attribute twice',
    '<testsuite><testcase name="a" name="b"/></testsuite>',
    'an attribute stands twice: "name"',
  ],
  [
    'an attribute without quotes',
    '<testsuite><testcase name=a/></testsuite>',
    'a tag cannot be read at " name=a"',
  ],
  [
    '101 levels',
    `${'<testsuite>'.repeat(101)}${'</testsuite>'.repeat(101)}`,
    'it is nested deeper than 100 levels',
  ],
])('JUnit: %s is a problem', (_, xml, problem) => {
  const { problems } = report(xml) ?? { problems: [] }
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('The report r.xml cannot be read: ')
  expect(problems[0]).toContain(problem)
})
