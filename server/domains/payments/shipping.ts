import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import { WechatRejected } from '../../providers/wechat/port'
import { isTimeReached } from '../shared/due'
import { type NotQuarantined, type RowOutcome, rowsJob } from '../shared/due-rows'

/** ms: WeChat does not accept older payments */
const TOO_OLD = 30 * DAY_MS
/** ms until the first retry; the delay doubles with the age of the payment */
const FIRST_WAIT = 60_000
const LONGEST_WAIT = 6 * HOUR_MS
const BATCH = 20
/** WeChat's error codes for a delivery reported before */
const ALREADY_REPORTED: readonly number[] = [10060002, 10060003, 10060023]

/** Paid mini-program orders whose report was delivered but not yet reported to WeChat. */
const due = ({ db }: Deps, now: number, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .select(['p.id', 'p.txn', 'p.openid', 'p.paid_at', 'p.ship_at', 'o.title'])
    .where('p.provider', '=', 'wechat')
    .where('p.pay_type', '=', 'WX_MINI')
    .where('p.status', '=', 'PAID')
    .where('p.shipped_at', 'is', null)
    .where('p.paid_at', '>', now - TOO_OLD)
    .where((e) => e.or([e('p.ship_at', 'is', null), isTimeReached(sql`p.ship_at`, now, LONGEST_WAIT)]))
    .where('o.reported_at', 'is not', null)
    .where('p.openid', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger as l').select('l.id').whereRef('l.payment_id', '=', 'p.id').where('l.kind', '<>', 'PAY'),
        ),
      ),
    )
    .where(notQuarantined(sql`p.id`))
    .orderBy('p.paid_at')
    .limit(BATCH)
    .execute()

type Due = Awaited<ReturnType<typeof due>>[number]

/** Reschedules the payment before the attempt; exactly one process succeeds. */
async function claim({ db }: Deps, { id, ship_at, paid_at }: Due, now: number): Promise<boolean> {
  const wait = Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, now - (paid_at ?? now)))
  const row = await db
    .updateTable('payments')
    .set({ ship_at: now + wait })
    .where('id', '=', id)
    .where('shipped_at', 'is', null)
    .where('ship_at', ship_at === null ? 'is' : '=', ship_at)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @throws WechatRejected when WeChat rejects it: retried like any row of a job, then listed at the desk */
async function report(deps: Deps, payment: Due, now: number): Promise<RowOutcome> {
  if (!(await claim(deps, payment, now))) return false
  const { id, txn, openid, title } = payment
  try {
    await deps.providers.wechat.shipped({ txn: txn ?? '', openid: openid ?? '', what: title, at: now })
  } catch (err) {
    if (!(err instanceof WechatRejected)) {
      deps.log.warn({ err }, 'WeChat could not be told of a delivery')
      return 'STOP'
    }
    if (!ALREADY_REPORTED.includes(err.errcode)) throw err
  }
  await deps.db.updateTable('payments').set({ shipped_at: now }).where('id', '=', id).execute()
  return true
}

/**
 * Reports delivery of mini-program orders to WeChat (发货信息录入), which withholds ordinary payments until then. Virtual
 * payments have their own process and need none.
 */
export const reportShipping = rowsJob({ name: 'shipping', lowPriority: true, every: MINUTE_MS }, (deps, now) => ({
  due: async (notQuarantined) => (deps.providers.wechat.enabledLogins.mini ? due(deps, now, notQuarantined) : []),
  idOf: ({ id }) => id,
  process: (payment) => report(deps, payment, now),
}))
