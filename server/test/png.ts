import { inflateSync } from 'node:zlib'

export interface Png {
  width: number
  height: number
  /** four bytes per pixel */
  dots: Uint8ClampedArray
  /** text of its iTXt chunks */
  text: string
}

function guess(filter: number, a: number, b: number, c: number): number {
  if (filter === 0) return 0
  if (filter < 3) return filter === 1 ? a : b
  if (filter === 3) return (a + b) >> 1
  const pa = Math.abs(b - c)
  const pb = Math.abs(a - c)
  const pc = Math.abs(a + b - 2 * c)
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** Reads a PNG of eight bits, with or without alpha, as the server draws them. */
export function readPng(file: Buffer): Png {
  const chunks: { type: string; data: Buffer }[] = []
  for (let offset = 8; offset < file.length; ) {
    const length = file.readUInt32BE(offset)
    chunks.push({
      type: file.toString('latin1', offset + 4, offset + 8),
      data: file.subarray(offset + 8, offset + 8 + length),
    })
    offset += 12 + length
  }
  const of = (type: string) => Buffer.concat(chunks.filter((c) => c.type === type).map(({ data }) => data))
  const [head, raw] = [of('IHDR'), inflateSync(of('IDAT'))]
  const [width, height, size] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === 6 ? 4 : 3]
  const dots = new Uint8ClampedArray(width * height * 4).fill(255)
  let above = new Uint8Array(width * size)
  for (let y = 0; y < height; y += 1) {
    const from = y * (width * size + 1)
    const filter = raw[from] ?? 0
    const line = new Uint8Array(raw.subarray(from + 1, from + 1 + width * size))
    for (let i = 0; i < line.length; i += 1) {
      const left = i < size ? 0 : (line[i - size] ?? 0)
      const corner = i < size ? 0 : (above[i - size] ?? 0)
      line[i] = (line[i] ?? 0) + guess(filter, left, above[i] ?? 0, corner)
      dots[size === 4 ? y * width * 4 + i : (y * width + Math.floor(i / 3)) * 4 + (i % 3)] = line[i] ?? 0
    }
    above = line
  }
  return { width, height, dots, text: of('iTXt').toString() }
}
