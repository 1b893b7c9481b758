import { isEmbedToken } from '@/contract/constants'
import { EMBED_PAGE } from '@/contract/pages'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../app-error'
import type { UserCtx } from '../../context'
import type { Db } from '../../db/database'
import { lockUser } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { newId } from '../shared/secrets'
import { embedToken } from './embed'

/** paths of the pictures beside a title: the product's, a shared report's by its token, a game's by its id */
export const SHARE_IMAGE = '/share.png'
export const REPORT_CARDS = '/share/report'
export const GAME_CARDS = '/share/game'

interface Shared {
  report_no: string
  token: string
  title: string
}

/**
 * What a shared report says before it is opened: no price, no account, nobody's name. Full addresses, because those who
 * read it stand outside.
 */
export const previewOf = ({ report_no, token, title }: Shared, origin: string) => ({
  title: '邀请您查看估价报告',
  desc: `${title} · 参考价格、区间和依据`,
  // an address that lives for minutes has no card of its own
  image: origin + (token !== '' && !isEmbedToken(token) ? `${REPORT_CARDS}/${token}.png` : SHARE_IMAGE),
  // the one page of a report that the specification opens to everybody
  url: origin + pageLink(EMBED_PAGE, { reportNo: report_no, shareToken: token }),
})

/**
 * A share by its token, withdrawn or not. Its link names the version it began with; from the next one on it shows that.
 * @param reportNo any version's of the same order
 */
export const shareOfToken = (db: Db, token: string, reportNo?: string) =>
  db
    .selectFrom('report_shares as s')
    .innerJoin('reports as r', 'r.report_no', 's.report_no')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .select(['s.token', 's.report_no', 's.user_id', 's.revoked_at', 'o.title', 'o.game_id'])
    .where('s.token', '=', token)
    .$if(reportNo !== undefined, (q) =>
      q.where('r.order_id', '=', (e) =>
        e
          .selectFrom('reports as named')
          .select('named.order_id')
          .where('named.report_no', '=', reportNo ?? ''),
      ),
    )
    .executeTakeFirst()

/** The share of an order goes on with its next version, and its owner can still withdraw it. Hand in its transaction. */
export const passShareOn = (tx: Db, { from, to }: { from: string; to: string }) =>
  tx
    .updateTable('report_shares')
    .set({ report_no: to })
    .where('report_no', '=', from)
    .where('revoked_at', 'is', null)
    .execute()

/** The owner's newest report of an order, with the token it is shared by. */
async function ownReport(db: Db, userId: string, orderId: string) {
  const row = await db
    .selectFrom('reports as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .leftJoin('report_shares as s', (j) => j.onRef('s.report_no', '=', 'r.report_no').on('s.revoked_at', 'is', null))
    .select(['r.report_no', 'r.status', 'o.title', 's.token'])
    .where('r.order_id', '=', orderId)
    .where('r.user_id', '=', userId)
    .orderBy('r.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有找到这份报告' })
  return row
}

/**
 * Ends what a user gave away of reports: shares, and addresses for embedding that were made before. Of all versions.
 * @param tx a transaction
 * @param orderId without it: of all orders
 */
export async function endShares(tx: Db, { userId, now, orderId }: { userId: string; now: number; orderId?: string }) {
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
      q.where('report_no', 'in', (e) =>
        e
          .selectFrom('reports')
          .select('report_no')
          .where('order_id', '=', orderId ?? ''),
      ),
    )
    .execute()
}

type Answer = Res<'evaluation', 'reportImageShare'>

/** Two who begin at once begin the same share; none begins for an account that is leaving, which has withdrawn them all. */
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

/** The report for a page or a web-view of somebody else. */
async function forEmbedding({ db, userId, origin, reportSigner, clock }: UserCtx, orderId: string): Promise<Answer> {
  const { report_no, title, status } = await ownReport(db, userId, orderId)
  if (status === 'REVOKED') throw new AppError('NOT_FOUND', { msg: '该报告已被撤回，不能分享' })
  const token = embedToken({ reportSigner }, report_no, clock.now())
  return { ...previewOf({ report_no, title, token }, origin), shareToken: token }
}

/**
 * What a share of a report says and where it leads. The owner asks by `orderId`, which begins the share, and ends it
 * with `withdraw`: from then on its links say 已撤回, and the next share has another token; `embed` gives an address that
 * holds for minutes. Anybody else asks by token.
 * @throws AppError NOT_FOUND, SHARE_REVOKED, VALIDATION_FAILED
 */
export async function reportShare(ctx: UserCtx, req: Req<'evaluation', 'reportImageShare'>): Promise<Answer> {
  if (req.orderId && req.withdraw) {
    const { report_no, title } = await ownReport(ctx.db, ctx.userId, req.orderId)
    const ended = { userId: ctx.userId, now: ctx.clock.now(), orderId: req.orderId }
    await ctx.db.transaction().execute((tx) => endShares(tx, ended))
    return { ...previewOf({ report_no, title, token: '' }, ctx.origin), url: '' }
  }
  if (req.orderId) return req.embed ? forEmbedding(ctx, req.orderId) : ownShare(ctx, req.orderId)
  if (!req.shareToken) throw invalid([{ path: 'shareToken', msg: '请给出订单或分享凭证' }])
  const share = await shareOfToken(ctx.db, req.shareToken)
  if (!share) throw new AppError('NOT_FOUND', { msg: '没有找到这份报告' })
  if (share.revoked_at !== null) throw new AppError('SHARE_REVOKED')
  return previewOf(share, ctx.origin)
}
