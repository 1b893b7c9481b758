import { sql } from 'kysely'
import { EMBED_PAGE } from '@/contract/pages'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid, reportNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { lockUser } from '../../shared/locks'
import { pageLink } from '../../shared/page-link'
import { newId } from '../../shared/secrets'
import { selectOwnReport } from '../own-report'
import { embedToken } from './embed'

/** path of the preview picture of every share */
export const SHARE_IMAGE = '/share.png'

interface Shared {
  report_no: string
  token: string
  title: string
}

/** Preview of a shared report: no price, no account, no name. Full addresses, because it is read outside the app. */
export const previewOf = ({ report_no, token, title }: Shared, origin: string) => ({
  title: '邀请您查看估价报告',
  desc: `${title} · 参考价格、区间和依据`,
  image: origin + SHARE_IMAGE,
  // the only report page that the specification opens without login
  url: origin + pageLink(EMBED_PAGE, { reportNo: report_no, shareToken: token }),
})

/**
 * A share by its token, withdrawn or not. Its link names the version it was created for; after a new version it shows
 * the latest.
 * @param reportNo of any version of the same order
 */
export const shareOfToken = (db: Db, token: string, reportNo?: string) =>
  db
    .selectFrom('report_shares as s')
    .innerJoin('reports as r', 'r.report_no', 's.report_no')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .select(['s.token', 's.report_no', 's.user_id', 's.revoked_at', 'o.title'])
    .where('s.token', '=', token)
    .$if(reportNo !== undefined, (q) =>
      q.where(sql<boolean>`r.order_id = (select order_id from reports where report_no = ${reportNo})`),
    )
    .executeTakeFirst()

/** Moves an order's share to its next version; its owner can still revoke it. Call in the version's transaction. */
export const transferShare = (tx: Db, { from, to }: { from: string; to: string }) =>
  tx
    .updateTable('report_shares')
    .set({ report_no: to })
    .where('report_no', '=', from)
    .where('revoked_at', 'is', null)
    .execute()

/** The owner's latest report of an order, with its share token. */
const ownReport = (db: Db, userId: string, orderId: string) =>
  selectOwnReport(db, userId, orderId)
    .innerJoin('orders as o', 'o.id', 'reports.order_id')
    .leftJoin('report_shares as s', (j) =>
      j.onRef('s.report_no', '=', 'reports.report_no').on('s.revoked_at', 'is', null),
    )
    .select(['reports.report_no', 'reports.status', 'o.title', 's.token'])
    .executeTakeFirstOrThrow(reportNotFound)

/**
 * Revokes a user's shares of reports and the embedding addresses created so far, for all versions.
 * @param tx a transaction
 * @param orderId omitted: of all orders
 */
export async function revokeShares(
  tx: Db,
  { userId, now, orderId }: { userId: string; now: number; orderId?: string },
) {
  await tx
    .updateTable('orders')
    .set({ embeds_ended_at: now })
    .where('user_id', '=', userId)
    .where('report_no', 'is not', null)
    .$if(orderId !== undefined, (q) => q.where('id', '=', orderId ?? ''))
    .execute()
  await tx
    .updateTable('report_shares')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(orderId !== undefined, (q) =>
      q.where(sql<boolean>`report_no in (select report_no from reports where order_id = ${orderId})`),
    )
    .execute()
}

type Answer = Res<'evaluation', 'reportImageShare'>

/** Concurrent requests create the same share; none for an account being deleted, whose shares were revoked. */
async function ownShare({ db, userId, clock, origin }: UserCtx, orderId: string): Promise<Answer> {
  const share = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const { report_no, title, token, status } = await ownReport(tx, userId, orderId)
    if (status === 'REVOKED') throw new AppError('NOT_FOUND', { msg: '该报告已被撤回，不能分享' })
    if (token !== null) return { report_no, title, token }
    const fresh = { token: newId(), report_no, user_id: userId, created_at: clock.now(), revoked_at: null }
    await tx.insertInto('report_shares').values(fresh).execute()
    return { report_no, title, token: fresh.token }
  })
  return { ...previewOf(share, origin), shareToken: share.token }
}

/** An address for embedding the report in a web view. */
async function forEmbedding({ db, userId, origin, reportSigner, clock }: UserCtx, orderId: string): Promise<Answer> {
  const { report_no, title, status } = await ownReport(db, userId, orderId)
  if (status === 'REVOKED') throw new AppError('NOT_FOUND', { msg: '该报告已被撤回，不能分享' })
  const token = embedToken({ reportSigner }, report_no, clock.now())
  return { ...previewOf({ report_no, title, token }, origin), shareToken: token }
}

/**
 * Share text and link of a report. The owner asks by `orderId`, which creates the share; `withdraw` revokes it: its
 * links then say 已撤回, and the next share has a new token; `embed` returns a short-lived address. Others ask by token.
 * @throws AppError NOT_FOUND, SHARE_REVOKED, VALIDATION_FAILED
 */
export async function reportShare(ctx: UserCtx, req: Req<'evaluation', 'reportImageShare'>): Promise<Answer> {
  if (req.orderId && req.withdraw) {
    const { report_no, title } = await ownReport(ctx.db, ctx.userId, req.orderId)
    const ended = { userId: ctx.userId, now: ctx.clock.now(), orderId: req.orderId }
    await ctx.db.transaction().execute((tx) => revokeShares(tx, ended))
    return { ...previewOf({ report_no, title, token: '' }, ctx.origin), url: '' }
  }
  if (req.orderId) return req.embed ? forEmbedding(ctx, req.orderId) : ownShare(ctx, req.orderId)
  if (!req.shareToken) throw invalid([{ path: 'shareToken', msg: '请给出订单或分享凭证' }])
  const share = await shareOfToken(ctx.db, req.shareToken)
  if (!share) throw reportNotFound()
  if (share.revoked_at !== null) throw new AppError('SHARE_REVOKED')
  return previewOf(share, ctx.origin)
}
