import { visible } from './clean.ts'

/** Most items of a list. */
const longestList = 20

/** Visible text named as data, between two lines that hold the marker. The marker cannot be forged from within. */
export const fence = (marker: string, name: string, text: string): string =>
  `<<< ${marker} ${name}\n${visible(text).replace(anyCase(marker), '…').trimEnd()}\n${marker} >>>`

const anyCase = (word: string): RegExp => new RegExp(word.replace(/\W/g, '\\$&'), 'gi')

/** Names, paths or calls as data, one a line: the first of many and how many more there are. */
export const fencedList = (marker: string, name: string, items: readonly string[]): string => {
  const more = items.length - longestList
  const lines = items.slice(0, longestList).map((item) => visible(item).replace(/\s+/g, ' '))
  return fence(marker, name, [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'))
}
