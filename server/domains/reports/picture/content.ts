/** Text content of a picture or document of a report: what its owner sees, minus what they hide. */
import { count, dateText, estimate, percent } from '@/contract/format'
import { confidenceText, doubtsText, riskLevelText } from '@/contract/labels'
import { maskNick } from '@/contract/mask'
import { rangeText } from '@/contract/rangeText'
import { dateTimeText } from '@/contract/timeText'
import type { Report } from '@/contract/types'

/** Fields the owner may hide: nickname and price range. */
export const hideable = ['NICK', 'RANGE'] as const
export type Hide = (typeof hideable)[number]

/** One axis of the radar chart; `share` 0–1, larger is better. */
export interface Axis {
  name: string
  share: number
  text: string
}

export interface PictureContent {
  /** as its owner sees it: locked parts are absent */
  report: Report
  /** unique id of this content: number and version */
  id: string
  label: string
  who: string[]
  /** undefined: hidden, or not available */
  range: string | undefined
  confidence: { title: string; reasons: string[] } | undefined
  axes: Axis[]
  /** the appraisers: name, number, comment */
  people: { name: string; no: string; comment: string }[]
  /** components of the price, largest first, and how many are not listed */
  lines: { label: string; amountFen: number }[]
  more: number
  expired: boolean
  dates: string[]
  notes: string[]
  verifyUrl: string
}

/** breakdown lines on a picture */
const MAX_LINES = 5
/** 0–1 for the radar chart, larger is better */
const SAFETY = { LOW: 1, MEDIUM: 0.6, HIGH: 0.25 } as const
const SPEED = { FAST: 1, NORMAL: 0.6, SLOW: 0.3 } as const

/** The label for generated content (spec: visible on every picture and document); manual reports are not generated. */
export const originLabel = ({ mode, aiGenerated }: Pick<Report, 'mode' | 'aiGenerated'>): string =>
  mode === 'MANUAL' ? '人工估价' : aiGenerated ? 'AI生成' : 'AI生成 · 模型计算'

/** percentile from which the rank is good news, and a sentence of its own beside the price */
const MIN_SHOWN_PERCENTILE = 0.5
export const isRankShown = (percentile: number | undefined): percentile is number =>
  percentile !== undefined && percentile >= MIN_SHOWN_PERCENTILE

const worded =
  ({ doubts }: NonNullable<Report['confidence']>) =>
  (reason: string) =>
    doubts.includes(reason) ? `${doubtsText}：${reason}` : reason

/** Sum of a report's lines of one type, as a share of its price. */
function shareOf({ breakdown, price }: Report, type: Report['breakdown'][number]['type']): number {
  const fen = breakdown.filter((line) => line.type === type).reduce((sum, { amountFen }) => sum + amountFen, 0)
  return price.predictFen > 0 ? fen / price.predictFen : 0
}

/**
 * Axes of the radar chart: what the account is worth and why, as far as the report contains it. The quality of the data
 * is not among them; it is the confidence, which has its own line.
 */
export function axesOf(report: Report): Axis[] {
  const { percentile, liquidity, risk, mode, breakdown, counts } = report
  if (mode === 'MANUAL') return []
  // a locked report has only two lines, which do not represent the whole
  const whole = breakdown.length > 0 && breakdown.length === counts.breakdown
  const asset = Math.min(1, Math.max(0, shareOf(report, 'ASSET')))
  const lost = Math.min(1, Math.max(0, -shareOf(report, 'FACTOR')))
  const axes: (Axis | undefined)[] = [
    percentile === undefined
      ? undefined
      : { name: '价值水平', share: percentile, text: isRankShown(percentile) ? '' : `超过 ${percent(percentile, 0)}` },
    whole ? { name: '核心资产', share: asset, text: `占 ${percent(asset, 0)}` } : undefined,
    liquidity && { name: '出手速度', share: SPEED[liquidity.level], text: `${liquidity.days.join('–')} 天` },
    risk && { name: '账号安全', share: SAFETY[risk.level], text: `风险${riskLevelText[risk.level]}` },
    whole ? { name: '区服绑定', share: 1 - lost, text: lost > 0 ? `折价 ${percent(lost, 0)}` : '不折价' } : undefined,
  ]
  return axes.filter((axis) => axis !== undefined)
}

function whoOf({ account }: Report, nickname: string, hide: readonly Hide[]): string[] {
  if (hide.includes('NICK')) return []
  return [...(nickname ? [`号主 ${maskNick(nickname)}`] : []), ...(account.idMasked ? [`ID ${account.idMasked}`] : [])]
}

/** @param share of generated sales, 0 to 1 */
const syntheticNote = (share: number): string =>
  share < 1
    ? `样本中 ${percent(share, 0)} 为合成数据，其余为真实成交；仅供了解方法，不完全代表真实行情。`
    : '当前样本为合成数据，仅用于演示估价方法，不代表真实行情。'

function notesOf({ model, ai, mode }: Report): string[] {
  // an appraiser's comparables are the model's sales
  const sales = model ?? ai?.model
  return [
    ...(sales?.synthetic ? [syntheticNote(sales.syntheticShare)] : []),
    ...(mode === 'AI' && model
      ? [`估价模型 ${model.name} · 样本 ${count(model.sampleN)} 条 · 训练于 ${dateText(model.trainedAt)}`]
      : []),
    '估价仅供参考，不构成收购承诺；请遵守游戏用户协议。',
  ]
}

/** The appraisers, with their own prices if there are several. */
const peopleOf = ({ appraiser, others = [] }: Report): PictureContent['people'] =>
  [appraiser, ...others]
    .filter((one) => one !== undefined)
    .map(({ name, no, comment, priceFen }) => ({
      name: priceFen === undefined ? name : `${name} · 独立估价 ${estimate(priceFen)}`,
      no,
      comment,
    }))

interface Around {
  nickname: string
  hide: readonly Hide[]
  verifyUrl: string
}

/** @param report as its owner sees it now */
export function pictureContent(report: Report, { nickname, hide, verifyUrl }: Around): PictureContent {
  const { price, confidence, breakdown } = report
  const lines = [...breakdown].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen)).slice(0, MAX_LINES)
  return {
    report,
    id: `${report.reportNo}-${report.version}`,
    label: originLabel(report),
    who: whoOf(report, nickname, hide),
    range: hide.includes('RANGE') ? undefined : rangeText(price),
    confidence: confidence && {
      title: `可信度 ${confidenceText[confidence.level]} · ${Math.round(confidence.score)} 分`,
      reasons: confidence.reasons.map(worded(confidence)),
    },
    axes: axesOf(report),
    people: peopleOf(report),
    lines: lines.map(({ label, amountFen }) => ({ label, amountFen })),
    more: Math.max(report.counts.breakdown, breakdown.length) - lines.length,
    expired: report.status === 'EXPIRED',
    dates: [`生成 ${dateTimeText(report.createdAt)}`, `有效期至 ${dateTimeText(report.validUntil)}`],
    notes: notesOf(report),
    verifyUrl,
  }
}
