/**
 * Confidence of a valuation and its reasons: 40 comparables + 30 completeness + 20 freshness + 10 source, limited by
 * doubts, missing answers and the width of the range.
 */
import { assumedText, completeText } from '@/contract/labels'
import { clamp, DAY } from './numbers'
import type { AnswerSource, Confidence } from './types'

export interface ConfidenceInput {
  /** usable comparables, and those of them that were sold */
  comparableCount: number
  sold: number
  /** false: too few comparables are close and more distant ones are used; the confidence is then always LOW */
  close: boolean
  /** number of fields asked, and of those left unanswered; the fields that are therefore taken at the usual level */
  total: number
  unanswered: number
  assumed: Confidence['assumed']
  /** age of the newest sale the model knows, ms */
  age: number
  source: AnswerSource
  /** number of answers that the owner's screenshots show */
  shown?: number
  /** doubts about the answers, in words; any of them makes the confidence LOW */
  doubts: readonly string[]
  /** width of the range relative to the price */
  width: number
}

const FULL_CONFIDENCE_SALES = 30
/** with fewer comparables than this their number is a doubt */
const MIN_COMPARABLES = 10
const STALE_DAYS = 30
const HIGH = 75
const MEDIUM = 50
/** with more than a quarter of the fields unanswered the confidence is never HIGH */
const COMPLETE_ENOUGH = 0.75
/** with a range wider than half of the price the confidence is never HIGH */
const WIDE = 0.5
/** what the source counts more when screenshots show all answers: they prove nothing, but slips of the owner are seen */
const SHOWN_TRUST = 0.3
const SOURCE: Readonly<Record<AnswerSource, { trust: number; text: string }>> = {
  AUTH: { trust: 1, text: '资料来自授权读取' },
  PUBLIC_ID: { trust: 0.8, text: '资料来自公开 ID' },
  TYPED: { trust: 0.4, text: '资料为本人填写，未核对' },
}

export function confidenceOf(grounds: ConfidenceInput): Confidence {
  const days = Math.max(0, grounds.age / DAY)
  const source = SOURCE[grounds.source]
  const answered = grounds.total - grounds.unanswered
  const shown = Math.min(answered, grounds.shown ?? 0)
  const trust = source.trust + (shown > 0 ? (SHOWN_TRUST * shown) / answered : 0)
  const complete = grounds.total === 0 ? 1 : 1 - grounds.unanswered / grounds.total
  const points = Math.round(
    40 * Math.min(1, grounds.comparableCount / FULL_CONFIDENCE_SALES) +
      30 * complete +
      20 * clamp(1 - days / STALE_DAYS, 0, 1) +
      10 * trust,
  )
  const isLow = !grounds.close || grounds.doubts.length > 0
  const { width } = grounds
  const most = isLow ? MEDIUM - 1 : complete < COMPLETE_ENOUGH || width > WIDE ? HIGH - 1 : 100
  const score = Math.min(points, most)
  const level = score >= HIGH ? 'HIGH' : score >= MEDIUM ? 'MEDIUM' : 'LOW'
  const asking = grounds.comparableCount - grounds.sold
  const all: Reason[] = [
    ...grounds.doubts.map((text) => ({ text, doubt: true })),
    ...(grounds.close ? [] : [{ text: '很少有相近的账号卖出', doubt: true }]),
    // the reasons for a LOW one say so already
    ...(!isLow && width > WIDE ? [{ text: '区间较宽', doubt: true }] : []),
    {
      text: `可比成交 ${grounds.sold} 个${asking > 0 ? `，挂牌 ${asking} 个` : ''}`,
      doubt: grounds.comparableCount < MIN_COMPARABLES,
    },
    ...completeness(grounds),
    { text: freshness(days), doubt: days > STALE_DAYS },
    ...(shown > 0 ? [{ text: `截图核对 ${shown} 项，截图由本人提供，不作为证明`, doubt: false }] : []),
    ...(shown > 0 && shown === answered ? [] : [sourceReason(grounds.source, shown > 0)]),
  ]
  const textsOf = (some: readonly Reason[]) => some.map(({ text }) => text)
  const { sold, assumed } = grounds
  return { level, score, reasons: textsOf(all), doubts: textsOf(all.filter(({ doubt }) => doubt)), sold, assumed }
}

/** A reason, and whether it lowers the confidence. */
interface Reason {
  text: string
  doubt: boolean
}

/** @param isRest whether other answers are shown by screenshots */
const sourceReason = (source: AnswerSource, isRest: boolean): Reason => ({
  text: isRest ? `其余${SOURCE[source].text}` : SOURCE[source].text,
  doubt: source === 'TYPED',
})

/** Multipliers without an answer count as the worst, all else as usual. */
function completeness({ unanswered, assumed }: ConfidenceInput): Reason[] {
  if (unanswered === 0) return [{ text: completeText, doubt: false }]
  const unknown = unanswered - assumed.length
  return [
    ...(assumed.length > 0 ? [{ text: assumedText(assumed.length), doubt: true }] : []),
    ...(unknown > 0 ? [{ text: `${unknown} 项不清楚，按最不利计`, doubt: true }] : []),
  ]
}

function freshness(days: number): string {
  if (days < 1) return '行情数据更新于今天'
  return `行情数据 ${Math.floor(days)} 天前${days > STALE_DAYS ? '，此后的行情按长期走势推算' : ''}`
}
