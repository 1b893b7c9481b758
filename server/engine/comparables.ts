/**
 * Comparables shown with a price: the most similar sales, each adjusted to this account, with the differences in words.
 */
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { answerOf, isFactor, isList, isPriced } from './encode'
import { effectOf, marketAt } from './hedonic'
import { toFen } from './numbers'
import { type Distances, MIN_COMPARABLES, nearestSales, type PackedSales, packStored } from './similarity'
import { similarity } from './similarity-scale'
import type { Comparable, Model, StoredSale } from './types'

export interface UsableSale {
  sale: StoredSale
  distance: number
}

const MAX_SHOWN = 8
const MAX_WORDS = 3

const packs = new WeakMap<Model, PackedSales>()

/** The model's sales in packed form, cached per model. */
export function packedSales(model: Model): PackedSales {
  const known = packs.get(model)
  if (known) return known
  const made = packStored(model.hedonic, model.sales)
  packs.set(model, made)
  return made
}

/** Indices of the sales with these ids. */
export function indicesOf(model: Model, ids: readonly string[]): ReadonlySet<number> {
  if (ids.length === 0) return new Set()
  const wanted = new Set(ids)
  return new Set(model.sales.flatMap(({ id }, i) => (wanted.has(id) ? [i] : [])))
}

/** Comparable sales, nearest first. */
export function usableSales(model: Model, distances: Distances): UsableSale[] {
  return nearestSales(distances, MIN_COMPARABLES).flatMap(({ i, d }) => {
    const sale = model.sales[i]
    return sale ? [{ sale, distance: d }] : []
  })
}

/** Comparables with the price each would fetch if it had this account's assets and were sold now. */
export function showComparables(
  model: Model,
  config: FormConfig,
  account: Answers,
  logValue: number,
  predictFen: number,
  usable: readonly UsableSale[],
  now: number,
): Comparable[] {
  const { hedonic } = model
  return usable.slice(0, MAX_SHOWN).map(({ sale, distance: d }) => {
    const askingPremium = sale.kind === 'ASKING' ? hedonic.ask : 0
    const own = sale.logValue + marketAt(hedonic.market, sale.at) + askingPremium
    const adjusted = sale.priceFen * Math.exp(logValue + marketAt(hedonic.market, now) - own)
    return {
      id: sale.id,
      kind: sale.kind,
      priceFen: sale.priceFen,
      adjFen: toFen(adjusted),
      at: sale.at,
      similarity: Math.round(100 * similarity(model.similarity, d, Math.log(adjusted / predictFen))) / 100,
      diff: differences(model, config, account, sale),
    }
  })
}

/** Differences of the comparable from the account, those with the greatest effect on the price first. */
function differences(model: Model, config: FormConfig, account: Answers, sale: StoredSale): string[] {
  const costs = new Map(model.hedonic.fields.map((code, i) => [code.key, i]))
  const found = config.fields
    .filter((field) => isPriced(field) || isFactor(field))
    .flatMap((field) => {
      const words = differenceIn(config, field, answerOf(account, field.key), answerOf(sale.attributes, field.key))
      return words === undefined ? [] : [{ words, weight: weightOf(model, field, costs.get(field.key), account, sale) }]
    })
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_WORDS)
    .map(({ words }) => words)
}

function weightOf(model: Model, field: Field, place: number | undefined, account: Answers, sale: StoredSale): number {
  if (place !== undefined) return model.hedonic.fields[place]?.mean ?? 0
  const factor = model.hedonic.factors.find(({ key }) => key === field.key)
  const effect = (answers: Answers) => (factor ? effectOf(factor, answerOf(answers, field.key), 'worst') : 0)
  return Math.abs(effect(account) - effect(sale.attributes))
}

function differenceIn(
  config: FormConfig,
  field: Field,
  mine: Answer | undefined,
  theirs: Answer | undefined,
): string | undefined {
  if (theirs === undefined) return undefined
  if (typeof theirs === 'number') {
    if (typeof mine !== 'number' || mine === theirs) return undefined
    const step = Math.round(Math.abs(theirs - mine) * 10) / 10
    return `${field.label}${theirs > mine ? '多' : '少'}${step}${field.unit ?? ''}`
  }
  if (isList(field)) return listDifference(config, field, mine, theirs)
  const words = labelOf(config, field, theirs)
  if (words === labelOf(config, field, mine)) return undefined
  // “可二次实名”, “安卓微信” are clear without the field's name, unlike a level
  return isFactor(field) && theirs !== 'unknown' ? words : `${field.label}${words}`
}

function listDifference(
  config: FormConfig,
  field: Field,
  mine: Answer | undefined,
  theirs: Answer,
): string | undefined {
  const ids = (answer: Answer | undefined) =>
    new Set(Array.isArray(answer) ? answer.map((row) => (typeof row === 'string' ? row : row.v)) : [])
  const own = ids(mine)
  const other = ids(theirs)
  const name = (v: string) => optionsOf(config, field).find((option) => option.v === v)?.t ?? v
  const more = [...other].filter((v) => !own.has(v))
  const less = [...own].filter((v) => !other.has(v))
  if (more.length === 0 && less.length === 0) return undefined
  const [sign, list] = more.length >= less.length ? ['多', more] : ['少', less]
  const first = name(list[0] ?? '')
  return list.length === 1 ? `${sign}${first}` : `${sign}${first}等${list.length}个`
}
