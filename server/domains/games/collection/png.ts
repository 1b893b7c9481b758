import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { pngChunk } from '../../../rendering/chunk'

/** dots per module: a code of 33 modules is 330 dots wide, sharp on a phone and when saved */
const DOTS = 10

/** A QR code as a data URL of a one-bit PNG: phones cannot save SVGs to their album. */
export function qrPng(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const width = size * DOTS
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(width, 4)
  head[8] = 1
  const bytes = Math.ceil(width / 8)
  const rows = data.map((row) => {
    const bits = Buffer.alloc(1 + bytes)
    for (let x = 0; x < width; x++) {
      const byte = 1 + (x >> 3)
      if (!row[Math.floor(x / DOTS)]) bits[byte] = (bits[byte] ?? 0) | (0x80 >> (x & 7))
    }
    return bits
  })
  const lines = Buffer.concat(rows.flatMap((row) => Array<Buffer>(DOTS).fill(row)))
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}
