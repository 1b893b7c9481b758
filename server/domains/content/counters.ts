import { sql } from 'kysely'
import { invalid } from '../../core/app-error'
import type { Deps, OpenCtx } from '../../core/context'

/** Visits by a channel's link; the valid codes are only known to the operator's advertisers, so any is accepted. */
const VISIT = 'VISIT'
/** Limit of counted channels: the call needs no login, so a stranger must not be able to fill the table. */
const MAX_CHANNELS = 10_000

/** Whether this key may be counted by a client. */
function exists({ repositories: { content } }: OpenCtx, key: string, bizId: string): boolean {
  if (key === VISIT) return true
  if (key === 'CHANNEL_OUT') return content.channels().some(({ channel }) => channel === bizId)
  return (
    (key === 'HELP_YES' || key === 'HELP_NO') &&
    content.help().some(({ items }) => items.some(({ id }) => id === bizId))
  )
}

/**
 * Counts an event reported by a client: visits by channel, votes on answers, links to third parties.
 * @throws AppError VALIDATION_FAILED for anything else
 */
export async function incrementReported(ctx: OpenCtx, key: string, bizId = ''): Promise<number> {
  if (!exists(ctx, key, bizId)) throw invalid([{ path: 'key', msg: '没有这个统计项' }])
  return incrementCounter(ctx, key, bizId)
}

/**
 * Increments a counter and returns it. At the limit of channels the least visited one is replaced, so made-up codes
 * displace each other rather than real channels.
 */
export async function incrementCounter({ db }: Deps, key: string, bizId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with replaced as (
      delete from counters using (
        select key, biz_id from counters where ${key === VISIT} and key = ${VISIT}
          and not exists (select 1 from counters where key = ${key} and biz_id = ${bizId})
          and (select count(*) from counters where key = ${VISIT}) >= ${MAX_CHANNELS}
        order by n, biz_id limit 1 for update skip locked) as least
      where counters.key = least.key and counters.biz_id = least.biz_id),
    counted as (
      insert into counters (key, biz_id, n) values (${key}, ${bizId}, 1)
      on conflict (key, biz_id) do update set n = counters.n + excluded.n returning n)
    select n from counted`.execute(db)
  return rows[0]?.n ?? 0
}
