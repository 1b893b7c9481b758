import { cleanText } from '@/contract/cleanText'
import type { FaqGroup } from '@/contract/types'

/** URLs of the pictures in an article. */
export function picturesOf(html: string): string[] {
  const found: string[] = []
  html.replace(/<img [^>]*src="([^"]+)"/g, (tag, src: string) => {
    found.push(src.replace(/&amp;/g, '&'))
    return tag
  })
  return found
}

const textOf = (html: string) => html.replace(/<[^>]*>/g, '')

/** Questions that contain every search word in the question, the answer or the group's name. */
export function searchHelp(groups: readonly FaqGroup[], keyword: string): FaqGroup[] {
  const words = cleanText(keyword).toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return groups
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ question, answer }) => fits(`${title} ${question} ${textOf(answer)}`)),
    }))
    .filter(({ items }) => items.length > 0)
}
