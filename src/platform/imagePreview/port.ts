export interface ImagePreview {
  /** Shows pictures in full screen, starting with `current`; pinching scales them from 1 to 4 (spec §9). */
  open(urls: readonly string[], current?: string): void
}
