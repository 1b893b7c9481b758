/** Pictures as phones take them, and what the upload turns them into. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Noise drawn by the browser, which stays large in bytes when scaled down. */
async function drawn(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h })
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('no canvas')
      const noise = pen.createImageData(w, h)
      // the most that one call fills
      for (let i = 0; i < noise.data.length; i += 65_536) crypto.getRandomValues(noise.data.subarray(i, i + 65_536))
      pen.putImageData(noise, 0, 0)
      return canvas.toDataURL('image/jpeg', 0.9)
    },
    [width, height] as const,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

const PLACE = 'GPS 39.9042N 116.4074E'

/** A photo of `bytes` bytes with a location in its EXIF data. */
export async function photo(page: Page, bytes: number, [width, height] = [1800, 1350]): Promise<Buffer> {
  const jpg = await drawn(page, width, height)
  const exif = segment(0xe1, Buffer.from(`Exif\0\0${PLACE}`))
  const parts = [jpg.subarray(0, 2), exif]
  for (let left = bytes - jpg.length; left > 0; left -= 60_000)
    parts.push(segment(0xef, Buffer.alloc(Math.min(60_000, left), 7)))
  return Buffer.concat([...parts, jpg.subarray(2)])
}

/** The newest picture in a server's folder: its size, its long side, and whether it contains a location. */
export function storedPicture(dataDir: string) {
  const dir = path.join(dataDir, 'uploads')
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => path.join(e.parentPath, e.name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  const jpg = readFileSync(files[0] ?? '')
  let offset = 2
  while (offset + 9 < jpg.length && ![0xc0, 0xc1, 0xc2].includes(jpg[offset + 1] ?? 0))
    offset += 2 + jpg.readUInt16BE(offset + 2)
  const longSide = Math.max(jpg.readUInt16BE(offset + 5), jpg.readUInt16BE(offset + 7))
  return { bytes: jpg.length, longSide, tells: jpg.includes('Exif') || jpg.includes(PLACE) }
}
