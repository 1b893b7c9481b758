import { BARGAIN_PREFIX, serviceTerms } from '@/contract/appraisal'
import type { Answers, FormConfig } from '@/contract/form/types'
import { bindingItemText, noteVerdictText } from '@/contract/labels'
import type { AppraisalDetails } from '@/contract/types'
import { AppError } from '../app-error'
import { isFar } from '../domains/orders/appraisal-details'
import { bindingFactsText, isBindingFixed } from '../domains/orders/binding-facts'
import { AMOUNT_PLACEHOLDERS, PUBLIC_AMOUNT_PLACEHOLDERS } from '../domains/reports/amount-placeholders'
import { readAppraisal } from './appraisal-fields'
import type { Fields } from './auth'
import { parseYuanInput, yuan } from './format'
import type { LoadedOrder } from './order'

/** Corrections of lines may miss the difference between the prices by this share of it, and by this share of the price. */
const CORRECTIONS = { ofGap: 0.2, ofPrice: 0.01 }

/** What a delivery is compared with. */
interface Subject {
  priceFen: number
  level: keyof typeof serviceTerms
  valued: LoadedOrder['valued']
  config: FormConfig
  answers: Answers
  /** the same person's notes on the version before */
  before: AppraisalDetails['notes']
}

/** Adopted accounts of a wholly different price. */
const comparableWarnings = ({ comparables }: AppraisalDetails, { priceFen, valued }: Subject) =>
  (valued?.comparables ?? []).flatMap(({ id, adjFen }) => {
    const kept = comparables.some((one) => one.id === id && one.verdict === 'KEPT')
    if (!kept || !isFar(adjFen, priceFen)) return []
    const far = adjFen < priceFen ? '不到一半' : '2 倍以上'
    return [`采用的可比账号折算 ${yuan(adjFen)}，是您的估价 ${yuan(priceFen)} 的${far}`]
  })

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
    if (!was || was.verdict === verdict || was.why?.trim() !== why?.trim()) return []
    return [`“${label}”上一版是${noteVerdictText[was.verdict]}，这一版是${noteVerdictText[verdict]}，理由没有改`]
  })

/** Amounts written in a text, fen. */
const amountsIn = (text: string): number[] =>
  [...text.matchAll(/¥\s*([\d,]+(?:\.\d+)?)|([\d,]+(?:\.\d+)?)\s*元/g)].flatMap(
    ([, a, b]) => parseYuanInput(a ?? b ?? '') ?? [],
  )

const inYuan = (fen: number) => Math.round(fen / 100)

/** Prices in the advice that are below the floor, or that only placeholders can name; smaller amounts are deductions. */
function amountWarnings({ advice, floorFen = 0 }: AppraisalDetails, { level, valued }: Subject): string[] {
  // a text may quote an account that the buyer names, and what it comes to for this account unless that is below the floor
  const comparables = valued?.comparables ?? []
  const named = new Set(comparables.map(({ priceFen }) => inYuan(priceFen)))
  const adjusted = new Set(comparables.map(({ adjFen }) => inYuan(adjFen)))
  const isCombined = serviceTerms[level].people > 1
  return advice.flatMap(({ channel, how }) => {
    const amounts = amountsIn(how).filter((fen) => 2 * fen >= floorFen && !named.has(inYuan(fen)))
    const about = `“${channel.replace(BARGAIN_PREFIX, '')}”里`
    const low = amounts.find((fen) => adjusted.has(inYuan(fen)) && fen < floorFen)
    if (low !== undefined) return [`${about}那个号折算 ${yuan(low)}，低于底价 ${yuan(floorFen)}：等于替买家压价`]
    const fen = amounts.find((one) => !adjusted.has(inYuan(one)) && (isCombined || one < floorFen))
    if (fen === undefined) return []
    const allowed = channel.startsWith(BARGAIN_PREFIX) ? AMOUNT_PLACEHOLDERS : PUBLIC_AMOUNT_PLACEHOLDERS
    return [
      isCombined
        ? `${about}写了 ${yuan(fen)}：最终价格由两份估价得出，请写 ${allowed.join('、')}`
        : `${about}写了 ${yuan(fen)}，低于底价 ${yuan(floorFen)}`,
    ]
  })
}

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
    const percents = clauses.flatMap((clause) => [...clause.matchAll(/([\d.]+)\s*[%％]/g)].map(([, n]) => Number(n)))
    const other = percents.find((percent) => percent !== feeBp / 100)
    if (other !== undefined) return [`“${channel}”的手续费填了 ${feeBp / 100}%，做法里写的是 ${other}%`]
    return feeBp === 0 && how.includes('担保') ? [`“${channel}”填了没有手续费，做法却要走担保：请填担保的手续费`] : []
  })

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
  ...correctionWarnings(details, subject),
  ...changedVerdictWarnings(details, subject),
  ...fixedWarnings(details, subject),
  ...amountWarnings(details, subject),
  ...titleWarnings(details),
  ...feeWarnings(details),
]

/** Notes of the newest version by the person with this number, in a revaluation. */
export function notesBefore({ order, versions }: LoadedOrder, no: string): AppraisalDetails['notes'] {
  const [newest] = versions
  const people = order.status === 'REVALUING' ? [newest?.appraiser, ...(newest?.others ?? [])] : []
  return people.find((one) => one?.no === no)?.work?.notes ?? []
}

/** The warnings of a typed form; none while it cannot be read. */
export function warningsOfForm(fields: Fields, loaded: LoadedOrder, no: string): string[] {
  const { order, config, valued } = loaded
  const level = order.level ?? 'STD'
  const priceFen = parseYuanInput(fields.price ?? '')
  if (priceFen === undefined) return []
  try {
    const details = readAppraisal(fields)({ order, config, level, valued })
    const { answers } = order
    return warningsOf(details, { priceFen, level, valued, config, answers, before: notesBefore(loaded, no) })
  } catch (e) {
    if (e instanceof AppError) return []
    throw e
  }
}

/** What the appraiser confirms: exactly these warnings, so that another mistake asks again. */
export const confirmationOf = (warnings: readonly string[]): string => warnings.join('\n')
