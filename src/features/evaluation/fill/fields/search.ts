import { cleanText } from '@/contract/cleanText'
import type { Option } from '@/contract/form/types'

const plain = (text: string) =>
  cleanText(text)
    .toLowerCase()
    .replace(/[\s·・.'’\-_/（）()]/g, '')

/** Rank of a match, 0 is best; undefined if the option does not match `word`. */
function rank({ t, k = '', sig = '' }: Option, word: string): number | undefined {
  const name = plain(t)
  if (name.startsWith(word)) return 0
  if (name.includes(word)) return 1
  const keys = k.toLowerCase().split(/\s+/).map(plain)
  if (keys.some((key) => key.startsWith(word))) return 2
  return keys.some((key) => key.includes(word)) || plain(sig).includes(word) ? 3 : undefined
}

/** Options that match a word by name, pinyin, initials (`k`) or signature weapon, best first; all for an empty word. */
export function searchOptions(options: readonly Option[], typed: string): Option[] {
  const word = plain(typed)
  if (word === '') return [...options]
  return options
    .map((option) => ({ option, rank: rank(option, word) }))
    .filter((x): x is { option: Option; rank: number } => x.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option)
}

/** Headings of a long list in order of first appearance. */
export function groupsOf(options: readonly Option[]): string[] {
  return [...new Set(options.flatMap(({ group }) => (group === undefined ? [] : [group])))]
}
