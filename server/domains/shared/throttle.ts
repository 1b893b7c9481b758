import { sql } from 'kysely'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import { CLOCK_TOLERANCE_MS } from './due'

interface ThrottledUse {
  key: string
  max: number
  /** ms */
  window: number
  /** ms */
  now: number
}

/**
 * Rate limit: counts one of `max` uses in `window`, in one statement, so that concurrent requests cannot share a use.
 * @returns false when the limit is reached
 */
export async function tryThrottle(db: Db, { key, max, window, now }: ThrottledUse): Promise<boolean> {
  const over = sql<boolean>`(throttles.since <= ${now - window} or throttles.since > ${now + CLOCK_TOLERANCE_MS})`
  const taken = await db
    .insertInto('throttles')
    .values({ key, n: 1, since: now })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet({
          n: sql<number>`case when ${over} then 1 else throttles.n + 1 end`,
          since: sql<number>`case when ${over} then ${now}::bigint else throttles.since end`,
        })
        .where((e) => e.or([over, e('throttles.n', '<', max)])),
    )
    .returning('n')
    .executeTakeFirst()
  return taken !== undefined
}

/** `tryThrottle` for calls that may be repeated later. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT */
export async function throttle(db: Db, use: ThrottledUse): Promise<void> {
  if (!(await tryThrottle(db, use))) throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
}
