import { isDrawable, isMetadataFree, keep, MAX_PARTS, type Part, type Reader, type StrippedImage } from './reader'

/** Width and height from the first bytes of an image chunk. */
function sidesOf(type: string, data: Buffer): [width: number, height: number] {
  if (data.length < 10) return [0, 0]
  if (type === 'VP8X') return [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1]
  if (type === 'VP8 ') return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
  const bits = data.readUInt32LE(1)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

const DRAWS = /^VP8[ LX]$/
/** VP8X flags for colour profile, Exif and XMP */
const ANNOUNCED = 0x20 | 0x08 | 0x04

/** The chunks of a WebP with their offsets; undefined if they do not fill the file exactly. */
async function chunksOf({ size, read }: Reader) {
  const found: { type: string; at: number; length: number; end: number }[] = []
  let at = 12
  while (at + 8 <= size && found.length < MAX_PARTS) {
    const chunk = await read(at, 8)
    const length = chunk.readUInt32LE(4)
    const end = at + 8 + length + (length % 2)
    found.push({ type: chunk.toString('latin1', 0, 4), at, length, end })
    at = end
  }
  return at === size ? found : undefined
}

/**
 * Parses RIFF chunks, which must fill exactly the size in the header. Animations are refused: a few kilobytes of
 * frames, each as large as a picture may be, keep a browser busy for as long as they are shown.
 */
export async function stripWebp(file: Reader): Promise<StrippedImage | undefined> {
  const { size, read } = file
  const head = Buffer.from(await read(0, 16))
  if (head.readUInt32LE(4) + 8 !== size || !DRAWS.test(head.toString('latin1', 12))) return undefined
  const chunks = await chunksOf(file)
  if (!chunks) return undefined
  const riff = head.subarray(0, 12)
  const parts: Part[] = [riff]
  let [drawn, kept] = [false, 4]
  for (const { type, at, length, end } of chunks) {
    if (DRAWS.test(type) && !isDrawable(...sidesOf(type, await read(at + 8, 10)))) return undefined
    if (type === 'ANMF') return undefined
    if (/^VP8[ L]$/.test(type)) drawn = true
    else if (!/^(VP8X|ALPH)$/.test(type)) {
      if (!(await isMetadataFree(file, at + 8, length))) return undefined
      continue
    }
    kept += end - at
    if (type === 'VP8X') {
      const own = Buffer.from(await read(at, end - at))
      own[8] = (own[8] as number) & ~ANNOUNCED
      parts.push(own)
    } else keep(parts, at, end)
  }
  riff.writeUInt32LE(kept, 4)
  return drawn ? { parts } : undefined
}
