/** Orientation of a JPEG: the one Exif value without which the picture would be shown wrongly. */

const ORIENTATION = 0x0112
const SHORT = 3
const HEAD = Buffer.from('Exif\0\0', 'latin1')

/** @param data of an APP1 segment @returns 2–8, or undefined if no rotation is needed (or the value is invalid) */
export function orientationOf(data: Buffer): number | undefined {
  if (!data.subarray(0, HEAD.length).equals(HEAD)) return undefined
  const tiff = data.subarray(HEAD.length)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return undefined
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return undefined
  const entries = Math.min(short(start), Math.floor((tiff.length - start - 2) / 12))
  for (let i = 0; i < entries; i += 1) {
    const at = start + 2 + 12 * i
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
    const value = short(at + 8)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** An APP1 segment with this value and nothing else. */
export function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  // the only entry: tag, type, count, value
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  const start = Buffer.from([0xff, 0xe1, 0, 2 + HEAD.length + tiff.length])
  return Buffer.concat([start, HEAD, tiff])
}
