/** this many sales are read, parsed or sent in a few milliseconds */
export const BATCH_SIZE = 400

/** Splits a list into batches of at most `BATCH_SIZE`, for work that must yield to other requests. */
export function batchesOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH_SIZE) }, (_, k) =>
    list.slice(k * BATCH_SIZE, (k + 1) * BATCH_SIZE),
  )
}
