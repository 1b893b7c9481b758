import { sql } from 'kysely'
import { chinaTime } from '../../clock'
import type { Deps } from '../../context'
import type { Job } from '../../jobs/sweep'

/** Most different things that are counted; the call is open, so a stranger must not be able to fill the table. */
const MOST_HITS = 10_000
/** ms the counters of a day are kept */
const KEPT = 400 * 86_400_000

/** Counts one more and answers how many; undefined when the table is full and this thing is new. */
export async function countHit({ db, clock }: Pick<Deps, 'db' | 'clock'>, key: string, bizId = '') {
  const day = chinaTime(clock.now()).dayStart
  const { rows } = await sql<{ n: number }>`
    with counted as (
      insert into hits (key, biz_id, n) select ${key}, ${bizId}, 1
      where exists (select 1 from hits where key = ${key} and biz_id = ${bizId})
        or (select count(*) from hits) < ${MOST_HITS}
      on conflict (key, biz_id) do update set n = hits.n + 1 returning n),
    of_day as (
      insert into hit_days (day, key, biz_id, n) select ${day}::bigint, ${key}, ${bizId}, 1 from counted
      on conflict (day, key, biz_id) do update set n = hit_days.n + 1)
    select n from counted`.execute(db)
  return rows[0]?.n
}

/** Takes away the counters of days long past; the totals stay. */
export const oldHits: Job = {
  name: 'old counters',
  async run({ db }, now) {
    const gone = await db
      .deleteFrom('hit_days')
      .where('day', '<', now - KEPT)
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  },
}
