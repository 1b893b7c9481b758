/** Building blocks of the document's sections: headings, rows, bullets, lists of lines and comparables. */
import { dateText, estimate, signedShortYuan, signedYuan, yuan } from '@/contract/format'
import { alikeText, closenessText, comparableKindText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { shorten, wrap } from '../../../rendering/fonts'
import { CONTENT_WIDTH, PAGE, type Pages } from '../../../rendering/pdf-pages'

export const ink = {
  text: '#0E1526',
  second: '#454F66',
  hint: '#5F6A82',
  line: '#E6E9F2',
  blue: '#2456F0',
  warn: '#945600',
}
export const LEFT = PAGE.margin
export const RIGHT = PAGE.width - PAGE.margin

const rule = ({ draw }: Pages, y: number) =>
  draw.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(ink.line).stroke()

/**
 * @param under height that must fit below the heading on the same page, so that no heading is the last line of a page
 */
export const heading = (pages: Pages, text: string, note?: string, under = 34) => {
  pages.room(38 + under)
  pages.y += 26
  pages.put(text, { x: LEFT, y: pages.y, size: 14, color: ink.text, weight: 'bold' })
  if (note) pages.put(note, { x: RIGHT, y: pages.y, size: 9, color: ink.hint, align: 'right' })
  pages.y += 12
}

export const bullets = (pages: Pages, list: readonly string[]) => {
  for (const text of list) {
    pages.room(18)
    pages.draw.circle(LEFT + 3, pages.y + 9, 1.5).fill(ink.blue)
    pages.flow(text, { size: 10.5, color: ink.second, x: LEFT + 14, width: CONTENT_WIDTH - 14, lineHeight: 1.7 })
  }
}

/** One row: text on the left with a smaller note below, and text on the right. */
export function row(pages: Pages, left: string, right: string, note = '', strong = false) {
  const notes = note ? wrap(note, { size: 9, width: CONTENT_WIDTH - 130 }) : []
  pages.room(22 + notes.length * 13)
  const weight = strong ? ('bold' as const) : ('regular' as const)
  const text = shorten(left, { size: 10.5, width: CONTENT_WIDTH - 110, weight })
  pages.put(text, { x: LEFT, y: pages.y + 14, size: 10.5, color: ink.text, weight })
  const color = right.startsWith('−') ? ink.warn : ink.text
  pages.put(right, { x: RIGHT, y: pages.y + 14, size: 10.5, color, weight: 'bold', align: 'right' })
  pages.y += 20
  for (const line of notes) {
    pages.put(line, { x: LEFT, y: pages.y + 8, size: 9, color: ink.hint })
    pages.y += 13
  }
  rule(pages, pages.y + 1)
  pages.y += 2
}

const itemsOf = (line: Report['breakdown'][number]) =>
  [line.why, ...line.items.map(({ name, amountFen }) => `${name} ${signedShortYuan(amountFen)}`)]
    .filter(Boolean)
    .join('；')

/** Lines of a model's price, which add up to it. */
export function lineRows(pages: Pages, lines: Report['breakdown'], totalFen: number, title = '价格明细') {
  if (lines.length === 0) return
  heading(pages, title, '各项相加等于估价')
  for (const line of lines) row(pages, line.label, signedYuan(line.amountFen), itemsOf(line))
  row(pages, '合计', yuan(totalFen), '', true)
}

type Comparable = NonNullable<Report['comparables']>[number]

export const comparableText = ({ kind, priceFen, at, closeness }: Comparable): string =>
  `${comparableKindText[kind]} ${estimate(priceFen)} · ${dateText(at)} · ${closenessText[closeness]}`

export function comparableRows(pages: Pages, list: readonly Comparable[], title = '相近的成交') {
  if (list.length === 0) return
  heading(pages, title, '折算到这个账号的价格')
  for (const sale of list) row(pages, comparableText(sale), estimate(sale.adjFen), alikeText(sale))
}
