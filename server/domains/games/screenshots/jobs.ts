import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import type { Db } from '../../../db/database'
import { rowsJob } from '../../shared/due-rows'

/** The pictures that an order of the user contains, which stay. */
async function ordered(db: Db, userId: string, keys: readonly string[]): Promise<string[]> {
  const kept = await sql<{ key: string }>`select key from unnest(${sql.val(keys)}::text[]) as key
    where exists (select from orders o where o.user_id = ${userId}
      and (position(key in o.answers::text) > 0 or position(key in o.images::text) > 0))`.execute(db)
  return kept.rows.map(({ key }) => key)
}

/**
 * Removes tasks of screenshots after a day, and their pictures unless an order contains them; the pictures first. A task with
 * such a picture stays as long as the order has it, because staff compare what was read with the answers.
 */
const expiry = { name: 'screenshot expiry', lowPriority: true, every: HOUR_MS / 6 } as const
export const endScreenshotTasks = rowsJob(expiry, ({ db, providers: { storage }, clock }, now) => ({
  due: (notQuarantined) =>
    db
      .selectFrom('screenshot_tasks')
      .select(['id', 'user_id', 'keys'])
      .where('expire_at', '<=', now)
      .where(notQuarantined(sql`screenshot_tasks.id`))
      .limit(100)
      .execute(),
  idOf: ({ id }) => id,
  async process({ id, user_id, keys }) {
    const kept = await ordered(db, user_id, keys)
    await storage.remove(keys.filter((key) => !kept.includes(key)))
    if (kept.length > 0) {
      const expire_at = clock.now() + DAY_MS
      const later = await db.updateTable('screenshot_tasks').set({ expire_at }).where('id', '=', id).executeTakeFirst()
      return later.numUpdatedRows > 0n
    }
    const deleted = await db.deleteFrom('screenshot_tasks').where('id', '=', id).executeTakeFirst()
    return deleted.numDeletedRows > 0n
  },
}))
