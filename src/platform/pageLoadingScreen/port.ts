/** Overlay shown while a page's code is loading (spec §2: lazy pages). */
export interface PageLoadingScreen {
  loading(): void
  /** A tap anywhere runs `again`. */
  error(again: () => void): void
  hide(): void
}
