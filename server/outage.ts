import { isDatabaseAway } from './db/errors'

/** Something outside this process does not answer or takes nothing: the same request may succeed later. */
export class Outage extends Error {
  override name = 'Outage'
}

/** A full, read-only or failing disk, and too many open files. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/**
 * Whether an error is an outage (database or storage away: 503 SERVICE_UNAVAILABLE, worth another try) and not a fault of
 * this program (500).
 */
export function isOutage(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return name === 'Outage' || (typeof code === 'string' && DISK_CODES.has(code)) || isDatabaseAway(error)
}
