/**
 * Identifies a file by its bytes, never by its name. It must be one picture from the first byte to the last: data after
 * the end, or markup in a comment, would make it a polyglot, which is refused. Metadata of accepted pictures is
 * removed: Exif with place and device, thumbnails, XMP, comments, colour profiles.
 *
 * Re-encoding by a library (sharp) was tried: it accepts what must be refused here (data after the end, markup in
 * metadata), and it decodes untrusted input, where a few kilobytes can claim 24 million pixels. Nothing is decoded
 * here, and a picture keeps its quality.
 */
import { stripJpeg } from './formats/jpeg'
import { PNG, stripPng } from './formats/png'
import { type Part, type Reader, readerOf, type Source, type StrippedImage, WINDOW_BYTES } from './formats/reader'
import { stripWebp } from './formats/webp'
import type { PictureType } from './port'

/** The type of a picture, and its content without metadata. */
export interface StrippedPicture {
  type: PictureType
  /** bytes without metadata */
  size: number
  /** the file has no metadata to remove */
  bare: boolean
  /** the content without metadata, in pieces */
  bytes(): AsyncGenerator<Buffer>
}

const sizeOf = (parts: readonly Part[]) =>
  parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.to - part.from), 0)

async function* bytesOf(source: Source, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part
    else
      for (let at = part.from; at < part.to; at += WINDOW_BYTES) {
        const piece = Buffer.alloc(Math.min(WINDOW_BYTES, part.to - at))
        await source.read(piece, 0, piece.length, at)
        yield piece
      }
  }
}

/**
 * Parses a file in constant memory: at most one window or metadata block at a time, and nothing is decompressed.
 * @returns undefined if it is not a picture, or a polyglot
 * @throws AppError UPLOAD_TYPE for a picture with too many pixels
 */
export async function readPicture(source: Source): Promise<StrippedPicture | undefined> {
  const file = await readerOf(source)
  const head = await file.read(0, 12)
  if (head.length < 12) return undefined
  const found = async (type: PictureType, strip: (file: Reader) => Promise<StrippedImage | undefined>) => {
    const parts = (await strip(file))?.parts
    if (!parts) return undefined
    const size = sizeOf(parts)
    return { type, size, bare: size === file.size, bytes: () => bytesOf(source, parts) }
  }
  if (head[0] === 0xff && head[1] === 0xd8) return found('image/jpeg', stripJpeg)
  if (head.subarray(0, 8).equals(PNG)) return found('image/png', stripPng)
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WEBP')
    return found('image/webp', stripWebp)
  return undefined
}
