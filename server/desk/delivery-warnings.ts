import { BARGAIN_PREFIX, serviceTerms } from '@/contract/appraisal'
import type { Answers, FormConfig } from '@/contract/form/types'
import { roundToYuan } from '@/contract/format'
import { bindingItemText, noteVerdictText } from '@/contract/labels'
import type { AppraisalDetails } from '@/contract/types'
import { AppError } from '../app-error'
import { isFar, PLAN_DAYS_MAX } from '../domains/orders/appraisal-details'
import { bindingFactsText, isBindingFixed } from '../domains/orders/binding-facts'
import { AMOUNT_PLACEHOLDERS, PUBLIC_AMOUNT_PLACEHOLDERS } from '../domains/reports/amount-placeholders'
import { isDealer, netOf } from '../domains/reports/view'
import { readAppraisal } from './appraisal-fields'
import type { Fields } from './auth'
import { parseYuanInput, yuan } from './format'
import type { LoadedOrder } from './order'
import { amountsIn, daysNamedIn, listPricesIn, mendedAmountsIn } from './text-claims'

/** Corrections of lines may miss the difference between the prices by this share of it, and by this share of the price. */
const CORRECTIONS = { ofGap: 0.2, ofPrice: 0.01 }
/** A price may be outside the adopted sales by this share of it without a reason. */
const OUTSIDE = 0.02

/** What a delivery is compared with. */
interface Subject {
  priceFen: number
  comment: string
  level: keyof typeof serviceTerms
  valued: LoadedOrder['valued']
  config: FormConfig
  answers: Answers
  /** the same person's notes on the version before */
  before: AppraisalDetails['notes']
  /** ms */
  now: number
}

/** Adopted accounts of a wholly different price. */
const comparableWarnings = ({ comparables }: AppraisalDetails, { priceFen, valued }: Subject) =>
  (valued?.comparables ?? []).flatMap(({ id, adjFen }) => {
    const kept = comparables.some((one) => one.id === id && one.verdict === 'KEPT')
    if (!kept || !isFar(adjFen, priceFen)) return []
    const far = adjFen < priceFen ? '不到一半' : '2 倍以上'
    return [`采用的可比账号折算 ${yuan(adjFen)}，是您的估价 ${yuan(priceFen)} 的${far}`]
  })

/** How a comment says that the price is above or below the adopted sales. */
const reasons = { above: /高于|高出|比(?!模型)[^，]*[高多贵]/, below: /低于|低出|比(?!模型)[^，]*[低少]/ }

/** A price that is outside the adopted sales, and a comment that does not say why. */
function evidenceWarnings({ comparables }: AppraisalDetails, { priceFen, valued, comment }: Subject): string[] {
  const kept = new Set(comparables.filter(({ verdict }) => verdict === 'KEPT').map(({ id }) => id))
  const adjusted = (valued?.comparables ?? []).flatMap(({ id, adjFen }) =>
    kept.has(id) && !isFar(adjFen, priceFen) ? [adjFen] : [],
  )
  if (adjusted.length === 0) return []
  const [low, high] = [Math.min(...adjusted), Math.max(...adjusted)]
  const isAbove = priceFen > high * (1 + OUTSIDE)
  if (!isAbove && priceFen >= low * (1 - OUTSIDE)) return []
  const reason = isAbove ? reasons.above : reasons.below
  const sentences = comment.split(/[。；;\n]/)
  if (sentences.some((one) => /可比|采用|折算|成交/.test(one) && reason.test(one))) return []
  const range = low === high ? yuan(low) : `${yuan(low)} 到 ${yuan(high)}`
  const side = isAbove ? '高于' : '低于'
  return [`您的估价 ${yuan(priceFen)} ${side}采用的可比账号（折算 ${range}），估价说明没有写为什么${side}它们`]
}

/** Corrected lines that do not explain why the price differs from the model's. */
function correctionWarnings({ notes, binding: costs = [] }: AppraisalDetails, { priceFen, valued }: Subject): string[] {
  if (!valued) return []
  const gap = priceFen - valued.price.predictFen
  const corrected = notes.reduce((sum, { ownFen, amountFen = 0 }) => sum + ((ownFen ?? amountFen) - amountFen), 0)
  const allowed = Math.max(CORRECTIONS.ofGap * Math.abs(gap), CORRECTIONS.ofPrice * valued.price.predictFen)
  // what binding costs may stand in lines or not
  const binding = costs.reduce((sum, { costFen }) => sum + costFen, 0)
  if (gap <= corrected + allowed && gap >= corrected - binding - allowed) return []
  return [`明细更正合计 ${yuan(corrected)}，您的估价与模型相差 ${yuan(gap)}，对不上`]
}

/** Verdicts that differ from the version before under an unchanged reason. */
const changedVerdictWarnings = ({ notes }: AppraisalDetails, { before }: Subject) =>
  notes.flatMap(({ label, verdict, why }) => {
    const was = before.find((one) => one.label === label)
    if (!was || was.verdict === verdict || was.why.trim() !== why.trim()) return []
    return [`“${label}”上一版是${noteVerdictText[was.verdict]}，这一版是${noteVerdictText[verdict]}，理由没有改`]
  })

/** Prices in the advice that are below the floor, or that only placeholders can name; smaller amounts are deductions. */
function amountWarnings({ advice, floorFen = 0 }: AppraisalDetails, { level, valued }: Subject): string[] {
  // a text may quote an account that the buyer names, and what it comes to for this account unless that is below the floor
  const comparables = valued?.comparables ?? []
  const named = new Set(comparables.map(({ priceFen }) => roundToYuan(priceFen)))
  const adjusted = new Set(comparables.map(({ adjFen }) => roundToYuan(adjFen)))
  const isCombined = serviceTerms[level].people > 1
  return advice.flatMap(({ channel, how }) => {
    const amounts = amountsIn(how).filter((fen) => 2 * fen >= floorFen && !named.has(roundToYuan(fen)))
    const about = `“${channel.replace(BARGAIN_PREFIX, '')}”里`
    const low = amounts.find((fen) => adjusted.has(roundToYuan(fen)) && fen < floorFen)
    if (low !== undefined) return [`${about}那个号折算 ${yuan(low)}，低于底价 ${yuan(floorFen)}：等于替买家压价`]
    const fen = amounts.find((one) => !adjusted.has(roundToYuan(one)) && (isCombined || one < floorFen))
    if (fen === undefined) return []
    const allowed = channel.startsWith(BARGAIN_PREFIX) ? AMOUNT_PLACEHOLDERS : PUBLIC_AMOUNT_PLACEHOLDERS
    return [
      isCombined
        ? `${about}写了 ${yuan(fen)}：最终价格由两份估价得出，请写 ${allowed.join('、')}`
        : `${about}写了 ${yuan(fen)}，低于底价 ${yuan(floorFen)}`,
    ]
  })
}

/** Every text of the form that the report shows. */
const textsOf = ({ notes, comparables, advice, binding = [] }: AppraisalDetails, { comment }: Subject): string[] => [
  comment,
  ...[...notes, ...comparables].map(({ why }) => why),
  ...advice.map(({ how }) => how),
  ...binding.flatMap(({ basis, removal }) => [basis, removal ?? '']),
]

/** A price to list at that is neither the list price nor a step of the plan, nor what another account is listed at. */
function listPriceWarnings(details: AppraisalDetails, subject: Subject): string[] {
  const { listFen, plan = [] } = details
  const others = (subject.valued?.comparables ?? []).map(({ priceFen }) => priceFen)
  const said = new Set([listFen, ...plan.map(({ fen }) => fen), ...others].map(roundToYuan))
  const amounts = textsOf(details, subject).flatMap(listPricesIn)
  const other = amounts.find((fen) => !said.has(roundToYuan(fen)))
  return other === undefined ? [] : [`文字里写挂 ${yuan(other)}，建议挂牌价填的是 ${yuan(listFen)}`]
}

/** More than one amount for what is gained by mending something before the sale, as a gain or as the price after it. */
function mendedWarnings(details: AppraisalDetails, subject: Subject): string[] {
  const { priceFen } = subject
  const amounts = textsOf(details, subject).flatMap(mendedAmountsIn)
  // a price after mending is the own price and the gain; a lower one is no gain
  const gains = amounts.flatMap((fen) => (2 * fen < priceFen ? [fen] : fen > priceFen ? [fen - priceFen] : []))
  const typed = (details.binding ?? []).flatMap(({ gainFen = 0 }) => (gainFen > 0 ? [gainFen] : []))
  const total = typed.reduce((sum, fen) => sum + fen, 0)
  const known = new Set([...typed, total].map(roundToYuan))
  const odd = [...new Set(gains.map(roundToYuan))].filter((one) => typed.length === 0 || !known.has(one)).map(yuan)
  // of two appraisers the report computes the gain anew for its own price
  if (gains.length > 0 && serviceTerms[subject.level].people > 1)
    return [`改好后多卖多少，报告按最终价格写出来，文字里请不要写 ${[...new Set(gains)].map(yuan).join('、')}`]
  if (typed.length > 0 && odd.length > 0)
    return [`改好后多卖多少，文字里写 ${odd.join('、')}，绑定与找回里填 ${typed.map(yuan).join('、')}`]
  return odd.length > 1 ? [`改好后多卖多少，文字里有 ${odd.length} 个数：${odd.join('、')}`] : []
}

/** Advice for a time at which the report is no longer valid. */
const validityWarnings = ({ advice }: AppraisalDetails, { now }: Subject) =>
  advice.flatMap(({ channel, how }) => {
    const days = daysNamedIn(how, now)
    if (days <= PLAN_DAYS_MAX) return []
    return [`“${channel.replace(BARGAIN_PREFIX, '')}”写到第 ${days} 天，报告 ${PLAN_DAYS_MAX} 天内有效`]
  })

/** A listing's title that names a line which lowers the price; it belongs into the description. */
const titleWarnings = ({ advice, notes }: AppraisalDetails) =>
  advice.flatMap(({ channel, how }) => {
    const titles = how.match(/标题[^，；,;。]*/g)?.join() ?? ''
    const fault = notes.find(
      ({ label, amountFen = 0, ownFen = amountFen }) => ownFen < 0 && titles.includes(`“${label}”`),
    )
    return fault ? [`“${channel}”把“${fault.label}”写进标题，它让价格更低；请写进说明`] : []
  })

/** A fee other than the one from which the report computes what is left. */
const feeWarnings = ({ advice }: AppraisalDetails) =>
  advice.flatMap(({ channel, how, feeBp }) => {
    if (feeBp === undefined) return []
    const clauses = how.split(/[，；。,;]/).filter((clause) => /手续费|服务费|佣金|抽成/.test(clause))
    const percents = clauses.flatMap((clause) =>
      [...clause.matchAll(/(?<![\d.])([\d.]+)\s*[%％]/g)].map(([, n]) => Number(n)),
    )
    const other = percents.find((percent) => percent !== feeBp / 100)
    if (other !== undefined) return [`“${channel}”的手续费填了 ${feeBp / 100}%，做法里写的是 ${other}%`]
    return feeBp === 0 && how.includes('担保') ? [`“${channel}”填了没有手续费，做法却要走担保：请填担保的手续费`] : []
  })

/** A channel that leaves less than a dealer, who takes the account at once. */
function netWarnings({ advice, quickFen }: AppraisalDetails, { priceFen }: Subject): string[] {
  const nets = advice.flatMap(({ channel, feeBp }) =>
    netOf({ channel, ...(feeBp !== undefined && { feeBp }) }, { predictFen: priceFen, quickFen }).map((fen) => ({
      ...{ channel, fen, dealer: isDealer(channel) },
    })),
  )
  const dealer = nets.filter((one) => one.dealer).sort((a, b) => b.fen - a.fen)[0]
  return nets.flatMap(({ channel, fen, ...one }) =>
    dealer && !one.dealer && fen < dealer.fen
      ? [
          `“${channel}”到手 ${yuan(fen)}，比“${dealer.channel}”马上收的 ${yuan(dealer.fen)} 还少：请核对手续费，或换一个渠道`,
        ]
      : [],
  )
}

/** A gain from changing what the owner cannot change. */
const fixedWarnings = ({ binding = [] }: AppraisalDetails, { config, answers }: Subject) =>
  binding.flatMap(({ item, gainFen = 0 }) =>
    gainFen > 0 && isBindingFixed(config, answers, item)
      ? [
          `“${bindingItemText[item]}”写了解除后多卖 ${yuan(gainFen)}，但“${bindingFactsText(config, answers, item)}”不能再改好`,
        ]
      : [],
  )

/** What is probably a mistake in a valid delivery; the appraiser corrects or confirms it. */
export const warningsOf = (details: AppraisalDetails, subject: Subject): string[] => [
  ...comparableWarnings(details, subject),
  ...evidenceWarnings(details, subject),
  ...correctionWarnings(details, subject),
  ...changedVerdictWarnings(details, subject),
  ...fixedWarnings(details, subject),
  ...amountWarnings(details, subject),
  ...listPriceWarnings(details, subject),
  ...mendedWarnings(details, subject),
  ...validityWarnings(details, subject),
  ...titleWarnings(details),
  ...feeWarnings(details),
  ...netWarnings(details, subject),
]

/** Notes of the newest version by the person with this number, in a revaluation. */
export function notesBefore({ order, versions }: LoadedOrder, no: string): AppraisalDetails['notes'] {
  const [newest] = versions
  const people = order.status === 'REVALUING' ? [newest?.appraiser, ...(newest?.others ?? [])] : []
  return people.find((one) => one?.no === no)?.work.notes ?? []
}

/** The warnings of a typed form; none while it cannot be read. */
export function warningsOfForm(fields: Fields, loaded: LoadedOrder, no: string): string[] {
  const { order, config, valued, now } = loaded
  const level = order.level ?? 'STD'
  const priceFen = parseYuanInput(fields.price ?? '')
  if (priceFen === undefined) return []
  try {
    const details = readAppraisal(fields)({ order, config, level, valued })
    const { answers } = order
    const { comment = '' } = fields
    const before = notesBefore(loaded, no)
    return warningsOf(details, { priceFen, comment, level, valued, config, answers, before, now })
  } catch (e) {
    if (e instanceof AppError) return []
    throw e
  }
}

/** What the appraiser confirms: exactly these warnings, so that another mistake asks again. */
export const confirmationOf = (warnings: readonly string[]): string => warnings.join('\n')
