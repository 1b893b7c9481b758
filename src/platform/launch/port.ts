/** Query the app was opened with, not decoded, including the parameters in the `scene` of a mini-program's code. */
export interface Launch {
  query(): Record<string, string>
  /**
   * Platform that the link of a native app names, for as long as the browser's tab is open. Always undefined in the
   * mini-program. @param named by the link that was just opened
   */
  nativePlatform(named: string | undefined): string | undefined
  /** Removes a parameter from the URL, so that it is not shared. */
  removeParam(name: string): void
  /** The page was reloaded (refresh, back from another site), which loses the page stack. */
  reloaded(): boolean
  /**
   * Called with the query when the running app is reopened by another link, but not on a mere return. A
   * browser loads the app again for every link.
   */
  onReopen(listener: (query: Record<string, string>) => void): void
}
