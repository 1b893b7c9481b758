/** The breakdown of a price: signed lines that add up to it exactly. */
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig, GradedTag, RosterRow } from '@/contract/form/types'
import { count as countText } from '@/contract/format'
import { assumedText } from '@/contract/labels'
import { answerOf, entriesOf, isList, scoreOf } from './encode'
import { columnsOf, featureVector } from './features'
import { applyHedonic, type HedonicValue, hedonicValueOf } from './hedonic'
import { apportion, percentOfLog, sum, toFen } from './numbers'
import { combined } from './stack'
import type { BreakdownLine, BreakdownLineType, Confidence, FieldCode, Model } from './types'

export interface Explained {
  answers: Answers
  /** fields taken at the usual level, and what that adds to the index for each */
  assumed: Confidence['assumed']
  usual: readonly number[]
  /** current log market level, relative to its average over the sales */
  market: number
  comparableCount: number
  predictFen: number
  /** the price with open fields counted as nothing */
  leastFen: number
  outOfRange: 'above' | 'below' | undefined
}

const BASE_LABEL = '账号起步价'
export const MARKET_LABEL = '近期行情'
export const COMPARABLES_LABEL = '可比账号修正'

const OUT_OF_RANGE_WHY = {
  above: '资料超出已有成交的范围，超出的部分不计价',
  below: '资料低于已有成交的范围，按范围内的最低水平补足',
} as const

/** a number field with at least this maximum is a spendable resource, not a count of items */
const RESOURCE_FROM = 9_999

/**
 * The amount that each field adds to an empty account (see `shapleyContributions`), then each multiplier as the fen it adds to or takes from the
 * running total, rounded half up. The comparables' line makes up
 * the difference to `leastFen`, and what is assumed of open fields comes last.
 */
export function explain(model: Model, config: FormConfig, input: Explained): BreakdownLine[] {
  const { fields } = model.hedonic
  const hedonicValue = applyHedonic(model.hedonic, input.answers, 'worst')
  const { base, added, effects } = shapleyContributions(model, hedonicValue, input.answers)
  const value = toFen(base + sum(added))
  const [baseFen = 0, ...amounts] = apportion([base, ...added], value)
  const lines: BreakdownLine[] = [line('BASE', BASE_LABEL, baseFen, '没有下列资产的账号也能卖到的价')]
  for (const [i, code] of fields.entries()) {
    const field = config.fields.find(({ key }) => key === code.key)
    const amount = amounts[i] ?? 0
    if (field && amount !== 0) lines.push(fieldLine(model, config, field, code, input, amount))
  }
  let running = sum(lines.map(({ amountFen }) => amountFen))
  if (running !== value) lines[0] = { ...(lines[0] as BreakdownLine), amountFen: baseFen + value - running }
  running = value
  for (const [i, factor] of hedonicValue.factors.entries()) {
    const effect = effects[i] ?? 0
    const next = toFen(running * Math.exp(effect))
    const field = config.fields.find(({ key }) => key === factor.key)
    if (field && next !== running) lines.push(factorLine(config, field, input.answers, effect, next - running))
    running = next
  }
  const marketWhy = `当前行情比近一年平均${input.market > 0 ? '高' : '低'} ${percentOfLog(input.market)}`
  const withMarket = toFen(running * Math.exp(input.market))
  if (withMarket !== running) lines.push(line('MARKET', MARKET_LABEL, withMarket - running, marketWhy))
  const remainder = input.leastFen - withMarket
  if (remainder !== 0) lines.push(line('MARKET', COMPARABLES_LABEL, remainder, remainderWhy(model, input, remainder)))
  const assumedFen = input.predictFen - input.leastFen
  return assumedFen > 0 ? [...lines, assumedLine(input, assumedFen)] : lines
}

/** What is assumed of the open fields, by field in proportion to what the usual answers add. */
function assumedLine({ assumed, usual }: Explained, amountFen: number): BreakdownLine {
  const whole = sum(usual)
  const shares = apportion(
    usual.map((part) => (whole > 0 ? (amountFen * part) / whole : amountFen / usual.length)),
    amountFen,
  )
  const items = assumed.map(({ label }, k) => ({ name: label, amountFen: shares[k] ?? 0 }))
  return { ...line('ASSUMED', assumedText(assumed.length), amountFen, ASSUMED_WHY), items }
}

const ASSUMED_WHY = '没有填的按资料相近的账号计'

/** Without the formula comparables have no part in a price; what remains then is the median error on unseen sales. */
function remainderWhy({ stack }: Model, { outOfRange, comparableCount }: Explained, remainder: number): string {
  if (outOfRange) return OUT_OF_RANGE_WHY[outOfRange]
  const known = stack.treeWeight < 1 ? `和 ${comparableCount} 个相近账号的实际价格` : '（含模型没有学过的）'
  return `综合全部成交${known}，比前面各项之和${remainder > 0 ? '高，因此上调' : '低，因此下调'}`
}

const line = (type: BreakdownLineType, label: string, amountFen: number, why: string): BreakdownLine => ({
  type,
  label,
  amountFen,
  why,
  items: [],
})

function factorLine(
  config: FormConfig,
  field: Field,
  answers: Answers,
  effect: number,
  amountFen: number,
): BreakdownLine {
  const plain = (isList(field) ? '没有' : optionsOf(config, field)[0]?.t) ?? '常见情况'
  const answered = labelOf(config, field, answerOf(answers, field.key))
  const why =
    answered === plain
      ? `“${plain}”的价格影响`
      : `同类账号比“${plain}”${effect < 0 ? '低' : '高'} ${percentOfLog(effect)}`
  return { ...line('FACTOR', `${field.label} ${answered}`, amountFen, why), key: field.key }
}

function typeOf(field: Field): BreakdownLineType {
  if (field.role === 'value-') return 'PROGRESS'
  const stock = (field.type === 'int' || field.type === 'decimal') && (field.rules.max ?? 0) >= RESOURCE_FROM
  return stock ? 'RESOURCE' : 'ASSET'
}

function fieldLine(
  model: Model,
  config: FormConfig,
  field: Field,
  code: FieldCode,
  given: Explained,
  amountFen: number,
): BreakdownLine {
  const type = typeOf(field)
  const answer = answerOf(given.answers, field.key)
  const counted = type === 'ASSET' && (code.kind === 'list' || field.type === 'int')
  const count = Array.isArray(answer) ? answer.length : Number(answer)
  const label = counted ? `${field.label} ×${count}` : `${field.label} ${labelOf(config, field, answer)}`
  return {
    type,
    key: field.key,
    label,
    amountFen,
    why: `参考 ${countText(model.soldN)} 笔成交`,
    items: code.kind === 'list' ? itemAmounts(config, field, code, given.answers, amountFen) : [],
  }
}

/** Splits the line's fen among its items in proportion to their scores, equally if all are 0. */
function itemAmounts(
  config: FormConfig,
  field: Field,
  code: FieldCode,
  answers: Answers,
  amountFen: number,
): BreakdownLine['items'] {
  const rows = (answerOf(answers, field.key) ?? []) as (string | GradedTag | RosterRow)[]
  const alone = rows.map((row) => scoreOf(code, entriesOf(code, [row] as string[])))
  const whole = sum(alone)
  const shares = apportion(
    alone.map((part) => (whole > 0 ? (amountFen * part) / whole : amountFen / rows.length)),
    amountFen,
  )
  return rows
    .map((row, i) => ({ name: labelOf(config, field, [row] as string[]), amountFen: shares[i] ?? 0 }))
    .sort((a, b) => b.amountFen - a.amountFen)
}

/** The most valuable single assets: the named items of each line, or the line itself where it names none. */
export function topItems(lines: readonly BreakdownLine[]): { name: string; amountFen: number }[] {
  const assets = lines.filter(({ type }) => type === 'ASSET' || type === 'RESOURCE')
  return assets
    .flatMap(({ label, amountFen, items }) => (items.length > 0 ? items : [{ name: label, amountFen }]))
    .filter(({ amountFen }) => amountFen > 0)
    .sort((a, b) => b.amountFen - a.amountFen)
    .slice(0, 5)
}

interface Contributions {
  /** unrounded fen without market and comparables: of the empty account, and what each field adds */
  base: number
  added: number[]
  /** log effect of each multiplier on the price, in the order of the formula's factors */
  effects: number[]
}

/**
 * Contribution of each field to the price of an account: starting from an empty one, its answers are filled in one by one, in
 * the order of the form and in reverse, and the two differences averaged. This is the Shapley value over two orders
 * instead of all, which would need 2^n prices: the contributions add up exactly, a field that never lowers the price never has
 * a negative one, and effects of single fields and of pairs get their exact Shapley values (antithetic sampling).
 * @param hedonicValue of the account, with missing answers as `worst`
 */
function shapleyContributions({ hedonic, stack }: Model, hedonicValue: HedonicValue, answers: Answers): Contributions {
  const { fields, factors } = hedonic
  const whole = featureVector(hedonic, answers, 'worst')
  const columns = columnsOf(hedonic)
  // fields first, then multipliers; one that is not filled in yet counts as nothing, a multiplier as unknown
  const point = { x: whole.x.slice(), unanswered: whole.unanswered.slice() }
  const isFilled = new Uint8Array(fields.length + factors.length)
  const set = (player: number, filled: boolean): void => {
    isFilled[player] = filled ? 1 : 0
    const { first, count } = columns[player] ?? { first: 0, count: 0 }
    for (let f = first; f < first + count; f++) {
      point.x[f] = filled ? (whole.x[f] ?? Number.NaN) : Number.NaN
      point.unanswered[f] = filled ? (whole.unanswered[f] ?? 0) : player < fields.length ? 1 : 0
    }
  }
  const logNow = (): number => {
    const ifFilled = (value: number, player: number) => (isFilled[player] === 1 ? value : 0)
    const { logValue } = hedonicValueOf(hedonic, {
      contributions: hedonicValue.contributions.map(ifFilled),
      interactions: hedonicValue.interactions.map(ifFilled),
      factors: hedonicValue.factors.map((factor, k) => ({
        ...factor,
        effect: ifFilled(factor.effect, fields.length + k),
      })),
    })
    return combined(stack, logValue, logValue, point)
  }
  const steps = (players: readonly number[], scaleOf: (log: number) => number): Map<number, number> => {
    let before = scaleOf(logNow())
    return new Map(
      players.map((player) => {
        set(player, true)
        const after = scaleOf(logNow())
        const step = after - before
        before = after
        return [player, step]
      }),
    )
  }
  const both = (players: readonly number[], scaleOf: (log: number) => number): number[] => {
    const forwards = steps(players, scaleOf)
    for (const player of players) set(player, false)
    const backwards = steps([...players].reverse(), scaleOf)
    return players.map((player) => ((forwards.get(player) ?? 0) + (backwards.get(player) ?? 0)) / 2)
  }
  const all = [...isFilled.keys()]
  for (const player of all) set(player, false)
  const nothing = Math.exp(logNow())
  const added = both(all.slice(0, fields.length), Math.exp).map((step) => Math.max(0, step))
  const effects = both(all.slice(fields.length), (log) => log)
  return { base: nothing, added, effects }
}
