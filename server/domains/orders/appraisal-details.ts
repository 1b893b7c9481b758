import { BARGAIN_PREFIX, serviceTerms } from '@/contract/appraisal'
import { bindingItemText, keysOf, type ManualLevel, noteVerdictText } from '@/contract/labels'
import { visibleText, wordedLength } from '@/contract/rules'
import { DAY_MS } from '@/contract/time'
import type { AppraisalDetails } from '@/contract/types'
import { invalid } from '../../app-error'
import type { Valued } from '../../engine/types'
import { AMOUNT_PLACEHOLDERS, PUBLIC_AMOUNT_PLACEHOLDERS, unknownPlaceholder } from '../reports/amount-placeholders'
import { REPORT_LIFETIME_MS } from '../reports/validity'
import { contactIssue } from '../shared/contact-details'

/** characters */
const WHY = { min: 4, max: 200 }
const HOW = { min: 10, max: 200 }
const NAME_MAX = 30
/** hundredths of a per cent */
const FEE_BP_MAX = 5_000
/** fen */
export const PRICE_MAX = 1_000_000_000
/** A selling plan ends while the report is valid. */
export const PLAN_DAYS_MAX = REPORT_LIFETIME_MS / DAY_MS

interface AppraisalInput {
  details: AppraisalDetails
  priceFen: number
  level: ManualLevel
  /** the model's valuation of the same answers, if any */
  valued: Valued | undefined
  /** of an expert order */
  duties?: AppraisalDuties
}

/** What one appraiser of an expert order does besides valuing. */
export interface AppraisalDuties {
  /** judges binding and recovery */
  binding: boolean
  /** comparables the other one adopted, where this one comes second */
  adopted?: readonly string[]
}

const isBetween = (text = '', { min, max }: typeof WHY) => wordedLength(text) >= min && text.trim().length <= max
const isName = (text: string) => isBetween(text, { min: 1, max: NAME_MAX })

/** Letters and digits: texts that differ only in punctuation, width or case are equal. */
const lettersOf = (text: string) =>
  visibleText(text.normalize('NFKC'))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
/** The names given before, and more often than the model has them. */
function repeated(names: readonly string[], offered: readonly string[] = []): string[] {
  const [given, had] = [names.map(lettersOf), offered.map(lettersOf)]
  const times = (list: readonly string[], letters: string) => list.filter((one) => one === letters).length
  return names.filter((_name, i) => {
    const letters = given[i] ?? ''
    return letters !== '' && times(given.slice(0, i + 1), letters) > Math.max(1, times(had, letters))
  })
}
const repetition = (path: string, what: string, names: readonly string[]) =>
  names.length > 0 && {
    path,
    msg: `${what}${[...new Set(names.map(visibleText))].map((name) => `“${name}”`).join('')}重复了，请只保留一条`,
  }

/** More items with one reason have none of their own. */
const SAME_REASON_MAX = 2

/** Reasons given for more than two items. @param given item and reason */
function pastedReasons(path: string, what: string, given: readonly (readonly [item: string, why?: string])[]) {
  const items = new Map<string, Set<string>>()
  for (const [item, why = ''] of given) {
    const letters = lettersOf(why)
    if (letters !== '') items.set(letters, (items.get(letters) ?? new Set()).add(item))
  }
  return [...items].map(([letters, of]) => {
    const [, why = ''] = given.find(([, one = '']) => lettersOf(one) === letters) ?? []
    return (
      of.size > SAME_REASON_MAX && { path, msg: `“${visibleText(why)}”写在了 ${of.size} ${what}里，请写各项自己的理由` }
    )
  })
}

function priceIssues({ details: { lowFen, quickFen, listFen, highFen }, priceFen }: AppraisalInput) {
  const all = [lowFen, quickFen, priceFen, listFen, highFen]
  const ordered = all.every((fen, i) => Number.isInteger(fen) && fen >= (all[i - 1] ?? 1) && fen <= PRICE_MAX)
  return [!ordered && { path: 'range', msg: '价格应为：区间最低 ≤ 快速出手价 ≤ 参考成交价 ≤ 建议挂牌价 ≤ 区间最高' }]
}

const isHigher = (a: number | undefined, b: number | undefined) => a !== undefined && b !== undefined && a > b

function noteIssues({ details: { notes }, level, valued }: AppraisalInput) {
  const { notes: promised } = serviceTerms[level]
  const least = Math.min(promised, valued?.breakdown.length ?? promised)
  const offered = valued?.breakdown.map(({ label }) => label)
  const labels = offered && new Set(offered)
  const twice = repeated(
    notes.map(({ label }) => label),
    offered,
  )
  const judged = notes.length - twice.length
  return [
    judged < least && { path: 'notes', msg: `请至少对 ${least} 项明细表态，现在是 ${judged} 项` },
    repetition('notes', '明细', twice),
    ...pastedReasons(
      'notes',
      '项',
      notes.map(({ label, why }) => [label, why]),
    ),
    ...notes.map(({ label, verdict, why, amountFen, ownFen }) => {
      if (labels ? !labels.has(label) : !isName(label))
        return { path: 'notes', msg: `没有“${label}”这项明细，请刷新后核对` }
      if (!isBetween(why, WHY)) {
        const differs = verdict === 'AGREE' ? '' : '与模型不同，'
        return { path: 'notes', msg: `“${label}”${differs}请写明理由（${WHY.min}-${WHY.max} 字）` }
      }
      const isRight = verdict === 'HIGHER' ? isHigher(ownFen, amountFen) : isHigher(amountFen, ownFen)
      return (
        verdict !== 'AGREE' &&
        amountFen !== undefined &&
        !isRight && { path: 'notes', msg: `“${label}”${noteVerdictText[verdict]}，请写您算多少（元）` }
      )
    }),
  ]
}

function comparableIssues({ details: { comparables }, level, valued }: AppraisalInput) {
  const offered = valued?.comparables ?? []
  const least = Math.min(serviceTerms[level].comparables, offered.length)
  const places = new Map(offered.map(({ id }, i) => [id, i + 1]))
  const judged = new Set(comparables.map(({ id }) => id)).size
  const twice = comparables.filter(({ id }, i) => comparables.findIndex((one) => one.id === id) < i)
  return [
    judged < least && { path: 'comparables', msg: `请至少取舍 ${least} 个可比账号，现在是 ${judged} 个` },
    repetition(
      'comparables',
      '',
      twice.map(({ id }) => `可比账号 ${places.get(id) ?? ''}`),
    ),
    ...pastedReasons(
      'comparables',
      '个可比账号',
      comparables.map(({ id, why }) => [id, why]),
    ),
    comparables.some(({ id }) => !places.has(id)) && { path: 'comparables', msg: '可比账号已更新，请刷新后重新取舍' },
    comparables.some(({ why }) => !isBetween(why, WHY)) && {
      path: 'comparables',
      msg: `取舍可比账号请写明理由（${WHY.min}-${WHY.max} 字）`,
    },
  ]
}

/** An account of half or twice the price is no evidence for it. */
export const isFar = (adjFen: number, priceFen: number): boolean => 2 * adjFen <= priceFen || adjFen >= 2 * priceFen

/** The later of two appraisers adopts comparables of their own, if the first one left enough unadopted. */
function ownComparableIssues({ details: { comparables }, priceFen, level, valued, duties }: AppraisalInput) {
  if (!duties?.adopted) return []
  const adopted = new Set(duties.adopted)
  const left = (valued?.comparables ?? []).filter(
    ({ id, adjFen }) => !adopted.has(id) && !isFar(adjFen, priceFen),
  ).length
  const least = Math.min(serviceTerms[level].ownComparables, left)
  const own = new Set(comparables.flatMap(({ id, verdict }) => (verdict === 'KEPT' && !adopted.has(id) ? [id] : [])))
  return [
    own.size < least && {
      path: 'comparables',
      msg: `请采用至少 ${least} 个另一位没有采用的可比账号，现在是 ${own.size} 个`,
    },
  ]
}

/** Every item judged with its evidence; what costs something with the way to remove it and the gain. */
function bindingIssues({ details: { binding = [] }, priceFen, duties }: AppraisalInput) {
  if (!duties?.binding && binding.length === 0) return []
  const twice = repeated(binding.map(({ item }) => bindingItemText[item]))
  const judged = keysOf(bindingItemText).map((item) => {
    const name = bindingItemText[item]
    const risk = binding.find((one) => one.item === item)
    if (!risk || !isBetween(risk.basis, WHY))
      return {
        path: 'binding',
        msg: `绑定与找回：“${name}”请写影响多少钱（不影响填 0）和依据（${WHY.min}-${WHY.max} 字）`,
      }
    const { costFen, removal, gainFen = -1 } = risk
    if (costFen > priceFen) return { path: 'binding', msg: `绑定与找回：“${name}”的影响不能超过您的估价` }
    return (
      costFen > 0 &&
      (!isBetween(removal, WHY) || gainFen < 0 || gainFen > costFen) && {
        path: 'binding',
        msg: `绑定与找回：“${name}”请写怎么先解除（${WHY.min}-${WHY.max} 字）和解除后能多卖多少（不超过影响的金额，不能解除填 0）`,
      }
    )
  })
  return [repetition('binding', '绑定与找回', twice), ...judged]
}

function adviceIssues({ details: { advice }, level }: AppraisalInput) {
  const { channels, bargains } = serviceTerms[level]
  const answers = advice.filter(({ channel }) => channel.startsWith(BARGAIN_PREFIX))
  const ways = advice.filter(({ channel }) => !channel.startsWith(BARGAIN_PREFIX))
  const twice = {
    ways: repeated(ways.map(({ channel }) => channel)),
    answers: repeated(answers.map(({ channel }) => channel.slice(BARGAIN_PREFIX.length))),
  }
  return [
    ways.length - twice.ways.length < channels && { path: 'advice', msg: `请写至少 ${channels} 个渠道的出售建议` },
    repetition('advice', '渠道', twice.ways),
    ...ways.map(
      ({ channel, feeBp = -1 }) =>
        (feeBp < 0 || feeBp > FEE_BP_MAX) && {
          path: 'advice',
          msg: `“${channel}”请写手续费（%，没有填 0，最多 ${FEE_BP_MAX / 100}）`,
        },
    ),
    ...advice.map(({ channel, how }) => {
      const allowed = channel.startsWith(BARGAIN_PREFIX) ? AMOUNT_PLACEHOLDERS : PUBLIC_AMOUNT_PLACEHOLDERS
      const placeholder = unknownPlaceholder(how, allowed)
      return (
        placeholder !== undefined && {
          path: 'advice',
          msg: `“${channel}”里不能写“${placeholder}”，可以写 ${allowed.join('、')}`,
        }
      )
    }),
    answers.length - twice.answers.length < bargains && {
      path: 'bargains',
      msg: `请写至少 ${bargains} 种买家压价怎么回`,
    },
    repetition('bargains', '买家压价', twice.answers),
    ways.some(({ channel, how }) => !isName(channel) || !isBetween(how, HOW)) && {
      path: 'advice',
      msg: `出售建议请写明渠道和做法（做法 ${HOW.min}-${HOW.max} 字）`,
    },
    answers.some(({ channel, how }) => !isName(channel.slice(BARGAIN_PREFIX.length)) || !isBetween(how, HOW)) && {
      path: 'bargains',
      msg: `买家压价请写明买家的理由和怎么回（怎么回 ${HOW.min}-${HOW.max} 字）`,
    },
  ]
}

/** The lowest price to accept, and the plan down to it: rising days and falling prices from the list price on. */
function planIssues({ details: { plan = [], floorFen, lowFen, quickFen, listFen }, level }: AppraisalInput) {
  const least = serviceTerms[level].planSteps
  const floor = floorFen ?? 0
  const falls = plan.every(({ day, fen }, i) => {
    const before = plan[i - 1] ?? { day: 0, fen: listFen + 1 }
    return Number.isInteger(day) && day > before.day && day <= PLAN_DAYS_MAX && fen < before.fen && fen >= floor
  })
  return [
    (floor < lowFen || floor > quickFen) && { path: 'floor', msg: '底价应在区间最低和快速出手价之间' },
    (plan.length < least || !falls) && {
      path: 'plan',
      msg: `降价计划至少 ${Math.max(least, 1)} 步：天数递增（1-${PLAN_DAYS_MAX}，报告 ${PLAN_DAYS_MAX} 天内有效），价格从建议挂牌价起递减，不低于底价`,
    },
  ]
}

/** What the owner or a buyer reads of the details has no contact data. */
function contactIssues({ details: { notes, comparables, advice, binding = [] } }: AppraisalInput) {
  const texts = [
    ...notes.map(({ label, why }) => ({ path: 'notes', name: label, text: `${label}\n${why}` })),
    ...comparables.map(({ why }) => ({ path: 'comparables', name: '可比账号的理由', text: why })),
    ...advice.map(({ channel, how }) => ({
      path: channel.startsWith(BARGAIN_PREFIX) ? 'bargains' : 'advice',
      ...{ name: channel, text: `${channel}\n${how}` },
    })),
    ...binding.map(({ item, basis, removal = '' }) => ({
      ...{ path: 'binding', name: `绑定与找回：${bindingItemText[item]}`, text: `${basis}\n${removal}` },
    })),
  ]
  return texts.map(({ path, name, text }) => {
    const contact = contactIssue(text)
    return contact !== undefined && { path, msg: `“${name}”${contact}` }
  })
}

/**
 * Requires what the service promises: three prices within a range, notes on lines, comparables kept or excluded, advice.
 * @throws AppError VALIDATION_FAILED listing every issue
 */
export function validateAppraisal(given: AppraisalInput): void {
  const issues = [
    ...priceIssues(given),
    ...noteIssues(given),
    ...comparableIssues(given),
    ...ownComparableIssues(given),
    ...bindingIssues(given),
    ...adviceIssues(given),
    ...planIssues(given),
    ...contactIssues(given),
  ].filter((issue) => issue !== false)
  if (issues.length > 0) throw invalid(issues)
}

/** Model lines in the order of their weight, which is the order in which they matter. */
export const linesByWeight = (valued: Pick<Valued, 'breakdown'> | undefined): Valued['breakdown'] =>
  [...(valued?.breakdown ?? [])].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))

/**
 * Names of a dictionary that the text misspells by exactly one character of the same length, with what it says. Correct
 * names are taken out first, the longest first: the beginning of one may resemble another.
 */
export function misspelledNames(text: string, names: readonly string[]): { written: string; name: string }[] {
  const terms = [...new Set(names)].filter((name) => Array.from(name).length >= 3).sort((a, b) => b.length - a.length)
  const parts = terms.reduce<string[]>((rest, name) => rest.flatMap((part) => part.split(name)), [text])
  const found: { written: string; name: string }[] = []
  for (const name of terms)
    for (const part of parts)
      for (let at = 0; at + name.length <= part.length; at++) {
        const written = part.slice(at, at + name.length)
        if (differsByOne(written, name)) found.push({ written, name })
      }
  return found
}

const differsByOne = (a: string, b: string) => [...a].filter((c, i) => c !== b[i]).length === 1
