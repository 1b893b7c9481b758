/** Exponential backoff: ms to wait after `tries` attempts, doubled with each up to `most`. */
export const retryDelay = (tries: number, first: number, most: number): number =>
  Math.min(most, first * 2 ** Math.min(tries, 20))
