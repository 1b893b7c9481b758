import { isDrawable, isMetadataFree, keep, MAX_PARTS, type Part, type Reader, type StrippedImage } from './reader'

export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Chunks needed to decode a PNG; all others are metadata, colour profiles or animation. */
const PNG_NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** Parses chunks up to IEND, which must end the file. */
export async function stripPng(file: Reader): Promise<StrippedImage | undefined> {
  const { size, read } = file
  const parts: Part[] = []
  keep(parts, 0, PNG.length)
  let at = PNG.length
  let drawn = false
  for (let n = 0; at + 12 <= size && n < MAX_PARTS; n++) {
    const head = await read(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)]
    if (n === 0) {
      if (type !== 'IHDR' || length !== 13) return undefined
      const sides = await read(at + 8, 8)
      if (sides.length < 8 || !isDrawable(sides.readUInt32BE(0), sides.readUInt32BE(4))) return undefined
    }
    if (PNG_NEEDED.has(type)) keep(parts, at, at + 12 + length)
    if (type === 'IEND') return drawn && length === 0 && at + 12 === size ? { parts } : undefined
    if (type === 'IDAT') drawn = true
    else if (!(await isMetadataFree(file, at + 8, length))) return undefined
    at += 12 + length
  }
  return undefined
}
