/** so many sales are read, parsed or sent in a few milliseconds */
export const BATCH_SIZE = 400

/** The list in parts of at most `BATCH_SIZE`, for work that must let other requests in between. */
export function batchesOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH_SIZE) }, (_, k) =>
    list.slice(k * BATCH_SIZE, (k + 1) * BATCH_SIZE),
  )
}
