import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/contract/time'
import { chinaDayStart } from '../../../core/clock'
import type { Deps } from '../../../core/context'
import type { Job } from '../../shared/job'
import { readProviderRefunds } from '../provider-refunds'
import { checkBooks } from './provider-figures'

/** ms after midnight (China time): the daily check starts when load is low */
const BEGINS = 4 * HOUR_MS
/** ms after which a check without a result counts as aborted and is repeated */
const ABANDONED = HOUR_MS
/** ms results are kept */
const KEEP_FOR = 400 * DAY_MS

/** Claims this day's check in one conditional statement: exactly one process succeeds. */
async function claim({ db }: Deps, now: number): Promise<number | undefined> {
  const row = await db
    .insertInto('ledger_checks')
    .values({ day: chinaDayStart(now - BEGINS), started_at: now, ended_at: null })
    .onConflict((c) =>
      c
        .column('day')
        .doUpdateSet({ started_at: now })
        .where('ledger_checks.ended_at', 'is', null)
        .where('ledger_checks.started_at', '<=', now - ABANDONED),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Once a night, in one process: checks that orders, payments, providers, ledger, entitlements and coupons agree. */
export const nightlyLedgerCheck: Job = {
  name: 'nightly ledger check',
  // reads whole tables: payments and time limits must not wait for it
  lowPriority: true,
  every: 10 * MINUTE_MS,
  async run(deps, now) {
    const id = await claim(deps, now)
    if (id === undefined) return 0
    const { db, clock, log, providers } = deps
    await readProviderRefunds(deps, now)
    const result = await checkBooks(db, providers.pay, now).catch((err: unknown) => {
      // repeated once it counts as aborted; the alarm keeps a failed check from being taken for a clean one
      log.error({ err, alarm: true }, 'the ledger could not be checked')
      return undefined
    })
    if (!result) return 0
    await db.updateTable('ledger_checks').set({ ended_at: clock.now() }).where('id', '=', id).execute()
    await db
      .deleteFrom('ledger_checks')
      .where('started_at', '<=', now - KEEP_FOR)
      .execute()
    const { counts, orders, unanswered } = result
    if (unanswered > 0) log.error({ alarm: true, unanswered }, 'payments could not be compared with their providers')
    if (Object.keys(counts).length > 0) log.error({ alarm: true, counts, orders }, 'the ledger check found differences')
    else log.info({ orders }, 'the ledger check found no difference')
    return 0
  },
}
