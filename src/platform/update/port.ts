export interface Updates {
  /** Installs the newest version: from `url` if the app is installed from there, otherwise by reloading. */
  get(url: string): void
  /** Calls `ready` once a newer version has been downloaded; when it resolves to true, the app restarts into it. */
  onReady(ready: () => Promise<boolean>): void
}
