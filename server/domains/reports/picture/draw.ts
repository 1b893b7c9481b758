/** Draws a picture or document of a report from its content. It runs in a worker thread, because it computes for up to half a second. */
import { xmpOf } from '../../../rendering/label'
import { toPng } from '../../../rendering/png'
import type { PictureContent } from './content'
import { poster } from './poster'
import { reportPdf } from './report-pdf'

export type Format = 'PNG' | 'PDF'

export interface DrawRequest {
  content: PictureContent
  format: Format
  /** PNG: pixels per unit */
  scale: number
}

export interface DrawnPicture {
  file: Uint8Array
  /** width in CSS pixels */
  width: number
  height: number
}

/** A4 in CSS pixels */
const A4 = { width: 595, height: 842 }

export default async function draw({ content, format, scale }: DrawRequest): Promise<DrawnPicture> {
  if (format === 'PDF') return { file: await reportPdf(content), ...A4 }
  const { svg, width, height } = poster(content)
  const { report, id } = content
  const xmp = xmpOf({ title: `估价报告 ${report.reportNo}`, id, generated: report.mode === 'AI' })
  return { file: toPng(svg, { scale, xmp }), width: width * scale, height: Math.ceil(height * scale) }
}
