import type { Redis } from 'ioredis'

interface Counted {
  /** key of the counter, e.g. `reprice:<user id>`; no personal data */
  key: string
  /** uses counted at once; 1 if omitted */
  n?: number
  /** ms */
  window: number
  /** ms */
  now: number
}

export interface Use extends Counted {
  /** uses allowed per window */
  max: number
}

interface Count {
  /** uses in the window, these included */
  current: number
  /** ms until the window ends */
  ttl: number
}

/** Counts uses in fixed windows. Limits that protect money or phone numbers are kept in the database instead. */
export interface RateLimits {
  /** Counts one use, or `n`. */
  count(use: Counted): Promise<Count>
  /** Counts one use, or `n`. @returns whether all were within the limit */
  take(use: Use): Promise<boolean>
}

/** windows kept at most before the ended ones are removed */
const MAX_WINDOWS = 10_000

function perProcess() {
  const windows = new Map<string, { until: number; n: number }>()
  let sweepAt = MAX_WINDOWS
  return {
    async count({ key, window, now, n = 1 }: Counted): Promise<Count> {
      const previous = windows.get(key)
      // one that ends later than a window from now was begun while the clock was wrong
      const isOpen = previous !== undefined && previous.until > now && previous.until <= now + window
      const current = isOpen ? previous : { until: now + window, n: 0 }
      current.n += n
      windows.set(key, current)
      if (windows.size > sweepAt) {
        for (const [id, { until }] of windows) if (until <= now) windows.delete(id)
        // windows that are still open are not looked through again for each use
        sweepAt = Math.max(MAX_WINDOWS, 2 * windows.size)
      }
      return { current: current.n, ttl: current.until - now }
    },
  }
}

/** @param redis shared by all processes; undefined, or while it is away: every process counts for itself */
export function createRateLimits(redis: Redis | undefined): RateLimits {
  const own = perProcess()
  const shared = async (use: Counted): Promise<Count> => {
    const key = `limit:${use.key}`
    const results = await redis
      ?.multi()
      .incrby(key, use.n ?? 1)
      .pexpire(key, use.window, 'NX')
      .pttl(key)
      .exec()
      .catch(() => null)
    const [current, ttl] = [results?.[0]?.[1], results?.[2]?.[1]]
    return typeof current === 'number' && typeof ttl === 'number' ? { current, ttl } : own.count(use)
  }
  const count = redis ? shared : own.count
  return { count, take: async (use) => (await count(use)).current <= use.max }
}
