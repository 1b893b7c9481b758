import { createHash } from 'node:crypto'
import { articleTypeText } from '@/contract/labels'
import type { Article, Document } from '@/contract/types'
import { ContentError, dayOf, type FrontMatter, requiredValue } from './front-matter'
import { type ContentPicture, renderMarkdown } from './markdown'

export type Pictures = (name: string) => ContentPicture | undefined
/** The stored part of an article; views are counted in the database. */
export type ParsedArticle = Omit<Article, 'views' | 'related'>

export interface HelpGroup {
  title: string
  order: number
  items: { id: string; question: string; answer: string; text: string }[]
}

const TEMPLATE_NOTE = '> 本文为模板，正式使用前须由律师审阅，并填入运营者信息。\n\n'

function render(body: string, picture: Pictures): string {
  const missing: string[] = []
  const html = renderMarkdown(body, { picture, missing })
  if (missing.length > 0) throw new ContentError(`没有这张图片：${missing.join('、')}`)
  return html
}

export function parseDocument(_id: string, front: FrontMatter, picture: Pictures): Document {
  return {
    title: requiredValue(front, 'title'),
    version: requiredValue(front, 'version'),
    updatedAt: dayOf(front, 'updatedAt'),
    html: render((front.head.template === 'true' ? TEMPLATE_NOTE : '') + front.body, picture),
  }
}

export function parseArticle(id: string, front: FrontMatter, picture: Pictures): ParsedArticle {
  const type = requiredValue(front, 'type')
  if (!Object.hasOwn(articleTypeText, type)) throw new ContentError('type 只能是 NEWS 或 GUIDE')
  const cover = picture(requiredValue(front, 'cover'))
  if (!cover) throw new ContentError(`没有这张图片：${front.head.cover}`)
  return {
    id,
    type: type as ParsedArticle['type'],
    title: requiredValue(front, 'title'),
    summary: requiredValue(front, 'summary'),
    cover: cover.src,
    publishAt: dayOf(front, 'publishAt'),
    html: render(front.body, picture),
  }
}

/** Votes belong to the exact question: a changed question starts over. */
const idOfQuestion = (question: string) => createHash('sha256').update(question).digest('hex').slice(0, 12)

/** One group per file: `## question`, followed by the answer. */
export function parseHelp(_id: string, front: FrontMatter, picture: Pictures): HelpGroup {
  const [, ...parts] = `\n${front.body}`.split(/\n## +/)
  const items = parts.map((part) => {
    const [question = '', ...lines] = part.split('\n')
    const text = lines.join('\n').trim()
    if (question.trim() === '' || text === '') throw new ContentError(`“${question.trim()}”没有答案`)
    return { id: idOfQuestion(question.trim()), question: question.trim(), answer: render(text, picture), text }
  })
  if (items.length === 0) throw new ContentError('没有以 ## 开头的问题')
  return { title: requiredValue(front, 'title'), order: Number(front.head.order ?? 99), items }
}

/** A third-party marketplace for accounts. `games`: empty means all. */
export interface Channel {
  channel: string
  name: string
  /** `{game}` and `{report}` are replaced by the game's id and the report's number */
  url: string
  note: string
  games: readonly string[]
  order: number
}

const isHttps = (url: string) => URL.canParse(url) && new URL(url).protocol === 'https:'

export function parseChannel(id: string, front: FrontMatter): Channel {
  const url = requiredValue(front, 'url')
  if (!isHttps(url)) throw new ContentError('url 应以 https:// 开头')
  const games = (front.head.games ?? '').split(',').map((game) => game.trim())
  return {
    channel: id,
    name: requiredValue(front, 'name'),
    url,
    note: requiredValue(front, 'note'),
    games: games.filter((game) => game !== ''),
    order: Number(front.head.order ?? 99),
  }
}
