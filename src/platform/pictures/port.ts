/**
 * Why a chosen file is not sent: not a picture by its content, one that cannot be drawn, still too large; `album`: the
 * host does not let the user choose.
 */
export type PictureFault = 'kind' | 'broken' | 'size' | 'album'

export class PictureRefused extends Error {
  constructor(readonly fault: PictureFault) {
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
   * @throws PictureRefused `album`
   */
  choose(most: number): Promise<string[]>
  /**
   * The picture drawn anew as a jpg: upright, not larger than the limits, without place, time or device in it.
   * @throws PictureRefused
   */
  prepare(file: string, limits: PictureLimits): Promise<string>
  /** The file is not needed any more. */
  forget(file: string): void
}

/** Of the jpg that is made; text on a screenshot stays sharp. */
export const JPG_QUALITY = 0.86
