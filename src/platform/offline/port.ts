/** What can be read without a network: the home page as it was last, and the reader's own reports and records. */
export interface Offline {
  /** Begins to keep it, once the page is at rest. */
  start(): void
  /** Nothing of the reader stays behind. */
  forget(): void
}
