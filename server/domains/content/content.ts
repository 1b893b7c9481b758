import { cleanText } from '@/contract/cleanText'
import type { Article, ArticleCard, FaqGroup, Req, Res } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import { incrementCounter } from './counters'
import type { ParsedArticle } from './parse'
import { PICTURES } from './repository'

/** Counter key of article views. */
const VIEW = 'ARTICLE_VIEW'
const PAGE_SIZE = 10
const MAX_RELATED = 3

/** A path of ours, with our origin for mini-programs, which have none of their own. */
export const addressFrom = ({ platform, origin }: OpenCtx, path: string): string =>
  platform === 'h5' || platform === '' ? path : origin + path

/** Address of a picture of the content folder; undefined without one. */
export function pictureAddress(ctx: OpenCtx, name: string): string | undefined {
  const path = ctx.repositories.content.picture(name)?.src
  return path && addressFrom(ctx, path)
}

/**
 * A text as sent to the reader, with full addresses of pictures (generated markup, so the pattern is unambiguous) and
 * the operator's number for `{freePerDay}`.
 */
export const resolveLinks = (ctx: OpenCtx, html: string): string =>
  html
    .replaceAll(`src="${PICTURES}`, `src="${addressFrom(ctx, PICTURES)}`)
    .replaceAll('{freePerDay}', String(ctx.settings.aiFreePerDay))

async function readersOf({ db }: OpenCtx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('counters')
    .select(['biz_id', 'n'])
    .where('key', '=', VIEW)
    .where('biz_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ biz_id, n }) => [biz_id, n]))
}

const toCard = (ctx: OpenCtx, { html: _, ...card }: ParsedArticle, readers: Map<string, number>): ArticleCard => ({
  ...card,
  cover: addressFrom(ctx, card.cover),
  views: readers.get(card.id) ?? 0,
})

/** Articles of one kind, newest first. */
export async function informationPage(
  ctx: OpenCtx,
  { type, pageNo = 1, pageSize = PAGE_SIZE }: Req<'app', 'informationPage'>,
): Promise<Res<'app', 'informationPage'>> {
  const all = ctx.repositories.content.articles().filter((article) => article.type === type)
  const list = all.slice((pageNo - 1) * pageSize, pageNo * pageSize)
  const readers = await readersOf(
    ctx,
    list.map(({ id }) => id),
  )
  return { list: list.map((article) => toCard(ctx, article, readers)), total: all.length, pageNo, pageSize }
}

/** An article; counts the view. @throws AppError NOT_FOUND */
export async function informationDetail(ctx: OpenCtx, { id }: Req<'app', 'informationDetail'>): Promise<Article> {
  const written = ctx.repositories.content.article(id)
  if (!written) throw new AppError('NOT_FOUND', { msg: '这篇文章不存在或已下架' })
  const others = ctx.repositories.content
    .articles()
    .filter((article) => article.type === written.type && article.id !== id)
  const related = others.slice(0, MAX_RELATED)
  const views = await incrementCounter(ctx, VIEW, id)
  const readers = await readersOf(
    ctx,
    related.map((article) => article.id),
  )
  return {
    ...toCard(ctx, written, readers),
    views,
    html: resolveLinks(ctx, written.html),
    related: related.map((article) => toCard(ctx, article, readers)),
  }
}

/** Questions and answers; with keywords only those that contain all of them. */
export async function helpCenter(ctx: OpenCtx, { keyword = '' }: Req<'app', 'helpCenter'>): Promise<FaqGroup[]> {
  const words = cleanText(keyword).toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return ctx.repositories.content
    .help()
    .map(({ title, items }) => ({
      title,
      items: items
        .filter((item) => fits(`${title} ${item.question} ${item.text}`))
        .map(({ id, question, answer }) => ({ id, question, answer: resolveLinks(ctx, answer) })),
    }))
    .filter(({ items }) => items.length > 0)
}
