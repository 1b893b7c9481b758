import { orientationOf, orientationSegment } from './orientation'
import { isDrawable, isMetadataFree, keep, MAX_PARTS, type Part, type Reader, type StrippedImage } from './reader'

/** End of the scan that starts at `at`: offset of the next marker that is neither byte stuffing nor a restart. */
async function endOfScan({ size, some }: Reader, at: number): Promise<number> {
  for (let from = at; from + 1 < size; ) {
    const bytes = await some(from)
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
      const next = bytes[i + 1] as number
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return from + i
    }
    from += bytes.length - 1
  }
  return size
}

/** Frames, tables, restarts and scans are needed; everything else (APPn, comments) is metadata. */
const isNeeded = (marker: number) => (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xda && marker <= 0xdf)

/**
 * The two metadata segments that decoders need: the JFIF header without thumbnail, and Adobe's, which names the colour
 * space.
 */
const isForDecoder = (marker: number, data: Buffer) =>
  (marker === 0xe0 &&
    data.length === 14 &&
    data.toString('latin1', 0, 5) === 'JFIF\0' &&
    data.readUInt16BE(12) === 0) ||
  (marker === 0xee && data.length === 12 && data.toString('latin1', 0, 5) === 'Adobe')

/** Maximum of scans: encoders write about a dozen, and decoding each costs viewers as much as a whole picture. */
const MAX_SCANS = 32

/** Parses marker segments and scans up to EOI, which must end the file. */
export async function stripJpeg(file: Reader): Promise<StrippedImage | undefined> {
  const { size, read } = file
  const parts: Part[] = []
  let at = 2
  let frames = 0
  let scans = 0
  let orientation: number | undefined
  for (let n = 0; at + 4 <= size && n < MAX_PARTS; n++) {
    const head = await read(at, 4)
    if (head[0] !== 0xff) return undefined
    const marker = head[1] as number
    // fill byte before a marker
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = head.readUInt16BE(2)
    // SOI, EOI and RST have no length and are not allowed before the scan
    if (length < 2 || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return undefined
    if (!(await isMetadataFree(file, at + 4, length - 2))) return undefined
    const data = await read(at + 4, length - 2)
    if (marker === 0xe1) orientation ??= orientationOf(data)
    if (isNeeded(marker) || isForDecoder(marker, data)) keep(parts, at, at + 2 + length)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      frames += 1
      if (data.length < 5 || !isDrawable(data.readUInt16BE(3), data.readUInt16BE(1))) return undefined
    }
    at += 2 + length
    if (marker === 0xda) {
      scans += 1
      if (scans > MAX_SCANS) return undefined
      const end = await endOfScan(file, at)
      keep(parts, at, end)
      at = end
    }
    const end = await read(at, 2)
    if (end[0] === 0xff && end[1] === 0xd9) {
      if (scans === 0 || frames !== 1 || at + 2 !== size) return undefined
      keep(parts, at, size)
      const turned = orientation === undefined ? [] : [orientationSegment(orientation)]
      return { parts: [{ from: 0, to: 2 }, ...turned, ...parts] }
    }
  }
  return undefined
}
