/** Renders SVG as PNG. */
import { Resvg } from '@resvg/resvg-js'
import { pngChunk } from './chunk'

/** length in bytes of a PNG's signature and first chunk */
const HEAD = 8 + 25

/** Inserts XMP as the PNG extension requires: an uncompressed iTXt chunk of this name before the image data. */
function withXmp(png: Buffer, xmp: string): Buffer {
  const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), Buffer.from(xmp)])
  return Buffer.concat([png.subarray(0, HEAD), pngChunk('iTXt', text), png.subarray(HEAD)])
}

interface Options {
  scale: number
  /** XMP packet for the file */
  xmp?: string
}

/** Renders without system fonts, since text is already outlines. @param scale pixels per unit */
export function toPng(svg: string, { scale, xmp }: Options): Buffer {
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } })
  const png = image.render().asPng()
  return xmp ? withXmp(png, xmp) : png
}
