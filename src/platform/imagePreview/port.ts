export interface ImagePreview {
  /** Shows pictures over the whole screen, beginning with `current`; 1 to 4 times their size with two fingers (spec §9). */
  open(urls: readonly string[], current?: string): void
}
