import { expect } from 'vitest'
import { liveText, nodesOf, parseMarkdown } from './markdown.ts'

/** What our own Markdown is made of; anything else came from outside. */
const ourHtml =
  /^(<\/?details( open)?>|<\/?summary>|<\/?sub>|<\/?code>|<\/?span>|<details( open)?><summary>[^<]*(<code>[^<]*<\/code>\))?<\/summary>)$/

/** A report that is wrong in none of the ways in which reports of loops were wrong. */
export const check = (markdown: string) => {
  const tree = parseMarkdown(markdown)
  const nodes = nodesOf(tree)
  expect(markdown.length).toBeLessThanOrEqual(60_000)
  expect(markdown.endsWith('\n')).toBe(true)
  for (const node of nodes) {
    if (node.type === 'html') expect(node.value).toMatch(ourHtml)
    if (node.type === 'link')
      expect(node.url).toMatch(/^https:\/\/github\.com\/acme\/shop\/(compare|commit|actions)\/[^\s()]+$/)
    if (node.type === 'text') expect(node.value).not.toMatch(liveText)
    if (node.type === 'table')
      for (const row of node.children) expect(row.children).toHaveLength(node.align?.length ?? 0)
  }
  expect(
    nodes.some((node) =>
      ['image', 'imageReference', 'linkReference', 'definition', 'footnoteReference'].includes(node.type),
    ),
  ).toBe(false)
  const html = nodes.flatMap((node) => (node.type === 'html' ? [node.value] : [])).join('')
  expect(html.match(/<details/g)?.length).toBe(html.match(/<\/details>/g)?.length)
  const words = nodes
    .map((node) => (node.type === 'text' || node.type === 'inlineCode' ? node.value : ' '))
    .join('')
  return { tree, nodes, words }
}
