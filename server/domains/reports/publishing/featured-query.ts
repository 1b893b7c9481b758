import { type SqlBool, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Db } from '../../../db/database'
import { precompiledQuery } from '../../../db/precompiled-query'

/** ms; older prices are not informative */
const SHOWN_FOR = 90 * DAY_MS

/** Featured reports, of all games or of one. */
const MAX_FEATURED = 500
/** newest unlocked reports of high confidence that are searched for those of consenting owners */
const MAX_CANDIDATES = 10_000

/**
 * Unlocked reports of users who agreed (off by default): the newest of each account. Every report is checked by this
 * query before it is shown, so it disappears as soon as its owner withdraws consent, deletes it or asks for the deletion
 * of the account.
 * @param since ms: older ones are not shown
 */
const allowed = (db: Db, since: number) =>
  db
    .selectFrom('reports as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where(sql<SqlBool>`u.settings @> '{"showAsExample": true}'`)
    .where('u.erased', '=', false)
    .where('u.deletion_at', 'is', null)
    .where('o.mode', '=', 'AI')
    .where('o.deleted_at', 'is', null)
    .where('r.status', '=', 'UNLOCKED')
    .where('r.created_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as newer')
            .select('newer.report_no')
            .whereRef('newer.user_id', '=', 'r.user_id')
            .whereRef('newer.account_id', '=', 'r.account_id')
            .whereRef('newer.created_at', '>', 'r.created_at')
            .where('newer.status', '=', 'UNLOCKED')
            .where('newer.model_id', 'is not', null),
        ),
      ),
    )

/**
 * Those of them with high confidence. The condition deliberately differs from that of the index `reports_featured`, which
 * is only useful for finding many reports.
 */
export const featuredReports = (db: Db, now: number) =>
  allowed(db, now - SHOWN_FOR).where(sql<SqlBool>`r.body #>> '{confidence,level}' = 'HIGH'`)

const stillAllowed = precompiledQuery((db, { numbers, since }: { numbers: readonly string[]; since: number }) =>
  allowed(db, since)
    .select(['r.report_no', 'r.game_id', 'r.predict_fen', 'r.created_at', 'r.body', 'o.title', 'u.nickname'])
    .where(sql<SqlBool>`r.report_no = any(${numbers}::text[])`)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.report_no'),
)

/** Those of these reports that may be shown now, newest first. */
export const filterFeatured = (db: Db, now: number, numbers: readonly string[]) =>
  stillAllowed(db, { numbers, since: now - SHOWN_FOR })

/**
 * Numbers of the featured reports, newest first: the same conditions as above, on the newest candidates only.
 * @param tx a transaction
 */
export async function featuredNumbers(tx: Db, now: number, gameId: string | undefined): Promise<string[]> {
  const since = now - SHOWN_FOR
  const newest = tx
    .selectFrom('reports')
    .select('report_no')
    .where('status', '=', 'UNLOCKED')
    .where(sql<SqlBool>`body -> 'confidence' ->> 'level' = 'HIGH'`)
    .where('created_at', '>', since)
    .$if(gameId !== undefined, (q) => q.where('game_id', '=', gameId ?? ''))
    .orderBy('created_at', 'desc')
    .limit(MAX_CANDIDATES)
  // the planner underestimates the number of reports with high confidence, and would read and sort all of them
  await sql`set local enable_bitmapscan = off`.execute(tx)
  const rows = await allowed(tx, since)
    .select('r.report_no')
    .where('r.report_no', 'in', newest)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.report_no')
    .limit(MAX_FEATURED)
    .execute()
  return rows.map(({ report_no }) => report_no)
}
