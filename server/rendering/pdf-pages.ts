/** A4 pages with searchable text: every character in a font that has it, with only the used glyphs embedded. */
import PDFDocument from 'pdfkit'
import { fontFiles, runs, type Weight, widthOf, wrap } from './fonts'
import { aigcDescription, aigcMark } from './label'
import { qrPath } from './svg'

/** points */
export const PAGE = { width: 595.28, height: 841.89, margin: 48, foot: 64 } as const
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin

interface PdfFlow {
  size: number
  color: string
  x?: number
  width?: number
  weight?: Weight
  lineHeight?: number
}

interface PdfCommand extends Pick<PdfFlow, 'size' | 'color' | 'weight'> {
  x: number
  /** baseline */
  y: number
  align?: 'left' | 'center' | 'right'
}

interface About {
  title: string
  /** unique id of the content */
  id: string
  /** ms */
  at: number
  generated: boolean
}

function createDocument({ title, id, at, generated }: About): PDFKit.PDFDocument {
  const draw = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: 'zh-CN',
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Author: '游戏账号估价专家', CreationDate: new Date(at), ModDate: new Date(at) },
  })
  for (const [name, file] of Object.entries(fontFiles)) draw.registerFont(name, file)
  if (generated) {
    Object.assign(draw.info, { AIGC: aigcMark(id) })
    draw.appendXML(aigcDescription(id))
  }
  return draw
}

/** A document in progress. */
export type Pages = ReturnType<typeof createPdfPages>

export function createPdfPages(about: About) {
  const draw = createDocument(about)
  const chunks: Buffer[] = []
  draw.on('data', (chunk: Buffer) => chunks.push(chunk))
  const pages = {
    /** where the next element begins */
    y: PAGE.margin as number,
    /** draws graphics other than text */
    draw,
    put(text: string, { x, y, size, color, weight = 'regular', align = 'left' }: PdfCommand): void {
      let start = align === 'left' ? x : x - widthOf(text, size, weight) / (align === 'center' ? 2 : 1)
      for (const run of runs(text, weight)) {
        const width = draw.font(run.face).fontSize(size).widthOfString(run.text)
        draw.fillColor(color).text(run.text, start, y, { lineBreak: false, baseline: 'alphabetic' })
        start += width
      }
    },
    /** Writes a paragraph from `y` down, with page breaks where needed. */
    flow(
      text: string,
      { size, color, x = PAGE.margin, width = CONTENT_WIDTH, weight = 'regular', lineHeight = 1.6 }: PdfFlow,
    ): void {
      for (const line of wrap(text, { size, width, weight })) {
        pages.room(size * lineHeight)
        pages.put(line, { x, y: pages.y + size * (lineHeight / 2 + 0.38), size, color, weight })
        pages.y += size * lineHeight
      }
    },
    /** Starts a new page unless this height fits on the current one. */
    room(height: number): void {
      if (pages.y + height <= PAGE.height - PAGE.foot) return
      draw.addPage()
      pages.y = PAGE.margin
    },
    qr(text: string, x: number, y: number, side: number): void {
      const { size, path } = qrPath(text)
      draw
        .save()
        .translate(x, y)
        .scale(side / size)
      draw.rect(0, 0, size, size).fill('#fff').path(path).fill('#0E1526').restore()
    },
    /** Calls `eachPage` for every page, numbered from 1, and finishes the document. */
    finish(eachPage: (n: number, of: number) => void): Promise<Buffer> {
      const { start, count } = draw.bufferedPageRange()
      for (let i = start; i < start + count; i += 1) {
        draw.switchToPage(i)
        eachPage(i - start + 1, count)
      }
      const done = new Promise<Buffer>((resolve, reject) => {
        draw.on('end', () => resolve(Buffer.concat(chunks)))
        draw.on('error', reject)
      })
      draw.end()
      return done
    },
  }
  return pages
}
