import { sql } from 'kysely'
import type { Db } from '../../db/database'

/** Most different things that are counted; the call is open, so a stranger must not be able to fill the table. */
const MOST_HITS = 10_000

/** Counts one more and answers how many; undefined when the table is full and this thing is new. */
export async function countHit(db: Db, key: string, bizId = ''): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`
    insert into hits (key, biz_id, n) select ${key}, ${bizId}, 1
    where exists (select 1 from hits where key = ${key} and biz_id = ${bizId})
      or (select count(*) from hits) < ${MOST_HITS}
    on conflict (key, biz_id) do update set n = hits.n + 1 returning n`.execute(db)
  return rows[0]?.n
}
