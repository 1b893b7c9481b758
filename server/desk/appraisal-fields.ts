import { APPRAISAL_COMMENT } from '@/contract/appraisal'
import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { FormConfig } from '@/contract/form/types'
import { roundToYuan } from '@/contract/format'
import { keysOf, strikeReasonText } from '@/contract/labels'
import { wordedLength } from '@/contract/rules'
import type { AppraisalDetails } from '@/contract/types'
import { invalid } from '../core/app-error'
import type { ModelValuation } from '../domains/orders/appraising/appraiser-actions'
import type { OrderRow } from '../domains/orders/paying/lock-price'
import type { Fields } from './auth'
import { parseSignedYuan, parseYuanInput } from './format'

/** The model's lines, the largest first: the order in which they matter. */
export const linesByWeight = (valued: ModelValuation | undefined): ModelValuation['breakdown'] =>
  [...(valued?.breakdown ?? [])].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))

/** Things to compare with the pictures: more would be ticked unread. */
const CHECKS_MAX = 3

/** The account's main values, which the appraiser ticks when they agree with the pictures; none without pictures. */
export const checksOf = (config: FormConfig, { answers }: Pick<OrderRow, 'answers'>, pictures: number): string[] =>
  pictures === 0
    ? []
    : visibleFields(config, answers)
        .filter(({ role, key }) => role === 'value*' && !isEmpty(answers[key]))
        .map(({ label }) => label)
        .slice(0, CHECKS_MAX)

const requiredFen = (fields: Fields, name: string, label: string): number => {
  const fen = parseYuanInput(fields[name] ?? '')
  if (fen === undefined) throw invalid([{ path: name, msg: `请填写${label}（元），例如 2580 或 2580.50` }])
  return fen
}

/** The typed price. @throws AppError VALIDATION_FAILED */
export const readPrice = (fields: Fields): number => requiredFen(fields, 'price', '参考成交价')

/** Amounts that are left as they are, unreadable ones too, change nothing: a line is agreed unless another one is typed. */
const typedCorrections = (fields: Fields, valued: ModelValuation | undefined): AppraisalDetails['corrections'] =>
  linesByWeight(valued).flatMap(({ label, amountFen }) => {
    const typed = fields[`own-${label}`]?.trim() ?? ''
    if (typed === '') return []
    const ownFen = parseSignedYuan(typed)
    if (ownFen === undefined) throw invalid([{ path: 'corrections', msg: `“${label}”的金额看不懂：${typed}` }])
    return ownFen === amountFen ? [] : [{ label, amountFen, ownFen, why: fields[`why-${label}`]?.trim() ?? '' }]
  })

const typedStruck = (fields: Fields): AppraisalDetails['struck'] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const reason = keysOf(strikeReasonText).find((key) => key === value)
    return name.startsWith('strike-') && reason ? [{ id: name.slice('strike-'.length), reason }] : []
  })

/** Where quick and list price are left open: the model's distance from its price, without a model halfway to the range's ends. */
function pricesAround(fields: Fields, priceFen: number, valued: ModelValuation | undefined) {
  const [lowFen, highFen] = [requiredFen(fields, 'low', '区间最低'), requiredFen(fields, 'high', '区间最高')]
  const priceIn = (name: 'quick' | 'list', end: number) => {
    if (fields[name]?.trim()) return requiredFen(fields, name, name === 'quick' ? '快速出手价' : '建议挂牌价')
    const share = valued && valued.price[`${name}Fen`] / valued.price.predictFen
    const fen = roundToYuan(share === undefined ? (priceFen + end) / 2 : priceFen * share)
    return Math.min(Math.max(fen, Math.min(end, priceFen)), Math.max(end, priceFen))
  }
  return { lowFen, highFen, quickFen: priceIn('quick', lowFen), listFen: priceIn('list', highFen) }
}

/** The details of an appraisal as typed in the delivery form. @throws AppError VALIDATION_FAILED */
export const readAppraisal =
  (fields: Fields, checks: readonly string[]) =>
  (valued: ModelValuation | undefined): AppraisalDetails => {
    if (wordedLength(fields.comment ?? '') < APPRAISAL_COMMENT.min)
      throw invalid([{ path: 'comment', msg: `请写为什么、怎么卖（至少 ${APPRAISAL_COMMENT.min} 字）` }])
    return {
      ...pricesAround(fields, readPrice(fields), valued),
      corrections: typedCorrections(fields, valued),
      struck: typedStruck(fields),
      checked: checks.filter((label) => fields[`check-${label}`] === 'on'),
    }
  }
