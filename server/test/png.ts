import { inflateSync } from 'node:zlib'

export interface Png {
  width: number
  height: number
  /** four bytes a dot */
  dots: Uint8ClampedArray
  /** text of its iTXt chunks */
  text: string
}

const paeth = (a: number, b: number, c: number) => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** Reads a PNG of eight bits, with or without alpha: enough to look at what the server draws. */
export function readPng(file: Buffer): Png {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  const of = (type: string) => Buffer.concat(chunks.filter((c) => c.type === type).map(({ data }) => data))
  const [head, raw] = [of('IHDR'), inflateSync(of('IDAT'))]
  const [width, height, size] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === 6 ? 4 : 3]
  const dots = new Uint8ClampedArray(width * height * 4).fill(255)
  let above = new Uint8Array(width * size)
  for (let y = 0; y < height; y += 1) {
    const from = y * (width * size + 1)
    const line = new Uint8Array(raw.subarray(from + 1, from + 1 + width * size))
    for (let i = 0; i < line.length; i += 1) {
      const [a, b, c] = [line[i - size] ?? 0, above[i] ?? 0, i < size ? 0 : (above[i - size] ?? 0)]
      const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][raw[from] ?? 0] ?? 0
      line[i] = (line[i] ?? 0) + guess
      dots[(y * width + Math.floor(i / size)) * 4 + (i % size)] = line[i] ?? 0
    }
    above = line
  }
  return { width, height, dots, text: of('iTXt').toString() }
}
