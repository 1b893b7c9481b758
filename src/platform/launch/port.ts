/** Query the app was opened with, not decoded; what the `scene` of a mini-program's code says is part of it. */
export interface Launch {
  query(): Record<string, string>
  /** Takes a parameter out of the address, where there is one: it was for us and is to be passed on to nobody. */
  forget(name: string): void
  /** The page was loaded anew (refresh, back from another site): the visit goes on, only its stack of pages is gone. */
  reloaded(): boolean
  /**
   * Tells the query each time the running app is opened anew by another link. Coming back to it as it was is none. A
   * browser loads the app for every link.
   */
  onReopen(listener: (query: Record<string, string>) => void): void
}
