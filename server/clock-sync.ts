import type { Kysely } from 'kysely'
import type { Clock } from './clock'
import type { Tables } from './db/tables'
import type { Logger } from './log'

/** ms: a machine's clock this far off is worth a person's look */
const ALARM_FROM = 60_000

/**
 * The first measurement; nothing may be decided before it, since the machine's own clock may be wrong.
 * @throws the database's error
 */
export async function startClock(clock: Clock, db: Kysely<Tables>, log: Logger): Promise<void> {
  tell(await clock.sync(db), log)
}

/** Says when clock and database disagree: a machine's clock that is wrong, or a database's that has jumped. */
function tell(corrected: number, log: Logger): void {
  const alarm = Math.abs(corrected) >= ALARM_FROM
  if (corrected !== 0)
    log[alarm ? 'error' : 'warn']({ correctedMs: corrected, alarm }, 'the clock was set by the database')
}

/**
 * Sets the clock by the database.
 * @returns false when the database could not be asked: nothing that depends on the time should be decided now
 */
export async function syncClock(clock: Clock, db: Kysely<Tables>, log: Logger): Promise<boolean> {
  const corrected = await clock.sync(db).catch((err: unknown) => {
    log.warn({ err }, 'the clock could not be set by the database')
    return undefined
  })
  if (corrected === undefined) return false
  tell(corrected, log)
  return true
}
