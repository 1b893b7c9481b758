import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { databaseNow } from '../db/now'
import type { DB } from '../db/tables'

/** ms: time limit of a check; load balancers give up soon after */
const WITHIN = 2000

/** Whether the database answers in time, so that requests may be routed here. */
export function isDatabaseUp(db: Kysely<DB>): Promise<boolean> {
  const answer = databaseNow(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, delay(WITHIN, false, { ref: false })])
}
