import { LRUCache } from 'lru-cache'

/** ms between the request that finds a value stale and its renewal: what that visitor asks for next is served first */
const RENEW_AFTER = 2000
/** keys of one cache; some come from requests */
const MAX_KEYS = 200

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())

export interface Freshness {
  /** ms for which a value is answered; 0: every call makes its own */
  fresh: number
  /** ms more for which it is answered while it is renewed once in the background */
  stale: number
  renewAfter?: number
}

/**
 * Stale-while-revalidate (RFC 5861). Concurrent calls for a key share one value being made. A failed renewal keeps the
 * stale value. Failures and `undefined` are not cached; without a stale value the caller receives them.
 */
export function createStaleCache<V extends object | string>({ fresh, stale, renewAfter = RENEW_AFTER }: Freshness) {
  const create = () =>
    new LRUCache<string, V, () => Promise<V | undefined>>({
      max: MAX_KEYS,
      ttl: Math.max(1, fresh),
      // read at each call, so that tests can set the clock
      perf: { now: () => performance.now() },
      ...{ allowStale: true, noDeleteOnStaleGet: true },
      noDeleteOnFetchRejection: true,
      async fetchMethod(_key, previous, { context: make }) {
        if (previous !== undefined) await pause(renewAfter)
        return make()
      },
    })
  let values = create()
  return {
    async get(key: string, make: () => Promise<V | undefined>): Promise<V | undefined> {
      if (fresh === 0) return make()
      if (values.getRemainingTTL(key) < -stale) values.delete(key)
      return values.fetch(key, { context: make })
    },
    /** Drops all values. What is being made is answered to its callers and not kept. */
    clear() {
      values = create()
    },
  }
}
