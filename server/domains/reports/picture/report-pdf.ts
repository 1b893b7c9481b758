/** The report as an A4 document. */
import { estimate } from '@/contract/format'
import { improvementCostText, riskLevelText } from '@/contract/labels'
import { dotsOf, positionOn, RANGE_END, RANGE_START, stackDots } from '@/contract/priceRange'
import { shorten } from '../../../rendering/fonts'
import { CONTENT_WIDTH, createPdfPages, PAGE, type Pages } from '../../../rendering/pdf-pages'
import type { PictureContent } from './content'
import { appraisals, includedAi } from './pdf-appraisal'
import { bullets, comparableRows, heading, ink, LEFT, lineRows, RIGHT, row } from './pdf-rows'

type Part = (pages: Pages, content: PictureContent) => void

const head: Part = (pages, { report, label, who, range, expired, dates }) => {
  const { draw } = pages
  const height = 176
  const colours = draw.linearGradient(0, 0, PAGE.width, height * 2)
  colours.stop(0, '#13235B').stop(0.55, '#2A4FE0').stop(1, '#7A3DEB')
  draw.rect(0, 0, PAGE.width, height).fill(colours)
  const white = { color: '#fff', x: LEFT }
  pages.put('游戏账号估价专家 · 估价报告', { ...white, y: 44, size: 12, weight: 'bold' })
  pages.put(label, { ...white, x: RIGHT, y: 44, size: 12, weight: 'bold', align: 'right' })
  const title = shorten(report.title, { size: 18, width: CONTENT_WIDTH, weight: 'bold' })
  pages.put(title, { ...white, y: 80, size: 18, weight: 'bold' })
  pages.put(who.join(' · '), { ...white, y: 98, size: 10 })
  pages.put(estimate(report.price.predictFen), { ...white, y: 148, size: 38, weight: 'bold' })
  const right = { ...white, x: RIGHT, align: 'right' as const }
  pages.put(expired ? '参考成交价 · 已过期' : '参考成交价', { ...right, y: 122, size: 11 })
  if (range) pages.put(range, { ...right, y: 138, size: 11, weight: 'bold' })
  pages.put(dates.join(' · '), { ...right, y: 154, size: 9 })
  pages.y = height + 8
}

const band: Part = (pages, { report: { price, comparables = [] }, range }) => {
  if (!range) return
  const { draw } = pages
  const xOf = (share: number) => LEFT + (share / 100) * CONTENT_WIDTH
  const dots = stackDots(dotsOf(comparables, price), price)
  const y = pages.y + 20 + Math.max(0, ...dots.map(({ row }) => row + 1)) * 11
  for (const { place: x, row, kind } of dots) {
    draw.circle(xOf(x), y - 8 - row * 11, 3.5).lineWidth(1)
    if (kind === 'SOLD') draw.fillAndStroke(ink.blue, ink.blue)
    else draw.strokeColor(ink.blue).stroke()
  }
  draw.roundedRect(LEFT, y + 2, CONTENT_WIDTH, 4, 2).fill(ink.line)
  draw.roundedRect(xOf(RANGE_START), y, xOf(RANGE_END) - xOf(RANGE_START), 8, 4).fill('#9DB2FA')
  draw.roundedRect(xOf(positionOn(price.predictFen, price)) - 1.5, y - 5, 3, 18, 1.5).fill(ink.blue)
  const end = { y: y + 24, size: 9, color: ink.second, align: 'center' as const }
  pages.put(estimate(price.lowFen), { ...end, x: xOf(RANGE_START) })
  pages.put(estimate(price.highFen), { ...end, x: xOf(RANGE_END) })
  pages.y = y + 34
}

const three: Part = (pages, { report: { price }, range }) => {
  if (!range) return
  pages.y += 14
  const cells = [
    ['快速出手价', price.quickFen],
    ['参考成交价', price.predictFen],
    ['建议挂牌价', price.listFen],
  ] as const
  for (const [i, [name, fen]] of cells.entries()) {
    const x = LEFT + (CONTENT_WIDTH * (i + 0.5)) / 3
    pages.put(name, { x, y: pages.y + 10, size: 9, color: ink.second, align: 'center' })
    const color = i === 1 ? ink.blue : ink.text
    pages.put(estimate(fen), { x, y: pages.y + 30, size: 16, color, weight: 'bold', align: 'center' })
  }
  pages.y += 38
}

const persons: Part = (pages, { people }) => {
  for (const { name, no, comment } of people) {
    heading(pages, shorten(name, { size: 14, width: CONTENT_WIDTH - 80, weight: 'bold' }), no)
    pages.flow(comment, { size: 10.5, color: ink.second, lineHeight: 1.7 })
  }
}

const confidence: Part = (pages, { confidence: sure }) => {
  if (!sure) return
  heading(pages, sure.title)
  bullets(pages, sure.reasons)
}

const breakdown: Part = (pages, { report }) => lineRows(pages, report.breakdown, report.price.predictFen)

const comparables: Part = (pages, { report: { comparables: list = [] } }) => comparableRows(pages, list)

const raise: Part = (pages, { report: { raise: list = [] } }) => {
  if (list.length === 0) return
  heading(pages, '怎样更值钱', '只列免费或可改回的做法')
  for (const { action, gainFen, cost } of list)
    row(pages, `${action}（${improvementCostText[cost]}）`, `+${estimate(gainFen)}`)
}

const risk: Part = (pages, { report: { risk: found } }) => {
  if (!found) return
  heading(pages, `风险提示 · 风险${riskLevelText[found.level]}`, '只作提醒，不再另外扣价')
  bullets(pages, found.facts.length > 0 ? found.facts : ['所填资料里没有需要提示的风险'])
}

const proof: Part = (pages, { report, notes, verifyUrl }) => {
  heading(pages, '扫码验证真伪', undefined, 130)
  const top = pages.y + 4
  pages.qr(verifyUrl, LEFT - 8, top, 124)
  const x = LEFT + 126
  pages.y = top + 8
  pages.flow(`报告编号 ${report.reportNo}`, { size: 10.5, color: ink.text, x, width: RIGHT - x, weight: 'bold' })
  // readers scan the code and do not type the signature, so only the printed origin distinguishes our page from a
  // forged one
  pages.flow(`扫码打开的网址应以 ${new URL(verifyUrl).origin}/v/ 开头，内容以该页面为准`, {
    size: 9,
    color: ink.second,
    x,
    width: RIGHT - x,
  })
  for (const note of notes) pages.flow(note, { size: 9, color: ink.hint, x, width: RIGHT - x })
  pages.y = Math.max(pages.y, top + 124)
}

/** The report as a PDF. */
export function reportPdf(content: PictureContent): Promise<Buffer> {
  const { report, id, label } = content
  const pages = createPdfPages({
    title: `估价报告 ${report.reportNo}`,
    id,
    at: report.createdAt,
    // true also for an appraiser's report that includes the model's
    generated: report.mode === 'AI' || report.ai !== undefined,
  })
  // the verification code is on the first page; at the end it could be alone on a page
  const parts = [
    ...[head, band, three, proof, persons, appraisals, confidence, breakdown, comparables],
    ...[raise, risk, includedAi],
  ]
  for (const part of parts) part(pages, content)
  // every page says it, because pages may be printed and passed on separately
  const footer = [label, (report.model ?? report.ai?.model)?.synthetic && '含合成数据', `报告编号 ${report.reportNo}`]
  const footText = footer.filter(Boolean).join(' · ')
  return pages.finish((n, of) => {
    const foot = { y: PAGE.height - 32, size: 8.5, color: ink.hint }
    pages.put(footText, { ...foot, x: LEFT })
    pages.put(`第 ${n} / ${of} 页`, { ...foot, x: RIGHT, align: 'right' })
  })
}
