import { type Kysely, sql } from 'kysely'
import { databaseNow } from '../../../db/now'
import type { DB } from '../../../db/tables'
import { entitlementChecks } from './entitlements'
import { moneyChecks } from './money'
import type { CheckQuery, DifferenceRow } from './sql'

export type DifferenceKind = keyof typeof moneyChecks | keyof ReturnType<typeof entitlementChecks>

/** A place where orders, payments, ledger, entitlements and coupons disagree. */
export interface Difference {
  kind: DifferenceKind
  orderId: string
  /** id of the payment, refund, coupon or report concerned, or another hint where to look */
  ref?: string
}

export interface LedgerCheck {
  /** orders checked */
  orders: number
  /** at most `MAX_LISTED` of a kind */
  differences: Difference[]
  /** totals by kind; kinds without a difference are omitted */
  counts: Partial<Record<DifferenceKind, number>>
}

/** Differences listed per kind; further ones are only counted, so memory use is bounded. */
export const MAX_LISTED = 1000

/**
 * Compares orders, payments, ledger, entitlements (reports, log, messages) and coupons. It runs in one read-only
 * snapshot, so concurrent writes cannot appear as differences; every check is one set-based statement.
 */
export async function checkLedger(db: Kysely<DB>): Promise<LedgerCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { orders } = await tx
        .selectFrom('orders')
        .select((e) => e.fn.countAll<number>().as('orders'))
        .executeTakeFirstOrThrow()
      const checks = { ...moneyChecks, ...entitlementChecks(await latestTime(tx)) }
      const result: LedgerCheck = { orders, differences: [], counts: {} }
      for (const [kind, query] of Object.entries(checks) as [DifferenceKind, CheckQuery][]) {
        const { rows } = await sql<
          DifferenceRow & { total: number }
        >`select order_id, ref::text as ref, count(*) over () as total
          from (${query}) as found order by order_id, ref limit ${sql.lit(MAX_LISTED)}`.execute(tx)
        if (rows[0]) result.counts[kind] = Number(rows[0].total)
        for (const { order_id: orderId, ref } of rows)
          result.differences.push({ kind, orderId, ...(ref !== null && { ref }) })
      }
      return result
    })
}

/**
 * ms: the database's time, or the sandbox's where its clock is ahead. The nightly check uses the same time as the job
 * that purges messages in that run.
 */
async function latestTime(tx: Kysely<DB>): Promise<number> {
  const { at } = await tx
    .selectFrom('ledger_checks')
    .select((e) => e.fn.max('started_at').as('at'))
    .executeTakeFirstOrThrow()
  return Math.max(await databaseNow(tx), at ?? 0)
}
