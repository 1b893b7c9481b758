/** An SVG as a PNG. */
import { Resvg } from '@resvg/resvg-js'
import { pngChunk } from './chunk'

/** bytes of a PNG's signature and its first chunk */
const HEAD = 8 + 25

/** Puts XMP where the PNG extension says: an uncompressed iTXt of this name, before the picture. */
function withXmp(png: Buffer, xmp: string): Buffer {
  const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), Buffer.from(xmp)])
  return Buffer.concat([png.subarray(0, HEAD), pngChunk('iTXt', text), png.subarray(HEAD)])
}

interface Options {
  scale: number
  /** of the file */
  xmp?: string
}

/** Draws, without any font of the machine: words are outlines already. @param scale dots per unit */
export function toPng(svg: string, { scale, xmp }: Options): Buffer {
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } })
  const png = image.render().asPng()
  return xmp ? withXmp(png, xmp) : png
}
