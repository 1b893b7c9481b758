export interface Updates {
  /** Gets the newest app: from `url` where it is installed from there, else by starting anew. */
  get(url: string): void
  /** Calls `ready` once a newer version of the app has been downloaded; true puts it in place at once. */
  follow(ready: () => Promise<boolean>): void
}
