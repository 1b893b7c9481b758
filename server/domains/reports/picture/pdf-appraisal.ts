/** What the appraisers delivered beside the price, and the model's report that is included with it. */
import { estimate, signedShortYuan, signedYuan, yuan } from '@/contract/format'
import { strikeReasonText } from '@/contract/labels'
import { rangeText } from '@/contract/rangeText'
import { picturesText, reconciliationRows, reconciliationTitle } from '@/contract/reconciliation'
import type { AppraisalDetails, Report } from '@/contract/types'
import type { Pages } from '../../../rendering/pdf-pages'
import type { PictureContent } from './content'
import { comparableRows, comparableText, heading, lineRows, row } from './pdf-rows'

function corrections(pages: Pages, list: AppraisalDetails['corrections'], whose: string) {
  if (list.length === 0) return
  heading(pages, `${whose}改过的明细`)
  for (const { label, amountFen, ownFen, why } of list)
    row(pages, label, signedShortYuan(ownFen), `AI ${signedShortYuan(amountFen)}；${why}`)
}

function struck(pages: Pages, list: AppraisalDetails['struck'], whose: string, { ai }: Report) {
  const rows = list.flatMap(({ id, reason }) =>
    (ai?.comparables ?? []).filter((comparable) => comparable.id === id).map((comparable) => ({ comparable, reason })),
  )
  if (!ai || rows.length === 0) return
  heading(pages, `${whose}划掉的可比账号`)
  for (const { comparable, reason } of rows) row(pages, comparableText(comparable), '', strikeReasonText[reason])
}

/** How the model's price became the report's, and what was compared with the pictures. */
function basis(pages: Pages, report: Report) {
  const { reconciliation } = report
  if (reconciliation) heading(pages, reconciliationTitle(reconciliation))
  for (const { label, fen, signed } of reconciliationRows(report))
    row(pages, label, signed ? signedYuan(fen) : yuan(fen))
  const compared = picturesText(report)
  if (compared) row(pages, '截图', '', compared)
}

export function appraisals(pages: Pages, { report }: PictureContent) {
  basis(pages, report)
  const { appraiser, others = [] } = report
  for (const person of [appraiser, ...others]) {
    if (!person) continue
    const whose = others.length > 0 ? `${person.name} ` : '估价师'
    corrections(pages, person.work.corrections, whose)
    struck(pages, person.work.struck, whose, report)
  }
}

/** @param range undefined: the owner hides price ranges */
export function includedAi(pages: Pages, { report: { ai }, range }: PictureContent) {
  if (!ai) return
  const { price, breakdown, comparables } = ai
  heading(pages, '完整 AI 报告', 'AI生成 · 模型计算，已包含在人工估价里')
  row(pages, 'AI 参考成交价', estimate(price.predictFen), range && rangeText(price))
  lineRows(pages, breakdown, price.predictFen, 'AI 价格明细')
  comparableRows(pages, comparables, 'AI 可比账号')
}
