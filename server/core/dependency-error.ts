import { isDatabaseAway } from '../db/errors'

/** An external system does not answer or accepts nothing: the same request may succeed later. */
export class DependencyUnavailable extends Error {
  override name = 'DependencyUnavailable'
}

/** A full, read-only or failing disk, and too many open files. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/**
 * Whether an error is an outage (database or storage unavailable: 503 SERVICE_UNAVAILABLE, may be retried) and not a
 * bug (500).
 */
export function isDependencyFailure(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return name === 'DependencyUnavailable' || (typeof code === 'string' && DISK_CODES.has(code)) || isDatabaseAway(error)
}
