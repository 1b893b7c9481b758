/** The appraisers' deliverables beside the price, and the model's report that is included with it. */
import { BARGAIN_PREFIX } from '@/contract/appraisal'
import { estimate, signedShortYuan, signedYuan, yuan } from '@/contract/format'
import { comparableVerdictText, noteVerdictText } from '@/contract/labels'
import { rangeText } from '@/contract/rangeText'
import { NO_PICTURES, reconciliationRows, reconciliationTitle, withoutBinding } from '@/contract/reconciliation'
import type { AppraisalDetails, Report } from '@/contract/types'
import type { Pages } from '../../../rendering/pdf-pages'
import type { PictureContent } from './content'
import { comparableRows, comparableText, heading, lineRows, row } from './pdf-rows'

const appraisalsOf = ({
  appraiser,
  second,
  third,
  earlier = [],
}: Report): { name: string; details: AppraisalDetails }[] =>
  [appraiser, second, third, ...earlier].flatMap((one) => (one ? [{ name: one.name, details: one.work }] : []))

function notes(pages: Pages, list: AppraisalDetails['notes'], whose: string) {
  if (list.length === 0) return
  heading(pages, `${whose}逐条意见`)
  for (const { label, amountFen, ownFen, verdict, why } of list) {
    const model = amountFen === undefined ? undefined : `模型 ${signedShortYuan(amountFen)}`
    const own = ownFen === undefined ? undefined : `估价师算 ${signedShortYuan(ownFen)}`
    row(pages, label, noteVerdictText[verdict], [model, own, why].filter(Boolean).join('；'))
  }
}

function comparables(pages: Pages, list: AppraisalDetails['comparables'], whose: string, { ai, price }: Report) {
  const byId = new Map(ai?.comparables.map((one) => [one.id, one]))
  const rows = list.flatMap(({ id, verdict, why }) => {
    const one = byId.get(id)
    return one ? [{ one, verdict, why }] : []
  })
  if (rows.length === 0) return
  heading(pages, `${whose}取舍的可比账号`)
  for (const { one, verdict, why } of rows) {
    const adjusted = `折算 ${estimate(one.adjFen)}`
    const text = comparableText(one, ai?.price.predictFen ?? price.predictFen)
    row(pages, text, comparableVerdictText[verdict], [adjusted, why].filter(Boolean).join('；'))
  }
}

/** Omits the lowest acceptable price and the answers to buyers, because owners also give the document to buyers. */
function advice(pages: Pages, { advice: list, floorFen }: AppraisalDetails, whose: string) {
  if (list.length === 0) return
  heading(pages, `${whose}出售建议`)
  const isPrivate = (channel: string) => channel.startsWith(BARGAIN_PREFIX)
  for (const { channel, how } of list) if (!isPrivate(channel)) row(pages, channel, '', how)
  if (floorFen !== undefined || list.some(({ channel }) => isPrivate(channel)))
    row(pages, '降价计划、底价和压价应答', '', '只在报告页里给您看，不写进文件')
}

/** How the model's price became the report's, as for buyers, and that there were no pictures. */
function basis(pages: Pages, report: Report) {
  const { price, pictures } = report
  const reconciliation = report.reconciliation && withoutBinding(report.reconciliation)
  if (reconciliation) heading(pages, reconciliationTitle(reconciliation))
  for (const { label, fen, signed } of reconciliationRows({ price, reconciliation }))
    row(pages, label, signed ? signedYuan(fen) : yuan(fen))
  if (pictures === 0) row(pages, '截图', '没有', NO_PICTURES)
}

export function appraisals(pages: Pages, { report }: PictureContent) {
  basis(pages, report)
  const all = appraisalsOf(report)
  for (const { name, details } of all) {
    const whose = all.length > 1 ? `${name} 的` : '估价师的'
    notes(pages, details.notes, whose)
    comparables(pages, details.comparables, whose, report)
    advice(pages, details, whose)
  }
}

/** @param range undefined: the owner hides price ranges */
export function includedAi(pages: Pages, { report: { ai }, range }: PictureContent) {
  if (!ai) return
  const { price, breakdown, comparables } = ai
  heading(pages, '完整 AI 报告', 'AI生成 · 模型计算，已包含在人工估价里')
  row(pages, 'AI 参考成交价', estimate(price.predictFen), range && rangeText(price))
  lineRows(pages, breakdown, price.predictFen, 'AI 价格明细')
  comparableRows(pages, comparables, price.predictFen, 'AI 可比账号')
}
