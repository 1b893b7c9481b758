import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { pngChunk } from '../../../rendering/chunk'

/** dots per module: a code of 33 modules is 528 dots wide, sharp on a phone and when saved; its dots fill whole bytes */
const DOTS = 16

/** A QR code as a data URL of a one-bit PNG: phones cannot save SVGs to their album. */
export function qrPng(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const width = size * DOTS
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(width, 4)
  head[8] = 1
  // each row begins with its filter, which is none
  const rows = data.map((row) =>
    Buffer.from([0, ...row.flatMap((isDark) => Array<number>(DOTS / 8).fill(isDark ? 0 : 0xff))]),
  )
  const lines = Buffer.concat(rows.flatMap((row) => Array<Buffer>(DOTS).fill(row)))
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}
