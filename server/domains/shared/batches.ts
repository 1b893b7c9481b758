/** so many sales are read, parsed or sent in a few milliseconds */
export const SLICE = 400

/** The list in parts of at most `SLICE`, for work that must let other requests in between. */
export function slices<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / SLICE) }, (_, k) => list.slice(k * SLICE, (k + 1) * SLICE))
}
