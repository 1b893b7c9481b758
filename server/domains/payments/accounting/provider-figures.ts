/** Compares the newest payments with what their providers say about them. */
import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { chinaDayStart } from '../../../core/clock'
import type { Db } from '../../../db/database'
import { ProviderUnavailable, type Trade } from '../../../providers/pay/port'
import type { PayProviders } from '../../../providers/pay/providers'
import { handledProviders } from '../missing-provider'
import { createUnresponsiveProviders } from '../unresponsive-providers'
import { checkLedger, type DifferenceKind, type LedgerCheck } from './check'

export interface BooksCheck extends LedgerCheck {
  /** payments whose provider has not answered */
  unanswered: number
}

const payments = (db: Db) =>
  db
    .selectFrom('payments as p')
    .select(['p.id', 'p.order_id', 'p.provider', 'p.openid', 'p.status', 'p.txn', 'p.amount_fen', 'p.provider_refunds'])
    .select([
      sql<number>`coalesce((select -sum(l.amount_fen) from ledger l where l.payment_id = p.id and l.kind = 'REFUND'), 0)::bigint`.as(
        'booked_fen',
      ),
      sql<boolean>`exists (select from refunds r where r.payment_id = p.id and r.status in ('PENDING', 'PROCESSING'))`.as(
        'refunding',
      ),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof payments>['executeTakeFirstOrThrow']>>

/** Whether the provider has paid back another amount than is booked, and than it has said before. */
function isRefundNews(row: Row, trade: Trade): boolean {
  if (row.refunding) return false
  const said = Object.values(row.provider_refunds)
  if (trade.state !== 'REFUNDED') return row.booked_fen > 0
  const fen = trade.refundedFen ?? (trade.paid ? undefined : row.amount_fen)
  if (fen === undefined) return row.booked_fen === 0 && said.length === 0
  const known = said.reduce((sum, fen) => sum + fen, 0)
  return fen > Math.max(row.booked_fen, known) || fen < row.booked_fen
}

function differenceOf(row: Row, trade: Trade): DifferenceKind | undefined {
  if (trade.state !== 'PAID' && trade.state !== 'REFUNDED')
    // the sandbox forgets payments when its process ends
    return row.status === 'PAID' && row.provider !== 'sandbox' ? 'LEDGER_WITHOUT_PAYMENT' : undefined
  if (row.status !== 'PAID' && trade.state === 'PAID') return 'PAYMENT_NOT_BOOKED'
  const paid = trade.state === 'PAID' ? trade : trade.paid
  if (row.status === 'PAID' && paid && (paid.txn !== row.txn || paid.amountFen !== row.amount_fen))
    return 'LEDGER_PAYMENT_MISMATCH'
  return isRefundNews(row, trade) ? 'REFUND_AT_PROVIDER' : undefined
}

/** The check of the ledger, and of the payments since yesterday against their providers. */
export async function checkBooks(db: Db, pay: PayProviders, now: number): Promise<BooksCheck> {
  const result: BooksCheck = { ...(await checkLedger(db)), unanswered: 0 }
  const newest = await payments(db)
    .where('p.created_at', '>=', chinaDayStart(now) - DAY_MS)
    // open ones are queried anyway
    .where('p.status', 'in', ['PAID', 'CLOSED', 'FAILED'])
    .orderBy('p.created_at')
    .execute()
  const isFound = (row: Row) => result.differences.some(({ ref }) => ref === row.id)
  const handled = handledProviders(pay)
  const silence = createUnresponsiveProviders()
  for (const row of newest.filter((row) => !isFound(row))) {
    const { id, provider: name, order_id: orderId, openid } = row
    if (name === 'none') continue
    const trade = handled.includes(name) && !silence.has(name) && (await query(name, { outTradeNo: id, openid }))
    if (!trade) result.unanswered += 1
    // read after the answer: a refund may have been booked meanwhile
    const kind = trade && differenceOf(await payments(db).where('p.id', '=', id).executeTakeFirstOrThrow(), trade)
    if (!kind) continue
    result.differences.push({ kind, orderId, ref: id })
    result.counts[kind] = (result.counts[kind] ?? 0) + 1
  }
  return result

  async function query(name: Exclude<Row['provider'], 'none'>, payment: { outTradeNo: string; openid: string | null }) {
    try {
      const provider = await pay.get(name)
      const trade = await provider.query(payment)
      silence.note(name, true)
      return trade
    } catch (err) {
      silence.note(name, !(err instanceof ProviderUnavailable))
      return undefined
    }
  }
}
