/** Responses by the key `path?query`, line feed, body ('' without one). */
export type EmbeddedResponses = Record<string, unknown>

/** Response of `GET /weapp/prefetch`: the home page's calls, common to all systems and for each of the two kinds. */
export interface PrefetchedData {
  all: EmbeddedResponses
  ios: EmbeddedResponses
  other: EmbeddedResponses
}

/** ms for which prefetched responses count as fresh */
export const PREFETCH_LIFETIME_MS = 30_000
