/** Text content of a picture or document of a report: what its owner sees, minus what they hide. */
import { count, dateText, estimate, percent } from '@/contract/format'
import { confidenceText } from '@/contract/labels'
import { maskNick } from '@/contract/mask'
import { rangeText } from '@/contract/rangeText'
import { dateTimeText } from '@/contract/timeText'
import type { Report } from '@/contract/types'

/** Fields the owner may hide: nickname and price range. */
export const hideable = ['NICK', 'RANGE'] as const
export type Hide = (typeof hideable)[number]

export interface PictureContent {
  /** the report as its owner sees it: locked parts are absent */
  report: Report
  /** unique id of this content: number and version */
  id: string
  label: string
  who: string[]
  /** undefined: hidden, or not available */
  range: string | undefined
  confidence: { title: string; reasons: string[] } | undefined
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
/** The label for generated content (spec: visible on every picture and document); manual reports are not generated. */
export const originLabel = ({ mode, aiGenerated }: Pick<Report, 'mode' | 'aiGenerated'>): string =>
  mode === 'MANUAL' ? '人工估价' : aiGenerated ? 'AI生成' : 'AI生成 · 模型计算'

/** percentile from which the rank is good news, and a sentence of its own beside the price */
const MIN_SHOWN_PERCENTILE = 0.5
export const isRankShown = (percentile: number | undefined): percentile is number =>
  percentile !== undefined && percentile >= MIN_SHOWN_PERCENTILE

function whoOf({ account }: Report, nickname: string, hide: readonly Hide[]): string[] {
  if (hide.includes('NICK')) return []
  return [...(nickname ? [`号主 ${maskNick(nickname)}`] : []), ...(account.idMasked ? [`ID ${account.idMasked}`] : [])]
}

function notesOf({ model, ai, mode }: Report): string[] {
  // an appraiser's comparables are the model's sales
  const sales = model ?? ai?.model
  return [
    ...(sales?.synthetic ? [`样本中 ${percent(sales.syntheticShare, 0)} 为合成数据，不完全代表真实行情。`] : []),
    ...(mode === 'AI' && model
      ? [`估价模型 ${model.name} · 样本 ${count(model.sampleN)} 条 · 训练于 ${dateText(model.trainedAt)}`]
      : []),
    '估价仅供参考，不构成收购承诺；请遵守游戏用户协议。',
  ]
}

/** The appraisers, with their own prices if there are several. */
const peopleOf = ({ appraiser, others = [] }: Report): PictureContent['people'] =>
  [appraiser, ...others]
    .filter((person) => person !== undefined)
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
      reasons: confidence.reasons,
    },
    people: peopleOf(report),
    lines: lines.map(({ label, amountFen }) => ({ label, amountFen })),
    more: Math.max(report.counts.breakdown, breakdown.length) - lines.length,
    expired: report.status === 'EXPIRED',
    dates: [`生成 ${dateTimeText(report.createdAt)}`, `有效期至 ${dateTimeText(report.validUntil)}`],
    notes: notesOf(report),
    verifyUrl,
  }
}
