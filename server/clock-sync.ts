import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Clock } from './clock'
import type { Tables } from './db/tables'
import type { Logger } from './log'

/** ms: a machine's clock this far off is worth a person's look */
const ALARM_FROM = 60_000

/**
 * Sets the clock by the database, and says when the two disagree: a machine's clock that is wrong, or a database's that
 * has jumped.
 * @returns false when the database could not be asked: nothing that depends on the time should be decided now
 */
export async function syncClock(clock: Clock, db: Kysely<Tables>, log: Logger): Promise<boolean> {
  const corrected = await clock.sync(db).catch((err: unknown) => {
    log.warn({ err }, 'the clock could not be set by the database')
    return undefined
  })
  if (corrected === undefined) return false
  const alarm = Math.abs(corrected) >= ALARM_FROM
  if (corrected !== 0)
    log[alarm ? 'error' : 'warn']({ correctedMs: corrected, alarm }, 'the clock was set by the database')
  return true
}

/** ms between two attempts, and how many there are */
const START = { every: 1000, attempts: 30 } as const

/**
 * The first measurement; nothing may be decided before it, since the machine's own clock may be wrong.
 * @throws Error when the database does not answer again and again
 */
export async function startClock(clock: Clock, db: Kysely<Tables>, log: Logger): Promise<void> {
  for (let attempt = 1; !(await syncClock(clock, db, log)); attempt += 1) {
    if (attempt === START.attempts) throw new Error('the database does not tell the time')
    await delay(START.every)
  }
}
