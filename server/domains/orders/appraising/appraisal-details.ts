import { APPRAISAL_COMMENT, APPRAISAL_RANGE_MAX } from '@/contract/appraisal'
import { wordedLength } from '@/contract/rules'
import type { AppraisalDetails } from '@/contract/types'
import { invalid } from '../../../core/app-error'
import type { Valued } from '../../../engine/types'
import { contactIssue, secretIssue } from '../../shared/contact-details'

/** fen */
export const PRICE_MAX = 1_000_000_000
/** characters of the reason for a changed line */
const WHY = { min: 2, max: 60 }

interface AppraisalInput {
  details: AppraisalDetails
  priceFen: number
  comment: string
  /** the model's valuation of the same answers, if any */
  valued: Pick<Valued, 'breakdown' | 'comparables'> | undefined
}

function priceIssues({ details: { lowFen, quickFen, listFen, highFen }, priceFen }: AppraisalInput) {
  const all = [lowFen, quickFen, priceFen, listFen, highFen]
  const ordered = all.every((fen, i) => Number.isInteger(fen) && fen >= (all[i - 1] ?? 1) && fen <= PRICE_MAX)
  return [
    !ordered && { path: 'range', msg: '价格应为：区间最低 ≤ 快速出手价 ≤ 参考成交价 ≤ 建议挂牌价 ≤ 区间最高' },
    highFen > APPRAISAL_RANGE_MAX * lowFen && {
      path: 'range',
      msg: `区间太宽：最高不能超过最低的 ${APPRAISAL_RANGE_MAX} 倍`,
    },
  ]
}

/** Changed lines and struck comparables are among the model's; a training in between may have replaced them. */
function modelIssues({ details: { corrections, struck }, valued }: AppraisalInput) {
  const lines = new Set(valued?.breakdown.map(({ label }) => label))
  const accounts = new Set(valued?.comparables.map(({ id }) => id))
  return [
    ...corrections.map(({ label, why }) => {
      if (!lines.has(label)) return { path: 'corrections', msg: `没有“${label}”这项明细，请刷新后核对` }
      const isReason = wordedLength(why) >= WHY.min && why.length <= WHY.max
      return !isReason && { path: 'corrections', msg: `“${label}”改了金额，请写理由（${WHY.min}-${WHY.max} 字）` }
    }),
    struck.some(({ id }) => !accounts.has(id)) && { path: 'struck', msg: '可比账号已更新，请刷新后重新核对' },
  ]
}

/** Users read these texts: they have no contact data and ask for no password, code or deposit. */
const textIssues = ({ details: { corrections }, comment }: AppraisalInput) =>
  [
    { path: 'comment', name: '估价说明', text: comment },
    ...corrections.map(({ label, why }) => ({ path: 'corrections', name: `“${label}”`, text: why })),
  ].map(({ path, name, text }) => {
    const issue = contactIssue(text) ?? secretIssue(text)
    return issue !== undefined && { path, msg: `${name}${issue}` }
  })

/**
 * Refuses an appraisal that is certainly wrong.
 * @throws AppError VALIDATION_FAILED listing every issue
 */
export function validateAppraisal(given: AppraisalInput): void {
  const issues = [
    ...priceIssues(given),
    given.comment.length > APPRAISAL_COMMENT.max && {
      path: 'comment',
      msg: `估价说明最多 ${APPRAISAL_COMMENT.max} 字`,
    },
    ...modelIssues(given),
    ...textIssues(given),
  ].filter((issue) => issue !== false)
  if (issues.length > 0) throw invalid(issues)
}
