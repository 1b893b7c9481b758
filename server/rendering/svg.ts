/**
 * Drawing in SVG. Text is converted to outlines: viewers need no font, no character is missing, and markup in names
 * cannot take effect.
 */
import { encode } from 'uqr'
import { glyphOutlines, type Weight, widthOf } from './fonts'

/** Two decimals: finer than any screen. */
const n = (value: number) => String(Math.round((Number.isFinite(value) ? value : 0) * 100) / 100)

interface TextAt {
  x: number
  /** baseline */
  y: number
  size: number
  text: string
  fill: string
  weight?: Weight
  anchor?: 'start' | 'middle' | 'end'
  opacity?: number
}

/** As in src/ui/Icon/_draw.scss: a price tag with a spark, in a square of 24. */
const TAG = 'M3 11V5a2 2 0 012-2h6a4 4 0 013 1l7 7a3 3 0 010 4l-6 6a3 3 0 01-4 0l-7-7a4 4 0 01-1-3z'
const SPARK = 'M13 9l1 3 3 1-3 1-1 3-1-3-3-1 3-1z'

/** A picture in progress. */
export type SvgCanvas = ReturnType<typeof createSvgCanvas>

export function createSvgCanvas() {
  const parts: string[] = []
  return {
    add: (...svg: string[]) => void parts.push(...svg),
    text({ x, y, size, text, fill, weight = 'regular', anchor = 'start', opacity = 1 }: TextAt) {
      const left = anchor === 'start' ? x : x - widthOf(text, size, weight) / (anchor === 'middle' ? 2 : 1)
      const letters = glyphOutlines(text, size, weight).map(
        (o) => `<path transform="translate(${n(o.x)}) scale(${o.scale} ${-o.scale})" d="${o.d}"/>`,
      )
      parts.push(
        `<g transform="translate(${n(left)} ${n(y)})" fill="${fill}" fill-opacity="${n(opacity)}">${letters.join('')}</g>`,
      )
    },
    rect: (x: number, y: number, width: number, height: number, fill: string, radius = 0, opacity = 1) =>
      void parts.push(
        `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${fill}" fill-opacity="${n(opacity)}"/>`,
      ),
    circle: (x: number, y: number, r: number, fill: string, stroke = 'none') =>
      void parts.push(
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" stroke="${stroke}" stroke-width="2.5"/>`,
      ),
    /** the product's mark, white with a coloured spark; `side`: width and height */
    mark: (x: number, y: number, side: number, spark: string) =>
      void parts.push(
        `<g transform="translate(${n(x)} ${n(y)}) scale(${n(side / 24)})"><path d="${TAG}" fill="#fff"/><circle cx="7.5" cy="7.5" r="1.7" fill="${spark}"/><path d="${SPARK}" fill="${spark}"/></g>`,
      ),
    /** @param side width and height, including the quiet zone of four modules */
    qr(text: string, x: number, y: number, side: number) {
      const { size, path } = qrPath(text)
      // an integer number of pixels per module, so that all look equally wide
      const unit = Math.max(1, Math.floor(side / size))
      parts.push(
        `<g transform="translate(${n(x + (side - size * unit) / 2)} ${n(y + (side - size * unit) / 2)}) scale(${unit})"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#0E1526" shape-rendering="crispEdges"/></g>`,
      )
    },
    /** the drawn elements; and the same inside an svg element */
    body: () => parts.join(''),
    svg: (width: number, height: number, under?: { body(): string }) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">${under?.body() ?? ''}${parts.join('')}</svg>`,
  }
}

/** A QR code as one path in units of modules, including the quiet zone of four. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  let path = ''
  data.forEach((row, y) => {
    for (let x = 0; x < size; x += 1) {
      const from = x
      while (x < size && row[x]) x += 1
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`
    }
  })
  return { size, path }
}
