import { expect, test } from 'vitest'
import { junitReader, resultsOf } from '../../../src/core/results.ts'
import { recorded } from './recorded.ts'

test('a report is read the same however it is cut', () => {
  const xml = recorded('go-test/junit-mixed.xml')
  const whole = junitReader('r.xml')
  whole.push(xml)
  for (const size of [1, 2, 7, 4096]) {
    const reader = junitReader('r.xml')
    for (let at = 0; at < xml.length; at += size) reader.push(xml.slice(at, at + size))
    expect(reader.end(), `${size}`).toEqual(whole.end())
  }
})

test('a million test cases', () => {
  const reader = junitReader('r.xml')
  reader.push('<testsuite>')
  for (let at = 0; at < 1000; at++) reader.push('<testcase classname="c" name="n"/>'.repeat(1000))
  reader.push('</testsuite>')
  const results = resultsOf([reader.end()])
  expect(results.counts.passed).toBe(1_000_000)
  expect(results.tests.size).toBe(1_000_000)
  expect(results.tests.has('c > n #1000000')).toBe(true)
}, 120_000)

test('64 MiB are read, more are a problem', () => {
  const reader = junitReader('r.xml')
  reader.push('<testsuite><testcase name="a"><system-out>')
  const megabyte = 'x'.repeat(1024 * 1024)
  for (let at = 0; at < 63; at++) reader.push(megabyte)
  reader.push('</system-out></testcase></testsuite>')
  expect(resultsOf([reader.end()])).toMatchObject({ problems: [], counts: { passed: 1 } })
  reader.push(megabyte)
  reader.push(megabyte)
  expect(reader.end().problems).toEqual(['The report r.xml cannot be read: it is larger than 64 MiB.'])
})

test.each([
  ['one tag', `<testsuite><testcase name="${'x'.repeat(5_000_000)}`],
  ['tag starts', '<'.repeat(5_000_000)],
  ['comment starts', '<!--'.repeat(1_250_000)],
  ['CDATA without end', `<testsuite><![CDATA[${']]'.repeat(2_500_000)}`],
  ['entities', `<testsuite><testcase name="${'&'.repeat(2_000_000)}"/>`],
  ['attributes', `<testsuite><testcase ${'a="" '.repeat(800_000)}/>`],
])('JUnit: megabytes of %s end in linear time', (_, xml) => {
  const reader = junitReader('r.xml')
  for (let at = 0; at < xml.length; at += 65536) reader.push(xml.slice(at, at + 65536))
  expect(reader.end().problems).toHaveLength(1)
})
