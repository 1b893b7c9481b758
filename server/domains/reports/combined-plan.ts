import { estimate, percent, roundToYuan, signedShortYuan } from '@/contract/format'
import { comparableKindText, comparableVerdictText, noteVerdictText } from '@/contract/labels'
import type { AppraisalDetails, Report } from '@/contract/types'
import { mean } from '../../engine/numbers'

type Combined = NonNullable<Report['joint']>
type Price = Report['price']
type Comparables = NonNullable<Report['ai']>['comparables']

/** What an appraiser delivered, and the price it was written for. */
export interface PricedAppraisal {
  name: string
  priceFen: number
  details: AppraisalDetails
}

/** differences listed in a report */
const DIFFERENCES_MAX = 8

/**
 * One plan for `price` from the plans of appraisers who wrote theirs for other prices: every step and floor counts as a
 * share of the price it was written for. It begins at the report's list price and falls by the mean of the plans, the last
 * step of each taken together; the floor is the highest of theirs, within the range and never above the quick price.
 * @returns undefined unless all of them have a plan
 */
export function combinePlans(
  price: Price,
  writers: readonly PricedAppraisal[],
): Pick<Combined, 'plan' | 'floorFen'> | undefined {
  const { predictFen, lowFen, quickFen, listFen } = price
  const plans = writers.flatMap(({ details, priceFen }) =>
    details.plan?.length && details.floorFen !== undefined
      ? [{ plan: details.plan, floorFen: details.floorFen, priceFen }]
      : [],
  )
  const [only] = plans
  if (!only || plans.length < writers.length) return undefined
  if (plans.length === 1 && only.priceFen === predictFen) return { plan: only.plan, floorFen: only.floorFen }
  const floorFen = Math.min(
    quickFen,
    Math.max(lowFen, roundToYuan(predictFen * Math.max(...plans.map((one) => one.floorFen / one.priceFen)))),
  )
  const steps = Math.min(...plans.map(({ plan }) => plan.length))
  const merged = Array.from({ length: steps }, (_, i) => {
    const at = plans.flatMap(({ plan, priceFen }) => {
      const step = plan[i === steps - 1 ? plan.length - 1 : i]
      return step ? [{ day: step.day, share: step.fen / priceFen }] : []
    })
    const fen = roundToYuan(predictFen * mean(at.map(({ share }) => share)))
    return { day: Math.round(mean(at.map(({ day }) => day))), fen: i === 0 ? listFen : Math.max(floorFen, fen) }
  })
  // prices of cheap accounts may be equal when rounded
  const plan = merged.filter(({ fen }, i) => merged.slice(0, i).every((before) => fen < before.fen))
  return { plan, floorFen }
}

/** A smaller share of the price is named beside what is to be mended, and needs no plan of its own. */
const MENDED_MIN = 0.03

/**
 * The plan for an account whose price rises by `gainFen` because its owner mends something first: all prices rise alike.
 * @returns undefined for a small gain
 */
export function mendedPlan(
  { plan, floorFen }: Pick<Combined, 'plan' | 'floorFen'>,
  predictFen: number,
  gainFen: number,
): Combined['mended'] {
  if (gainFen < MENDED_MIN * predictFen) return undefined
  const raised = (fen: number) => roundToYuan((fen * (predictFen + gainFen)) / predictFen)
  return {
    predictFen: predictFen + gainFen,
    plan: plan.map(({ day, fen }) => ({ day, fen: raised(fen) })),
    floorFen: raised(floorFen),
  }
}

/** Prices, and their differences from the adopted sales, that are closer than this share of the price count as equal. */
const EQUAL = 0.01

/**
 * Whose reasoning weighs more in the price of several appraisers, and why: who decided it, or whose price is nearer to the
 * sales that they adopted.
 */
export function decisionOf(
  predictFen: number,
  [first, second, third]: readonly [PricedAppraisal, PricedAppraisal, PricedAppraisal?],
  planAuthor: PricedAppraisal | undefined,
  comparables: Comparables,
): string {
  const gap = (2 * Math.abs(first.priceFen - second.priceFen)) / (first.priceFen + second.priceFen)
  const apart = gap < EQUAL ? '两份估价相差不到 1%' : `两份估价相差 ${percent(gap, 0)}`
  const price = estimate(predictFen)
  if (planAuthor && third)
    return `${apart}，由 ${third.name} 复核：三份取居中的，即 ${planAuthor.name} 的 ${price}，以其理由为准`
  if (planAuthor) return `${apart}，由 ${planAuthor.name} 看过两份后定为 ${price}，以其说明里的理由为准`
  const kept = comparables.filter(({ id }) =>
    [first, second].every(({ details }) => details.comparables.some((one) => one.id === id && one.verdict === 'KEPT')),
  )
  if (kept.length === 0) return `${apart}，取均价；没有两位都采用的可比账号，分不出哪份理由更重`
  const center = mean(kept.map(({ adjFen }) => adjFen))
  const [a, b] = [Math.abs(first.priceFen - center), Math.abs(second.priceFen - center)]
  const sales = `两位采用的 ${kept.length} 个可比账号折算平均 ${estimate(center)}`
  if (Math.abs(a - b) < EQUAL * predictFen) return `${apart}，取均价；${sales}，离两份一样近，两份理由一样重`
  return `${apart}，取均价；${sales}，更接近 ${(a < b ? first : second).name} 的估价`
}

type Verdict = { who: string; verdict: string; why?: string | undefined }

/** A difference where the verdicts on one thing, with their amounts, are not the same. */
const differing = (about: string, verdicts: readonly Verdict[]): Combined['differences'] =>
  new Set(verdicts.map(({ verdict }) => verdict)).size > 1
    ? [{ about, views: verdicts.map(({ who, verdict, why }) => `${who}：${verdict}${why ? `。${why}` : ''}`) }]
    : []

/**
 * On which sales each price rests, where they are not the same. Nothing is said when a sale that one of them kept is no
 * longer among the comparables, because the model was trained between the two: the list would be too short.
 */
function evidenceApart(appraisals: readonly { who: string; details: AppraisalDetails }[], comparables: Comparables) {
  const keptBy = ({ details }: { details: AppraisalDetails }) =>
    details.comparables.filter(({ verdict }) => verdict === 'KEPT').map(({ id }) => id)
  const ids = new Set(comparables.map(({ id }) => id))
  if (!appraisals.every((one) => keptBy(one).every((id) => ids.has(id)))) return []
  return differing(
    '价格依据的可比账号',
    appraisals.map(({ who, details }) => {
      const ids = keptBy({ details })
      const kept = comparables.filter(({ id }) => ids.includes(id))
      const names = kept.map(({ kind, priceFen, adjFen }) => {
        return `${comparableKindText[kind]} ${estimate(priceFen)}（折算 ${estimate(adjFen)}）`
      })
      return { who, verdict: names.join('、') || '没有采用' }
    }),
  )
}

/**
 * On what appraisers disagree: the sales they rest on, then lines and comparables that both judged, in the order of the
 * first appraisal.
 */
export function differencesOf(people: readonly PricedAppraisal[], comparables: Comparables): Combined['differences'] {
  const appraisals = people.map(({ name: who, details }) => ({ who, details }))
  const [first] = appraisals
  if (!first) return []
  const lines = first.details.notes.flatMap(({ label }) =>
    differing(
      label,
      appraisals.flatMap(({ who, details }) => {
        const note = details.notes.find((one) => one.label === label)
        if (!note) return []
        const own = note.ownFen === undefined ? '' : `，算 ${signedShortYuan(note.ownFen)}`
        return [{ who, verdict: `${noteVerdictText[note.verdict]}${own}`, why: note.why }]
      }),
    ),
  )
  const accounts = comparables.flatMap(({ id, kind, priceFen }) =>
    differing(
      `可比账号：${comparableKindText[kind]} ${estimate(priceFen)}`,
      appraisals.flatMap(({ who, details }) => {
        const one = details.comparables.find((judged) => judged.id === id)
        return one ? [{ who, verdict: comparableVerdictText[one.verdict], why: one.why }] : []
      }),
    ),
  )
  return [...evidenceApart(appraisals, comparables), ...lines, ...accounts].slice(0, DIFFERENCES_MAX)
}
