/** Rectangle on a picture: left, top, width, height, as fractions of the picture. */
export type Box = readonly [x: number, y: number, width: number, height: number]

/** Characters that stand together on a picture, usually a word or a line. */
export interface OcrText {
  text: string
  /** probability of the least certain character, 0–1 */
  score: number
  /** place on the picture after it was turned upright: rows are horizontal */
  box: Box
}

/** What was recognised on a picture. */
export interface OcrPage {
  /** px of the picture */
  width: number
  height: number
  /** radians by which rows of the picture descend to the right, as on a photo of a screen */
  angle: number
  texts: OcrText[]
  /** processor time that recognition took */
  processorMs?: number
}

/** A picture that cannot be read, which is its owner's to know and no failure of ours. */
export class UnreadablePicture extends Error {}

/** Recognises text on pictures, on this machine. */
export interface OcrPort {
  /** @throws UnreadablePicture for a file that is no picture, or too large; Error when the recogniser failed */
  read(picture: Uint8Array): Promise<OcrPage>
  /** Ends what the recogniser runs. */
  close(): Promise<void>
}
