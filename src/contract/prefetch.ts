/** Responses by the key `path?query`, line feed, body ('' without one). */
export type Answers = Record<string, unknown>

/** Response of `GET /weapp/prefetch`: the home page's calls, common to all systems and for each of the two kinds. */
export interface PrefetchedData {
  all: Answers
  ios: Answers
  other: Answers
}

/** ms for which prefetched responses count as fresh */
export const PREFETCH_LIFETIME_MS = 30_000
