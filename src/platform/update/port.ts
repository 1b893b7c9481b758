export interface Updates {
  /** Calls `ready` once a newer version of the app has been downloaded; true puts it in place at once. */
  follow(ready: () => Promise<boolean>): void
}
