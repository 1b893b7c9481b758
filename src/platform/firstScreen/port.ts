/** The server-rendered first screen with its embedded responses. */
export interface FirstScreen {
  /**
   * The embedded response to a call, returned once and only in the first seconds of a visit, or a promise while the host
   * is still fetching it; undefined: request it. `body` is '' if the call has none.
   */
  takeResponse(path: string, body: string): unknown
  /** Whether the server-rendered page is visible. */
  isVisible(): boolean
  /** Removes the server-rendered page once the app has rendered its own. */
  remove(): void
}
