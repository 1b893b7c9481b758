/**
 * Comparables shown with a price: the most similar sales, each adjusted to this account, with the differences in words.
 */
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { isOutlier } from '@/contract/priceRange'
import type { Completed } from './completions'
import { answerKey, answerOf, indexByWord, isFactor, isKnown, isList, isPriced, namesIn } from './encode'
import { applyHedonic, type HedonicValue, marketAt } from './hedonic'
import { percentOfLog, quantile, remembered, sum, toFen } from './numbers'
import {
  CLOSE_DISTANCE,
  type Distances,
  MIN_COMPARABLES,
  nearestSales,
  type PackedSales,
  packSales,
} from './similarity'
import type { Comparable, FieldCode, Model, PriceGap, StoredSale } from './types'

export interface UsableSale {
  sale: StoredSale
  distance: number
}

const MAX_SHOWN = 8
const MAX_WORDS = 3
/** answers named that both accounts share */
const MAX_SAME = 2

const packs = new WeakMap<Model, PackedSales>()

/** The model's sales in packed form, cached per model. */
export const packedSales = (model: Model): PackedSales =>
  remembered(packs, model, () => packSales(model.hedonic, model.sales))

/** Indices of the sales with these ids. */
export function indicesOf(model: Model, ids: readonly string[]): ReadonlySet<number> {
  // most valuations leave out none, and there may be ten thousand sales
  if (ids.length === 0) return new Set()
  const wanted = new Set(ids)
  return new Set(model.sales.flatMap(({ id }, i) => (wanted.has(id) ? [i] : [])))
}

/** Comparable sales, nearest first. */
export function usableSales(model: Model, distances: Distances, hasGaps: boolean): UsableSale[] {
  return nearestSales(distances, MIN_COMPARABLES, hasGaps).flatMap(({ i, d }) => {
    const sale = model.sales[i]
    return sale ? [{ sale, distance: d }] : []
  })
}

interface ComparableWithDifferences {
  comparable: Comparable
  differences: Difference[]
}

/** An account and its value by the formula. */
interface Side {
  answers: Answers
  value: HedonicValue
}

/** within this distance an account is called near: no single field makes up a sixth of the price */
const NEAR_DISTANCE = CLOSE_DISTANCE / 2
/** share of an ordered choice's length from which on two of its options are at its opposite ends */
const LADDER_SHARE = 2 / 3
/** an asking price is shown after sales that are farther away by up to this */
const ASKING_DISTANCE = 0.1
const CLOSENESS = ['NEAR', 'CLOSE', 'REFERENCE'] as const

/** Whether the two accounts are at opposite ends of an ordered choice, such as a rank or a VIP level. */
function isAcrossLadder({ hedonic }: Model, mine: Answers, theirs: Answers): boolean {
  return hedonic.fields.some((code) => {
    if (code.kind !== 'level') return false
    const places = indexByWord(code.ranks)
    const [own, other] = [mine, theirs].map((answers) => places.get(answerKey(answerOf(answers, code.key))))
    const apart = own === undefined || other === undefined ? 0 : Math.abs(own - other)
    return apart > 1 && apart >= LADDER_SHARE * (code.ranks.length - 1)
  })
}

/**
 * Comparables with the price each would fetch if it had this account's assets and were sold now, the nearest first. Accounts
 * at the other end of a ladder are shown only for want of others, and called a reference like those at odd prices.
 */
export function showComparables(
  model: Model,
  config: FormConfig,
  account: Answers,
  { value, log }: Pick<Completed, 'value' | 'log'>,
  predictFen: number,
  usable: readonly UsableSale[],
  now: number,
): ComparableWithDifferences[] {
  const { hedonic } = model
  const mine: Side = { answers: account, value }
  const rank = ({ sale, distance }: UsableSale) => distance + (sale.kind === 'ASKING' ? ASKING_DISTANCE : 0)
  const near: UsableSale[] = []
  const across = new Set<UsableSale>()
  for (const candidate of [...usable].sort((a, b) => rank(a) - rank(b))) {
    if (near.length === MAX_SHOWN) break
    if (isAcrossLadder(model, account, candidate.sale.attributes)) across.add(candidate)
    else near.push(candidate)
  }
  const shown = [...near, ...across].slice(0, MAX_SHOWN).map((candidate): ComparableWithDifferences => {
    const { sale, distance } = candidate
    const marketChange = marketAt(hedonic.market, now) - marketAt(hedonic.market, sale.at)
    const askingPremium = sale.kind === 'ASKING' ? hedonic.ask : 0
    const adjFen = toFen(sale.priceFen * Math.exp(log - sale.logValue + marketChange - askingPremium))
    const theirs: Side = { answers: sale.attributes, value: applyHedonic(hedonic, sale.attributes, 'average') }
    const all = [...differences(model, config, mine, theirs), ...circumstances(sale.kind, marketChange, askingPremium)]
    const isReference = across.has(candidate) || distance >= CLOSE_DISTANCE || isOutlier({ adjFen }, predictFen)
    return {
      comparable: {
        ...{ id: sale.id, kind: sale.kind, priceFen: sale.priceFen, adjFen, at: sale.at },
        closeness: isReference ? 'REFERENCE' : distance < NEAR_DISTANCE ? 'NEAR' : 'CLOSE',
        same: sameAnswers(model, config, mine, theirs),
        diff: mostTelling(all),
      },
      differences: all,
    }
  })
  const order = ({ comparable }: ComparableWithDifferences) => CLOSENESS.indexOf(comparable.closeness)
  return shown.sort((a, b) => order(a) - order(b))
}

/** The answers that both give, those with the greatest effect on the price first. Lists are hardly ever equal. */
function sameAnswers({ hedonic }: Model, config: FormConfig, mine: Side, theirs: Side): string[] {
  const effectOf = (field: Field) => {
    const place = hedonic.fields.findIndex(({ key }) => key === field.key)
    if (place >= 0) return (mine.value.contributions[place] ?? 0) / mine.value.index
    return Math.abs(mine.value.factors.find(({ key }) => key === field.key)?.effect ?? 0)
  }
  return config.fields
    .filter((field) => (isPriced(field) || isFactor(field)) && !isList(field))
    .filter(({ key }) => {
      const own = answerOf(mine.answers, key)
      return isKnown(own) && answerKey(own) === answerKey(answerOf(theirs.answers, key))
    })
    .sort((a, b) => effectOf(b) - effectOf(a))
    .slice(0, MAX_SAME)
    .map((field) => {
      const words = labelOf(config, field, answerOf(mine.answers, field.key))
      return isFactor(field) ? words : `${field.label} ${words}`
    })
}

/** relative distance between estimate and comparables from which it needs a reason */
const MIN_GAP = 0.05
/** log effects below this, on average over the comparables, are no reason */
const MIN_REASON = 0.02

/**
 * Why the estimate departs from the median price of the comparables: what is better and what is worse in this account by
 * the formula, on average over them, greatest effect first. Undefined where the two are close.
 * @param unanswered labels of fields without an answer: what counts as none for want of one is not weaker
 */
export function priceGap(
  shown: readonly ComparableWithDifferences[],
  predictFen: number,
  unanswered: ReadonlySet<string> = new Set(),
): PriceGap | undefined {
  if (shown.length === 0) return undefined
  const medianFen = toFen(
    quantile(
      shown.map(({ comparable }) => comparable.priceFen),
      0.5,
    ),
  )
  if (Math.abs(predictFen / medianFen - 1) < MIN_GAP) return undefined
  const effects = new Map<string, number>()
  for (const { label, effect } of shown.flatMap(({ differences: all }) => all))
    effects.set(label, (effects.get(label) ?? 0) - effect / shown.length)
  // neither is a property of the account; where one of them explains the difference better, the account does not
  const outside = (effects.get(ASKING) ?? 0) + (effects.get(MARKET) ?? 0)
  effects.delete(ASKING)
  effects.delete(MARKET)
  const reasons = [...effects]
    .filter(([, effect]) => Math.abs(effect) >= MIN_REASON)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
  const labels = (sign: number) => {
    const found = reasons.filter(([, effect]) => effect * sign > 0)
    const explained = found.reduce((sum, [, effect]) => sum + effect * sign, 0)
    return explained < outside * sign
      ? []
      : found.slice(0, MAX_WORDS).map(([label]) => (unanswered.has(label) ? `${label}（未填）` : label))
  }
  return { medianFen, better: labels(1), worse: labels(-1) }
}

/** A difference of the comparable from the account. */
interface Difference {
  /** name of the field */
  label: string
  words: string
  /** what it adds to the comparable's price (log) */
  effect: number
}

/**
 * The differences with the greatest effect on the price. Where those all point the other way than the adjustment, the
 * greatest one in its direction takes the last place: otherwise a price that was raised would stand beside advantages only.
 */
export function mostTelling(all: readonly Pick<Difference, 'words' | 'effect'>[]): string[] {
  const sorted = [...all].sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
  const total = sum(all.map(({ effect }) => effect))
  const agrees = ({ effect }: Pick<Difference, 'effect'>) => effect * total > 0
  const shown = sorted.slice(0, MAX_WORDS)
  const reason = shown.some(agrees) ? undefined : sorted.find(agrees)
  return (reason ? [...shown.slice(0, MAX_WORDS - 1), reason] : shown).map(({ words }) => words)
}

const MARKET = '当前行情'
const ASKING = '挂牌价'

/** log effects below this are not worth a word when no answer differs */
const MIN_CIRCUMSTANCE = 0.01

/** Why an account with the same answers had another price: the market since then, and that an asking price is no sale. */
function circumstances(kind: Comparable['kind'], marketChange: number, askingPremium: number): Difference[] {
  const event = kind === 'ASKING' ? '挂牌' : '成交'
  return [
    {
      label: MARKET,
      words: `${event}后行情${marketChange > 0 ? '涨' : '跌'}${percentOfLog(marketChange, 0)}`,
      effect: -marketChange,
    },
    {
      label: ASKING,
      words: `挂牌价通常比成交${askingPremium > 0 ? '高' : '低'}${percentOfLog(askingPremium, 0)}`,
      effect: askingPremium,
    },
  ].filter(({ effect }) => Math.abs(effect) >= MIN_CIRCUMSTANCE)
}

/** What the answers of the comparable change in its price, in words. */
function differences({ hedonic }: Model, config: FormConfig, mine: Side, theirs: Side): Difference[] {
  const places = new Map(hedonic.fields.map((code, i) => [code.key, i]))
  return config.fields
    .filter((field) => isPriced(field) || isFactor(field))
    .flatMap((field) => {
      const place = places.get(field.key)
      const effect =
        place === undefined ? factorEffect(field, mine, theirs) : fieldEffect(hedonic.power, place, mine, theirs)
      const code = place === undefined ? undefined : hedonic.fields[place]
      const [own, other] = [answerOf(mine.answers, field.key), answerOf(theirs.answers, field.key)]
      const words = differenceIn(config, field, own, other, { code, effect })
      return words === undefined ? [] : [{ label: field.label, words, effect }]
    })
}

function fieldEffect(power: number, place: number, { value: mine }: Side, { value: theirs }: Side): number {
  const added = (theirs.contributions[place] ?? 0) - (mine.contributions[place] ?? 0)
  const interaction = (theirs.interactions[place] ?? 0) - (mine.interactions[place] ?? 0)
  return (power * added) / Math.max(mine.index, theirs.index) + interaction
}

function factorEffect({ key }: Field, mine: Side, theirs: Side): number {
  const effectIn = ({ value }: Side) => value.factors.find((factor) => factor.key === key)?.effect ?? 0
  return effectIn(theirs) - effectIn(mine)
}

interface Worth {
  /** the field in the formula; absent for factors and fields the model does not know */
  code: FieldCode | undefined
  /** of the whole field (log) */
  effect: number
}

function differenceIn(
  config: FormConfig,
  field: Field,
  mine: Answer | undefined,
  theirs: Answer | undefined,
  worth: Worth,
): string | undefined {
  if (theirs === undefined) return mine === undefined ? undefined : `${field.label}未注明`
  if (typeof theirs === 'number') {
    if (typeof mine !== 'number' || mine === theirs) return undefined
    const step = Math.round(Math.abs(theirs - mine) * 10) / 10
    return `${field.label}${theirs > mine ? '多' : '少'}${step}${field.unit ?? ''}`
  }
  if (isList(field)) return listDifference(config, field, mine, theirs, worth)
  const words = labelOf(config, field, theirs)
  if (words === labelOf(config, field, mine)) return undefined
  // “可二次实名”, “安卓微信” are clear without the field's name, unlike a level
  return isFactor(field) && theirs !== 'unknown' ? words : `${field.label}${words}`
}

/** What the comparable has more, or lacks, whichever decides its price; the dearest item by name. */
function listDifference(
  config: FormConfig,
  field: Field,
  mine: Answer | undefined,
  theirs: Answer,
  { code, effect }: Worth,
): string | undefined {
  const [own, other] = [new Set(namesIn(mine)), new Set(namesIn(theirs))]
  const name = (v: string) => optionsOf(config, field).find((option) => option.v === v)?.t ?? v
  const more = [...other].filter((v) => !own.has(v))
  const less = [...own].filter((v) => !other.has(v))
  if (more.length === 0 && less.length === 0) return undefined
  const lacks = less.length > 0 && (more.length === 0 || effect < 0)
  const [sign, list] = lacks ? ['少', less] : ['多', more]
  const weightOf = (v: string) =>
    code?.kind === 'list' ? (code.weights[indexByWord(code.items).get(v) ?? code.items.length] ?? 0) : 0
  const dearest = list.reduce((best, v) => (weightOf(v) > weightOf(best) ? v : best))
  return list.length === 1 ? `${sign}${name(dearest)}` : `${sign}${name(dearest)}等${list.length}个`
}
