/** Answers under `path?query`, a line feed, and the body ('' without one). */
export type Answers = Record<string, unknown>

/** What `GET /weapp/prefetch` answers: what home asks for, for every system and for one of the two kinds of them. */
export interface Prefetched {
  all: Answers
  ios: Answers
  other: Answers
}

/** ms for which answers that came before the app asked count as new */
export const PREFETCH_LIFETIME_MS = 30_000
