/** Rows of a payment provider that this process lacks are left to processes that have it. */
import { sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import type { PayProviders } from '../../providers/pay/providers'
import type { QueriedProvider } from './unresponsive-providers'

/** ms between checks, and between log lines about one provider */
const POLL_INTERVAL_MS = 60_000
const LOG_INTERVAL_MS = HOUR_MS

/** Providers whose rows this process can handle. */
export const handledProviders = ({ names }: PayProviders): QueriedProvider[] => [...names, 'none']

interface PendingByProvider {
  kind: 'REFUND' | 'PAYMENT'
  provider: QueriedProvider
  n: number
}

/** Refunds and open payments due since before a time, by provider, except quarantined ones. */
async function dueSince(db: Db, before: number): Promise<PendingByProvider[]> {
  const given = (job: string, id: string) =>
    sql`exists (select from job_failures f where f.job = ${job} and f.row_id = ${sql.ref(id)} and f.quarantined_at is not null)`
  const { rows } = await sql<PendingByProvider>`
    select 'REFUND' as kind, p.provider, count(*) as n
    from refunds r join payments p on p.id = r.payment_id
    where r.next_at <= ${before}::bigint and not ${given('refunds', 'r.id')} group by p.provider
    union all
    select 'PAYMENT', p.provider, count(*) from payments p
    where p.next_ask_at <= ${before}::bigint and not ${given('payments that wait', 'p.id')} group by p.provider`.execute(
    db,
  )
  return rows
}

const warned = new WeakMap<PayProviders, { lookedAt: number; saidAt: Map<string, number> }>()
const since = (at: number | undefined, now: number) =>
  at === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - at)

/** Logs once an hour, per provider, the rows waiting for a provider that this process lacks. */
export async function logMissingProvider({ db, providers: { pay }, log }: Deps, now: number): Promise<void> {
  const state = warned.get(pay) ?? { lookedAt: Number.NEGATIVE_INFINITY, saidAt: new Map<string, number>() }
  warned.set(pay, state)
  if (since(state.lookedAt, now) < POLL_INTERVAL_MS) return
  state.lookedAt = now
  const own = new Set(handledProviders(pay))
  const lacking = (await dueSince(db, now)).filter(({ provider }) => !own.has(provider))
  for (const provider of new Set(lacking.map((row) => row.provider))) {
    if (since(state.saidAt.get(provider), now) < LOG_INTERVAL_MS) continue
    state.saidAt.set(provider, now)
    const of = (kind: PendingByProvider['kind']) =>
      lacking.find((row) => row.provider === provider && row.kind === kind)?.n ?? 0
    const fields = { provider, refunds: of('REFUND'), payments: of('PAYMENT') }
    log.warn(fields, 'due at a payment provider that this process does not have')
  }
}
