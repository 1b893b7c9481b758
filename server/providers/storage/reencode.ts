/**
 * Decodes an uploaded picture, turns it as its Exif says, and encodes it again without any metadata. In a worker thread:
 * a process at rest does not hold the decoder in memory, and a thread can be ended when its time is over.
 */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { MAX_PIXELS, type PictureType } from './port'

export interface CleanPicture {
  type: PictureType
  bytes: Uint8Array
}

/** `pixels`: a picture with too many of them; undefined: no picture, or a file that is something else too */
export type Reencoded = CleanPicture | 'pixels' | undefined

/** s of decoding and encoding: the largest picture takes one */
const TIME_LIMIT = 8
/** bytes at both ends of a file that browsers, document viewers and archivers look at to recognise its type */
const RECOGNISED_BY = 64 * 1024
/** Most bytes per pixel. Above it a file consists of something else: notes, tables, empty scans. */
const MAX_BYTES_PER_PIXEL = 16
const QUALITY = 88

/** Beginnings of markup, documents and archives, which would make a picture a polyglot. */
const FOREIGN = /<(?:script|html|svg|body|iframe|!doctype|\?php)|%pdf-/i
const ARCHIVE = 'PK\x03\x04'
const isForeign = (end: string) => FOREIGN.test(end) || end.includes(ARCHIVE)

const types = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const

// only the decoders of the types that are accepted
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
sharp.cache(false)
sharp.concurrency(1)

/** Whether the picture ends where the file ends. Decoders accept anything after a picture, and a missing end. */
function endsProperly(format: keyof typeof types, file: Buffer): boolean {
  if (format === 'jpeg') return file.subarray(-2).equals(Buffer.from([0xff, 0xd9]))
  if (format === 'png') return file.subarray(-8).equals(Buffer.from('IEND\xae\x42\x60\x82', 'latin1'))
  return file.readUInt32LE(4) + 8 === file.length
}

/** Damage of any kind, also what browsers would still display in part, is a refusal. */
const inputOptions = { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'warning' } as const

/** @param from absolute path of the uploaded file */
export default async function reencode(from: string): Promise<Reencoded> {
  const file = await readFile(from)
  const ends = [file.subarray(0, RECOGNISED_BY), file.subarray(-RECOGNISED_BY)]
  if (ends.some((end) => isForeign(end.toString('latin1')))) return undefined
  try {
    const input = sharp(file, inputOptions)
    const { format, width, height, pages = 1 } = await input.metadata()
    // animations are drawn for as long as they are shown
    if ((format !== 'jpeg' && format !== 'png' && format !== 'webp') || pages > 1) return undefined
    if (width * height > MAX_PIXELS) return 'pixels'
    if (file.length > RECOGNISED_BY + width * height * MAX_BYTES_PER_PIXEL || !endsProperly(format, file))
      return undefined
    const bytes = await input
      .autoOrient()
      .toFormat(format, format === 'png' ? {} : { quality: QUALITY })
      .timeout({ seconds: TIME_LIMIT })
      .toBuffer()
    return { type: types[format], bytes }
  } catch (error) {
    // the library describes every fault of a file by an ordinary error
    return error instanceof Error && /pixel limit/.test(error.message) ? 'pixels' : undefined
  }
}
