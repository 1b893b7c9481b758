import type { FaqGroup } from '@/contract/types'

/** URLs of the pictures in an article. */
export const picturesOf = (html: string): string[] =>
  [...html.matchAll(/<img [^>]*src="([^"]+)"/g)].flatMap(([, src]) => (src ? [src.replace(/&amp;/g, '&')] : []))

const textOf = (html: string) => html.replace(/<[^>]*>/g, '')

/** Questions that contain every search word in the question, the answer or the group's name. */
export function searchHelp(groups: readonly FaqGroup[], keyword: string): FaqGroup[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return groups
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ question, answer }) => fits(`${title} ${question} ${textOf(answer)}`)),
    }))
    .filter(({ items }) => items.length > 0)
}
