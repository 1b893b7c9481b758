/** Pixels of pictures: decoding, and sampling of what the models are given. */
import sharp from 'sharp'
import { UnreadablePicture } from '../port'
import type { Region } from './regions'

/** An RGB picture, three bytes a pixel. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

/** px: a larger picture is refused before it is decoded */
const MAX_PIXELS = 40_000_000

/**
 * Decodes a picture, no larger than `longest` px on its longer side.
 * @throws UnreadablePicture
 */
export async function decode(file: Uint8Array, longest: number): Promise<Pixels> {
  try {
    const { data, info } = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
      .rotate()
      .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3) throw new UnreadablePicture('not a colour picture')
    return { data, width: info.width, height: info.height }
  } catch (err) {
    throw err instanceof UnreadablePicture ? err : new UnreadablePicture(String(err))
  }
}

/** Scales to exactly this size. */
export async function scaled({ data, width, height }: Pixels, to: { width: number; height: number }): Promise<Pixels> {
  const scaledData = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ ...to, fit: 'fill' })
    .raw()
    .toBuffer()
  return { data: scaledData, ...to }
}

/** Planes of blue, green and red, as the models were trained, with mean and deviation of the plane removed. */
export function planesOf({ data }: Pixels, mean: readonly number[], deviation: readonly number[]): Float32Array {
  const size = data.length / 3
  const planes = new Float32Array(3 * size)
  for (let plane = 0; plane < 3; plane++) {
    const [m, d] = [mean[plane] ?? 0, deviation[plane] ?? 1]
    for (let i = 0; i < size; i++) planes[plane * size + i] = ((data[3 * i + 2 - plane] ?? 0) / 255 - m) / d
  }
  return planes
}

/** Cuts a region out of a page that is turned by `angle` about its centre, scaled to this height. */
export function cut(page: Pixels, region: Region, angle: number, height: number): Pixels {
  const width = Math.max(1, Math.round((region.width / region.height) * height))
  const out = new Uint8Array(width * height * 3)
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [cx, cy] = [page.width / 2, page.height / 2]
  const step = region.height / height
  // where several pixels of the page make one, their mean is taken, or thin strokes would be lost
  const taps = Math.max(1, Math.round(step))
  const sum = [0, 0, 0]
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      sum.fill(0)
      for (let tap = 0; tap < taps * taps; tap++) {
        const u = region.left + (column + ((tap % taps) + 0.5) / taps) * step - cx
        const v = region.top + (row + (Math.floor(tap / taps) + 0.5) / taps) * step - cy
        addSample(page, cx + u * cos - v * sin - 0.5, cy + u * sin + v * cos - 0.5, sum)
      }
      const offset = 3 * (row * width + column)
      for (let c = 0; c < 3; c++) out[offset + c] = Math.round((sum[c] ?? 0) / (taps * taps))
    }
  return { data: out, width, height }
}

/** Adds the bilinear mean of the four pixels around a point; the border continues outwards. */
function addSample({ data, width, height }: Pixels, px: number, py: number, sum: number[]): void {
  const x = Math.min(width - 1, Math.max(0, px))
  const y = Math.min(height - 1, Math.max(0, py))
  const [x0, y0] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - x0, y - y0]
  const a = 3 * (y0 * width + x0)
  const b = x0 + 1 < width ? a + 3 : a
  const down = y0 + 1 < height ? 3 * width : 0
  for (let c = 0; c < 3; c++) {
    const upper = (data[a + c] ?? 0) * (1 - fx) + (data[b + c] ?? 0) * fx
    const lower = (data[a + down + c] ?? 0) * (1 - fx) + (data[b + down + c] ?? 0) * fx
    sum[c] = (sum[c] ?? 0) + upper * (1 - fy) + lower * fy
  }
}
