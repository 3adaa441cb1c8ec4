import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Parses GitHub-flavoured Markdown, so that a test looks at what a reader sees and not at strings. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/** All nodes of a tree, parents first. */
export const nodesOf = (node: Nodes): Nodes[] => [
  node,
  ...('children' in node ? node.children.flatMap(nodesOf) : []),
]

/** The kinds of nodes in a text, each once. */
export const kindsOf = (markdown: string): string[] =>
  [...new Set(nodesOf(parseMarkdown(markdown)).map((node) => node.type))].sort()

/** What a reader sees of a tree: text, code, and HTML as the text that it should have been. */
export const seen = (node: Nodes): string =>
  nodesOf(node)
    .map((each) => ('value' in each ? each.value : each.type === 'break' ? '\n' : ''))
    .join('')

/** What GitHub acts on in text outside code: mentions, references, addresses, and the closing keywords with them. */
export const liveText =
  /@\w|#\d|\bGH-\d|:\/\/|www\.|:[+\w-]+:|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w./-]*#\d|GH-\d|https?:)/i

/** GitHub's pattern of a closing keyword, which it finds in commit messages wherever it stands. */
export const closingKeyword =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?(?:#\d|GH-\d|https?:\/\/)/i
