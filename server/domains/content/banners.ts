import type { Selectable } from 'kysely'
import { hostnameOf } from '@/contract/domains'
import type { Banner, Req } from '@/contract/types'
import { invalid } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import type { Db } from '../../db/database'
import type { Banners } from '../../db/tables'
import { pictureAddress } from './content'
import type { ContentRepository } from './repository'

/** Banners shown at once. */
const MAX_SHOWN = 5
const MAX_TITLE = 40
const MAX_LINK = 300

export type BannerRow = Selectable<Banners>

/** Active banners of one place; a banner whose picture is missing is left out. */
export async function banners(ctx: OpenCtx, { place }: Req<'app', 'banner'>): Promise<Banner[]> {
  const rows = await ctx.db
    .selectFrom('banners')
    .selectAll()
    .where('place', '=', place)
    .where('active', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
  return rows.flatMap(({ id, title, picture, link, link_type }) => {
    const image = picture === '' ? '' : pictureAddress(ctx, picture)
    return image === undefined ? [] : [{ id: String(id), title, image, link, linkType: link_type }]
  })
}

export interface BannerInput {
  title: string
  picture: string
  link: string
  sort: string
}

/** `/page…` of the app, `https://…`, or empty. */
export function linkTypeOf(link: string): BannerRow['link_type'] | undefined {
  if (link === '') return 'NONE'
  if (/^\/pages(A\/pages)?\/[\w/]+(\?[^\s"<>]*)?$/.test(link)) return framesForbiddenSite(link) ? undefined : 'PAGE'
  return isWeb(link) ? 'WEB' : undefined
}

const isWeb = (link: string) => link.startsWith('https://') && hostnameOf(link) !== undefined

/** Whether a `url` parameter of the link (the page that frames other sites) is an address that is not allowed. */
function framesForbiddenSite(link: string): boolean {
  const urls = new URLSearchParams(link.replace(/^[^?]*/, '')).getAll('url')
  return !urls.every(isWeb)
}

/** Converts the form into a row. @throws AppError VALIDATION_FAILED listing every issue */
export function bannerOf(content: ContentRepository, input: BannerInput) {
  const title = input.title.trim()
  const link = input.link.trim()
  const [linkType, sort] = [linkTypeOf(link), Number(input.sort || '0')]
  const issues = [
    (title === '' || title.length > MAX_TITLE) && `文字为 1-${MAX_TITLE} 字`,
    input.picture !== '' && !content.picture(input.picture) && '没有这张图片',
    (linkType === undefined || link.length > MAX_LINK) && '链接应为本应用的页面（/pages…）或 https:// 开头的网址',
    (!Number.isInteger(sort) || Math.abs(sort) > 999) && '顺序应为 0-999 的整数',
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0 || linkType === undefined) throw invalid(issues.map((msg) => ({ path: '', msg })))
  return { title, picture: input.picture, link, link_type: linkType, sort }
}

/** Adds a banner; without a picture it is a notice. */
export async function addBanner(tx: Db, row: ReturnType<typeof bannerOf>, now: number): Promise<string> {
  const { id } = await tx
    .insertInto('banners')
    .values({ ...row, place: 'HOME', active: true, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

/** @returns false when there is no such banner */
export async function changeBanner(tx: Db, id: string, row: Partial<BannerRow>, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('banners')
    .set({ ...row, updated_at: now })
    .where('id', '=', Number(id))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
