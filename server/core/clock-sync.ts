import type { Kysely } from 'kysely'
import type { DB } from '../db/tables'
import type { Clock } from './clock'
import type { Logger } from './log'

/** ms: a deviation of the machine's clock that the operator should check */
const ALARM_FROM = 60_000

/**
 * The first synchronisation; nothing may be decided before it, since the machine's clock may be wrong.
 * @throws the database's error
 */
export async function startClock(clock: Clock, db: Kysely<DB>, log: Logger): Promise<void> {
  logCorrection(await clock.sync(db), log)
}

/** Logs a deviation between clock and database: the machine's clock is wrong, or the database's has jumped. */
function logCorrection(corrected: number, log: Logger): void {
  const alarm = Math.abs(corrected) >= ALARM_FROM
  if (corrected !== 0)
    log[alarm ? 'error' : 'warn']({ correctedMs: corrected, alarm }, 'the clock was set by the database')
}

/**
 * Synchronises the clock with the database.
 * @returns false if the database is unavailable: nothing that depends on the time should be decided now
 */
export async function syncClock(clock: Clock, db: Kysely<DB>, log: Logger): Promise<boolean> {
  const corrected = await clock.sync(db).catch((err: unknown) => {
    log.warn({ err }, 'the clock could not be set by the database')
    return undefined
  })
  if (corrected === undefined) return false
  logCorrection(corrected, log)
  return true
}
