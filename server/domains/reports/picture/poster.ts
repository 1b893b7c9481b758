/** The poster: 750 wide, one column, the price on top. Colours and chart are the app's. */

import { estimate, percentileText } from '@/contract/format'
import { dotsOf, positionOn, RANGE_END, RANGE_START, stackDots } from '@/contract/priceRange'
import { shorten, widthOf, wrap } from '../../../rendering/fonts'
import { createSvgCanvas, type SvgCanvas } from '../../../rendering/svg'
import { isRankShown, type PictureContent } from './content'

export const WIDTH = 750
const MARGIN = 32
/** horizontal padding of cards and of the coloured head */
const IN = 64
const INNER = WIDTH - 2 * IN
const ink = { text: '#0E1526', second: '#454F66', hint: '#5F6A82', line: '#E6E9F2', blue: '#2456F0', pink: '#E83E8C' }

/** A part of the poster: draws from `y` downwards and returns where it ends. */
type Part = (sheet: SvgCanvas, content: PictureContent, y: number) => number

const pill = (sheet: SvgCanvas, text: string, right: number, y: number) => {
  const width = widthOf(text, 24, 'bold') + 36
  sheet.rect(right - width, y, width, 44, '#fff', 22, 0.2)
  sheet.text({ x: right - width / 2, y: y + 31, size: 24, text, fill: '#fff', weight: 'bold', anchor: 'middle' })
}

/** A price with its sign at 0.6 of the size; centred or left-aligned. @returns its width */
function bigPrice(sheet: SvgCanvas, fen: number, x: number, y: number, size: number, fill: string): number {
  const digits = estimate(fen).replace('¥', '')
  const sign = widthOf('¥', size * 0.6, 'bold')
  sheet.text({ x, y, size: size * 0.6, text: '¥', fill, weight: 'bold' })
  sheet.text({ x: x + sign + size * 0.06, y, size, text: digits, fill, weight: 'bold' })
  return sign + size * 0.06 + widthOf(digits, size, 'bold')
}

const brand: Part = (sheet, { label }, y) => {
  sheet.rect(IN, y, 52, 52, '#fff', 14, 0.22)
  sheet.mark(IN + 8, y + 8, 36, '#2A4FE0')
  sheet.text({ x: IN + 68, y: y + 37, size: 30, text: '游戏账号估价专家', fill: '#fff', weight: 'bold' })
  pill(sheet, label, WIDTH - IN, y + 4)
  return y + 52
}

const title: Part = (sheet, { report, who }, y) => {
  const lines = wrap(report.title, { size: 38, width: INNER, weight: 'bold', lines: 2 })
  for (const [i, text] of lines.entries())
    sheet.text({ x: IN, y: y + 38 + i * 52, size: 38, text, fill: '#fff', weight: 'bold' })
  const end = y + lines.length * 52
  if (who.length === 0) return end
  const text = shorten(who.join(' · '), { size: 26, width: INNER })
  sheet.text({ x: IN, y: end + 28, size: 26, text, fill: '#fff', opacity: 0.92 })
  return end + 40
}

/** The account's rank within its game; only for an unlocked report. */
const rank: Part = (sheet, { report: { percentile, title } }, y) => {
  if (!isRankShown(percentile)) return y
  const text = percentileText(percentile, title)
  const width = widthOf(text, 26, 'bold') + 40
  sheet.rect(IN, y + 16, width, 48, '#fff', 24, 0.2)
  sheet.text({ x: IN + width / 2, y: y + 49, size: 26, text, fill: '#fff', weight: 'bold', anchor: 'middle' })
  return y + 76
}

const price: Part = (sheet, { report, expired }, above) => {
  const y = above + 28
  sheet.text({ x: IN, y: y + 28, size: 28, text: '参考成交价', fill: '#fff', opacity: 0.92 })
  const width = bigPrice(sheet, report.price.predictFen, IN - 4, y + 144, 120, '#fff')
  if (expired) {
    const x = Math.min(IN + width + 24, WIDTH - IN - 132)
    sheet.add(`<g transform="rotate(-8 ${x + 66} ${y + 60})">`)
    sheet.rect(x, y + 34, 132, 52, '#fff', 10)
    sheet.text({ x: x + 66, y: y + 71, size: 32, text: '已过期', fill: '#945600', weight: 'bold', anchor: 'middle' })
    sheet.add('</g>')
  }
  return y + 168
}

/** The price range as a band between its amounts, with a tick for the price and dots for comparables (filled: sold, hollow: asking). */
const band: Part = (sheet, { report, range }, above) => {
  if (!range) return above
  const y = above + 24
  const { price: p, comparables = [] } = report
  const xOf = (percent: number) => IN + (percent / 100) * INNER
  const dots = stackDots(dotsOf(comparables, p), p)
  const rows = Math.max(0, ...dots.map(({ row }) => row + 1))
  const top = y + rows * 26
  for (const { place: x, row, kind } of dots)
    sheet.circle(xOf(x), top - 12 - row * 24, 8, kind === 'SOLD' ? '#fff' : 'none', '#fff')
  sheet.rect(IN, top + 12, INNER, 12, '#fff', 6, 0.28)
  sheet.rect(xOf(RANGE_START), top + 8, xOf(RANGE_END) - xOf(RANGE_START), 20, '#fff', 10, 0.85)
  sheet.rect(xOf(positionOn(p.predictFen, p)) - 5, top - 4, 10, 44, '#fff', 5)
  sheet.rect(xOf(positionOn(p.predictFen, p)) - 2, top - 1, 4, 38, ink.blue, 2)
  const end = { y: top + 68, size: 24, fill: '#fff', anchor: 'middle' as const }
  sheet.text({ ...end, x: xOf(RANGE_START), text: estimate(p.lowFen) })
  sheet.text({ ...end, x: xOf(RANGE_END), text: estimate(p.highFen) })
  // the name of the range, without the amounts at its ends
  sheet.text({ ...end, x: xOf((RANGE_START + RANGE_END) / 2), text: range.slice(0, range.indexOf(' ¥')) })
  return top + 76
}

const card = (sheet: SvgCanvas, y: number, height: number) => {
  sheet.rect(MARGIN, y + 3, WIDTH - 2 * MARGIN, height, '#0E1526', 24, 0.05)
  sheet.rect(MARGIN, y, WIDTH - 2 * MARGIN, height, '#fff', 24)
}
const heading = (sheet: SvgCanvas, text: string, y: number) =>
  sheet.text({ x: IN, y: y + 60, size: 30, text, fill: ink.text, weight: 'bold' })

/** Two more prices; the reference price is above, in the head. */
const quickAndList: Part = (sheet, { report: { price: p }, range }, y) => {
  // both prices lie within the range and would reveal it
  if (!range) return y
  card(sheet, y, 152)
  const cells = [
    { name: '快速出手价', fen: p.quickFen },
    { name: '建议挂牌价', fen: p.listFen },
  ]
  for (const [i, { name, fen }] of cells.entries()) {
    const x = MARGIN + ((WIDTH - 2 * MARGIN) * (i + 0.5)) / cells.length
    sheet.text({ x, y: y + 56, size: 24, text: name, fill: ink.second, anchor: 'middle' })
    sheet.text({ x, y: y + 110, size: 38, text: estimate(fen), fill: ink.text, weight: 'bold', anchor: 'middle' })
  }
  sheet.rect(WIDTH / 2, y + 40, 1, 72, ink.line)
  return y + 152 + 24
}

const parts: Part = (sheet, { lines, more }, y) => {
  if (lines.length === 0) return y
  const height = 84 + lines.length * 64 + (more > 0 ? 44 : 0) + 20
  card(sheet, y, height)
  heading(sheet, '价格主要来自', y)
  const most = Math.max(1, ...lines.map(({ amountFen }) => Math.abs(amountFen)))
  for (const [i, { label, amountFen }] of lines.entries()) {
    const top = y + 84 + i * 64
    const amount = `${amountFen < 0 ? '−' : '+'}${estimate(Math.abs(amountFen))}`
    const room = INNER - widthOf(amount, 28, 'bold') - 24
    sheet.text({ x: IN, y: top + 34, size: 28, text: shorten(label, { size: 28, width: room }), fill: ink.text })
    const fill = amountFen < 0 ? '#945600' : ink.text
    sheet.text({ x: WIDTH - IN, y: top + 34, size: 28, text: amount, fill, weight: 'bold', anchor: 'end' })
    sheet.rect(IN, top + 46, INNER, 6, '#F1F4F9', 3)
    const bar = Math.max(6, (Math.abs(amountFen) / most) * INNER)
    sheet.rect(IN, top + 46, bar, 6, amountFen < 0 ? '#F0B775' : 'url(#price)', 3)
  }
  const text = `另有 ${more} 项，见完整报告`
  if (more > 0) sheet.text({ x: IN, y: y + 84 + lines.length * 64 + 32, size: 24, text, fill: ink.hint })
  return y + height + 24
}

/** Name and number; the comment is for the owner, and a poster is passed on. */
function person(sheet: SvgCanvas, { name, no }: PictureContent['people'][number], y: number): number {
  const height = 100
  card(sheet, y, height)
  const right = widthOf(no, 26) + 24
  heading(sheet, shorten(name, { size: 30, width: INNER - right, weight: 'bold' }), y)
  sheet.text({ x: WIDTH - IN, y: y + 60, size: 26, fill: ink.hint, anchor: 'end', text: no })
  return y + height + 24
}
const persons: Part = (sheet, { people }, y) => people.reduce((top, someone) => person(sheet, someone, top), y)

const foot: Part = (sheet, { report, dates, notes, verifyUrl }, y) => {
  card(sheet, y, 328)
  sheet.qr(verifyUrl, MARGIN + 20, y + 20, 288)
  const x = MARGIN + 20 + 288 + 8
  sheet.text({ x, y: y + 92, size: 32, text: '扫码验证真伪', fill: ink.text, weight: 'bold' })
  const texts = [`编号 ${report.reportNo}`, ...dates, '内容以扫码打开的页面为准']
  for (const [i, text] of texts.entries()) sheet.text({ x, y: y + 144 + i * 40, size: 24, text, fill: ink.second })
  let base = y + 328 + 44
  for (const note of notes)
    for (const text of wrap(note, { size: 22, width: INNER })) {
      sheet.text({ x: WIDTH / 2, y: base, size: 22, text, fill: ink.hint, anchor: 'middle' })
      base += 34
    }
  return base + 14
}

const gradient =
  '<radialGradient id="price" cx="1" cy="0" r="1.3"><stop offset="0" stop-color="#7A3DEB"/><stop offset="0.45" stop-color="#2A4FE0"/><stop offset="1" stop-color="#13235B"/></radialGradient>'

export interface Poster {
  svg: string
  width: number
  height: number
}

/** The poster of a report. */
export function poster(content: PictureContent): Poster {
  const sheet = createSvgCanvas()
  const ground = createSvgCanvas()
  const headEnd =
    [title, price, rank, band].reduce((y, part) => part(sheet, content, y), brand(sheet, content, 48) + 40) + 36
  const height = [quickAndList, persons, parts, foot].reduce((y, part) => part(sheet, content, y), headEnd + 28)
  ground.add(`<defs>${gradient}</defs>`)
  ground.rect(0, 0, WIDTH, height, '#F4F6FB')
  ground.rect(0, 0, WIDTH, headEnd, 'url(#price)')
  return { svg: sheet.svg(WIDTH, height, ground), width: WIDTH, height }
}
