/** Pixels of pictures: decoding, turning, and scaling of what the models are given. */
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

const rawOf = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 3 } })

/** A region, as far as it lies on the page, scaled to exactly this size, and widened by grey to a least width. */
export async function scaled(
  page: Pixels,
  region: Region,
  to: { width: number; height: number },
  leastWidth = 0,
): Promise<Pixels> {
  const [left, top] = [Math.max(0, Math.round(region.left)), Math.max(0, Math.round(region.top))]
  const width = Math.min(page.width, Math.round(region.left + region.width)) - left
  const height = Math.min(page.height, Math.round(region.top + region.height)) - top
  const part = rawOf(page).extract({ left, top, width: Math.max(1, width), height: Math.max(1, height) })
  const data = await part
    .resize({ ...to, fit: 'fill' })
    .extend({ right: Math.max(0, leastWidth - to.width), background: '#808080' })
    .raw()
    .toBuffer()
  return { ...to, data, width: Math.max(leastWidth, to.width) }
}

/** Turns a page clockwise about its centre; it becomes as large as its corners need. @param angle radians */
export async function turned(page: Pixels, angle: number): Promise<Pixels> {
  const { data, info } = await rawOf(page)
    .rotate((angle * 180) / Math.PI, { background: '#000' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
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
