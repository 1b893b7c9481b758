/** What the server has sent along with the page: its first screen, and the answers the app would ask for at once. */
export interface FirstPaint {
  /**
   * The answer to a call, once, for the first seconds of a visit, or the promise of one while the host is still asked for
   * it; undefined: ask. `body` is '' without one.
   */
  take(path: string, body: string): unknown
  /** Whether the page on show is the server's. */
  shown(): boolean
  /** The app's own page stands: the server's goes. */
  done(): void
}
