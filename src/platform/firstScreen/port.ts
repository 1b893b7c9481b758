/** The server-rendered first screen with its embedded answers. */
export interface FirstScreen {
  /**
   * The answer to a call, once, for the first seconds of a visit, or the promise of one while the host is still asked for
   * it; undefined: ask. `body` is '' without one.
   */
  takeResponse(path: string, body: string): unknown
  /** Whether the server-rendered page is visible. */
  isVisible(): boolean
  /** Removes the server-rendered page once the app has rendered its own. */
  remove(): void
}
