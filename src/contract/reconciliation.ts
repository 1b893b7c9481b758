import type { Report } from './types'

/** Shown where the appraisers had no pictures of the account. */
export const NO_PICTURES = '没有截图，无法核对'

/** What a manual report says of the pictures: what was compared with them, or that nothing was. */
export function picturesText({
  pictures,
  appraiser,
  others = [],
}: Pick<Report, 'pictures' | 'appraiser' | 'others'>): string | undefined {
  if (!pictures) return pictures === 0 ? NO_PICTURES : undefined
  const checked = new Set([appraiser, ...others].flatMap((person) => person?.work.checked ?? []))
  return checked.size > 0 ? `已对照截图：${[...checked].join('、')}` : `截图 ${pictures} 张，没有逐项核对`
}

/** Title of the rows. */
export const reconciliationTitle = ({ people }: Pick<NonNullable<Report['reconciliation']>, 'people'>): string =>
  people > 1 ? '从 AI 到估价师（两位平均）' : '从 AI 到估价师'

/** One row; `signed`: added to or taken off the rows above. */
interface Row {
  label: string
  fen: number
  signed: boolean
}

/** From the model's price to the report's: the signed rows between the first and the last add up to their difference. */
export function reconciliationRows({ reconciliation, price }: Pick<Report, 'reconciliation' | 'price'>): Row[] {
  if (!reconciliation) return []
  const { aiFen, lines, restFen } = reconciliation
  return [
    { label: 'AI 估价', fen: aiFen, signed: false },
    ...lines.map(({ label, amountFen }) => ({ label, fen: amountFen, signed: true })),
    ...(restFen === 0 ? [] : [{ label: '其他', fen: restFen, signed: true }]),
    { label: '参考价', fen: price.predictFen, signed: false },
  ]
}
