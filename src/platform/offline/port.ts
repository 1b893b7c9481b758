/** Offline cache of the home page and of the user's own reports and records. */
export interface Offline {
  /** Starts caching once the page is idle. */
  start(): void
  /** Removes the user's cached data. */
  clearOwnerCaches(): void
}
