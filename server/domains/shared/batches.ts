import { setImmediate as turn } from 'node:timers/promises'

/** this many sales are read, parsed or sent in a few milliseconds */
export const BATCH_SIZE = 400

/** Splits a list into batches of at most `BATCH_SIZE`, for work that must yield to other requests. */
export function batchesOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH_SIZE) }, (_, k) =>
    list.slice(k * BATCH_SIZE, (k + 1) * BATCH_SIZE),
  )
}

/** The entries of a list by key, in their order; one may have several keys, or none. */
export function groupBy<T, K>(list: Iterable<T>, keysOf: (item: T) => Iterable<K>): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list)
    for (const key of keysOf(item)) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  return groups
}

/** entries until other requests have their turn: prices of some milliseconds together */
const STEP = 10

/** As `list.map(of)`, in steps, so that other requests are served meanwhile. */
export async function mapInTurns<T, R>(list: readonly T[], of: (item: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const [i, item] of list.entries()) {
    done.push(of(item))
    if (i % STEP === 0) await turn()
  }
  return done
}
