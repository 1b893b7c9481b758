/**
 * What a file is by its bytes, never by its name. It must be one picture from the first byte to the last: what hangs
 * behind the end, or markup inside a comment, makes it two things at once (a polyglot) and is refused. What is taken
 * loses its notes: Exif with place and device, thumbnails, XMP, comments, colour profiles.
 *
 * A library that draws pictures anew (sharp) was tried: it takes what has to be refused here (bytes behind the end,
 * markup in notes), and it decodes what strangers send, where some kilobytes can claim 24 million dots. Nothing is decoded
 * here, and a picture keeps its quality.
 */
import { stripJpeg } from './formats/jpeg'
import { PNG, stripPng } from './formats/png'
import { type Part, type Reader, readerOf, type Source, type Stripped, WINDOW } from './formats/reader'
import { stripWebp } from './formats/webp'
import type { PictureType } from './port'

/** A picture by its bytes, and what is left of it without notes. */
export interface Picture {
  type: PictureType
  /** bytes of what is left */
  size: number
  /** nothing but the picture is in the file */
  bare: boolean
  /** what is left, a piece at a time */
  bytes(): AsyncGenerator<Buffer>
}

const sizeOf = (parts: readonly Part[]) =>
  parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.to - part.from), 0)

async function* bytesOf(source: Source, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part
    else
      for (let at = part.from; at < part.to; at += WINDOW) {
        const piece = Buffer.alloc(Math.min(WINDOW, part.to - at))
        await source.read(piece, 0, piece.length, at)
        yield piece
      }
  }
}

/**
 * Looks at a file with constant memory: at most one window or note at a time, and nothing is decompressed.
 * @returns undefined for what is no picture, or more than one thing
 * @throws AppError UPLOAD_TYPE for a picture with too many dots
 */
export async function readPicture(source: Source): Promise<Picture | undefined> {
  const file = await readerOf(source)
  const head = await file.read(0, 12)
  if (head.length < 12) return undefined
  const found = async (type: PictureType, strip: (file: Reader) => Promise<Stripped | undefined>) => {
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
