import type { Redis } from 'ioredis'

export interface Use {
  /** key of the counter, e.g. `reprice:<user id>`; no personal data */
  key: string
  /** uses allowed per window */
  max: number
  /** ms */
  window: number
  /** ms */
  now: number
}

/** Counts uses in fixed windows. Limits that protect money or phone numbers are kept in the database instead. */
export interface RateLimits {
  /** Counts one use. @returns whether it was within the limit */
  take(use: Use): Promise<boolean>
}

/** windows kept at most before the ended ones are removed */
const MAX_WINDOWS = 10_000

function perProcess(): RateLimits {
  const windows = new Map<string, { until: number; n: number }>()
  let sweepAt = MAX_WINDOWS
  return {
    async take({ key, max, window, now }) {
      const known = windows.get(key)
      const current = known && known.until > now ? known : { until: now + window, n: 0 }
      current.n += 1
      windows.set(key, current)
      if (windows.size > sweepAt) {
        for (const [id, { until }] of windows) if (until <= now) windows.delete(id)
        // windows that are still open are not looked through again for each use
        sweepAt = Math.max(MAX_WINDOWS, 2 * windows.size)
      }
      return current.n <= max
    },
  }
}

/** @param redis shared by all processes; undefined, or while it is away: every process counts for itself */
export function createRateLimits(redis: Redis | undefined): RateLimits {
  const own = perProcess()
  if (!redis) return own
  return {
    async take(use) {
      const key = `limit:${use.key}`
      const results = await redis
        .multi()
        .incr(key)
        .pexpire(key, use.window, 'NX')
        .exec()
        .catch(() => null)
      const n = results?.[0]?.[1]
      return typeof n === 'number' ? n <= use.max : own.take(use)
    },
  }
}
