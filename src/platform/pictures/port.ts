/**
 * Why a chosen file is not sent: not a picture by its content, one that cannot be drawn, still too large. Why none could be
 * chosen: `denied`: the user does not let the host use album or camera · `privacy`: the user refused the host's privacy
 * guide · `album`: anything else the host says.
 */
export type PictureErrorKind = 'kind' | 'broken' | 'size' | 'album' | 'denied' | 'privacy'

export class PictureRefused extends Error {
  constructor(readonly fault: PictureErrorKind) {
    super(`picture refused: ${fault}`)
  }
}

export interface PictureLimits {
  /** px */
  longSide: number
  /** of what comes out */
  maxBytes: number
}

export interface Pictures {
  /**
   * Lets the user choose up to `most` pictures: `blob:` addresses on h5, temporary paths in the mini-program; none when he gives up.
   * @throws PictureRefused `album`, `denied`, `privacy`
   */
  choose(most: number): Promise<string[]>
  /**
   * The picture drawn anew as a jpg: upright, not larger than the limits, without place, time or device in it.
   * @throws PictureRefused
   */
  prepare(file: string, limits: PictureLimits): Promise<string>
  /** Opens the settings in which album and camera are allowed, inside a tap. */
  openSettings(): void
  /** The file is not needed any more. */
  forget(file: string): void
}

/** Of the jpg that is made; text on a screenshot stays sharp. */
export const JPG_QUALITY = 0.86
