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

/** Renders without system fonts, since text is already outlines. @param file pixels per unit, and its XMP packet */
export function toPng(svg: string, { scale, xmp }: { scale: number; xmp?: string }): Buffer {
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } })
  const png = image.render().asPng()
  return xmp ? withXmp(png, xmp) : png
}
