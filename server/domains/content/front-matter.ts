import { parseChinaDay } from '../../core/clock'

/** Why a file of the content folder is invalid, for its author. */
export class ContentError extends Error {}

export interface FrontMatter {
  head: Record<string, string>
  body: string
}

/** Parses `---`, lines of `name: value`, `---`, then Markdown. @throws ContentError without such a head */
export function parseFront(text: string): FrontMatter {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text)
  if (!match) throw new ContentError('开头缺少 --- 之间的标题等信息')
  const [, head = '', body = ''] = match
  const pairs = head.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const] : []
  })
  return { head: Object.fromEntries(pairs), body }
}

/** A required value of the head. @throws ContentError */
export function requiredValue({ head }: FrontMatter, name: string): string {
  const value = head[name]
  if (!value) throw new ContentError(`缺少 ${name}`)
  return value
}

/** `2026-11-21` in China as ms. @throws ContentError */
export function dayOf(front: FrontMatter, name: string): number {
  const at = parseChinaDay(requiredValue(front, name))
  if (typeof at !== 'number') throw new ContentError(`${name} 应写成 2026-11-21 这样的日期`)
  return at
}
