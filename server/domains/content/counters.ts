import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { invalid } from '../../app-error'
import { chinaDayStart } from '../../clock'
import type { Deps, OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import { coalesceCalls } from '../shared/coalesce-calls'
import { changeDueRows } from '../shared/due-rows'
import type { Job } from '../shared/job'

/** Visits by a channel's link; the valid codes are only known to the operator's advertisers, so any is accepted. */
const VISIT = 'VISIT'
/** Limit of counted channels: the call needs no login, so a stranger must not be able to fill the table. */
const MAX_CHANNELS = 10_000
/** ms daily counters are kept */
const KEEP_FOR = 400 * DAY_MS

/** Whether this key may be counted by a client. */
function exists({ content }: OpenCtx, key: string, bizId: string): boolean {
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

interface Counter {
  key: string
  bizId: string
  /** ms, start of the day it is counted for */
  day: number
}

/** Increments a counter that others increment at this moment too by one statement for all of them. */
const increment = coalesceCalls(async (db: Db, { key, bizId, day }: Counter, times: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from hits using (
        select key, biz_id from hits where ${key === VISIT} and key = ${VISIT}
          and not exists (select 1 from hits where key = ${key} and biz_id = ${bizId})
          and (select count(*) from hits where key = ${VISIT}) >= ${MAX_CHANNELS}
        order by n, biz_id limit 1 for update skip locked) as least
      where hits.key = least.key and hits.biz_id = least.biz_id returning hits.key, hits.biz_id),
    gone_today as (
      delete from hit_days using gone where day = ${day}::bigint and hit_days.key = gone.key
        and hit_days.biz_id = gone.biz_id),
    counted as (
      insert into hits (key, biz_id, n) values (${key}, ${bizId}, ${times}::int)
      on conflict (key, biz_id) do update set n = hits.n + excluded.n returning n),
    of_day as (
      insert into hit_days (day, key, biz_id, n) values (${day}::bigint, ${key}, ${bizId}, ${times}::int)
      on conflict (day, key, biz_id) do update set n = hit_days.n + excluded.n)
    select n from counted`.execute(db)
  return rows[0]?.n ?? 0
})

/**
 * Increments a counter and returns it, with what others added at the same moment. At the limit of channels the least
 * visited one is replaced, so made-up codes displace each other rather than real channels.
 */
export const incrementCounter = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, key: string, bizId: string) =>
  increment(db, { key, bizId, day: chinaDayStart(clock.now()) })

/** Purges old daily counters; the totals stay. */
export const purgeCounters: Job = {
  name: 'old counters',
  run: (deps, now) =>
    changeDueRows(deps, now, {
      job: 'old counters',
      table: 'hit_days',
      // keys of visits come from links and are untrusted
      id: sql`hit_days.day || ' ' || md5(hit_days.key || ' ' || hit_days.biz_id)`,
      due: sql`hit_days.day < ${now - KEEP_FOR}::bigint`,
      change: sql`delete from hit_days`,
    }),
}
