/**
 * Why a chosen file is not uploaded: `kind`: its content is not a picture · `broken`: it cannot be decoded · `size`:
 * too large or too long even after compression. Why nothing could be chosen: `denied`: no permission for album or
 * camera · `privacy`: the user declined the host's privacy guide · `album`: any other error of the host.
 */
export type PictureErrorKind = 'kind' | 'broken' | 'size' | 'album' | 'denied' | 'privacy'

export class PictureRefused extends Error {
  constructor(readonly kind: PictureErrorKind) {
    super(`picture refused: ${kind}`)
  }
}

/** See the constant `pictureLimits`. */
export interface PictureLimits {
  longSide: number
  minWidth: number
  maxPixels: number
  maxBytes: number
}

export interface Pictures {
  /**
   * Lets the user choose up to `most` pictures: `blob:` addresses on h5, temporary paths in the mini-program; an empty
   * list if the user cancels.
   * @throws PictureRefused `album`, `denied`, `privacy`
   */
  choose(most: number): Promise<string[]>
  /**
   * Re-encodes the picture as a JPEG: upright, within the limits, without EXIF (location, time, device).
   * @throws PictureRefused
   */
  prepare(file: string, limits: PictureLimits): Promise<string>
  /** Opens the permission settings for album and camera; call it in a tap handler. */
  openSettings(): void
  /** Releases a chosen file. */
  release(file: string): void
}

/** JPEG quality at which text on a screenshot stays sharp. */
export const JPG_QUALITY = 0.86
