/** Why two valuations of one account differ: signed lines that add up to the difference to the fen. */
import type { Answers } from '@/contract/form/types'
import { COMPARABLES_LABEL, MARKET_LABEL } from '../../engine/explain'
import { sum, toFen } from '../../engine/numbers'
import type { BreakdownLine } from '../../engine/types'

/** The part of a valuation that a report stores; `breakdown` adds up to the price. */
export interface Before {
  answers: Answers
  breakdown: readonly BreakdownLine[]
  model: { version: string }
}

export interface Change {
  /** the market moved · the model or its sales changed · the account's answers changed */
  type: 'MARKET' | 'MODEL' | 'FACTS'
  label: string
  amountFen: number
}

const UPDATE = { type: 'MODEL', label: '模型更新' } as const
const DEPENDENT = { type: 'FACTS', label: '随之变化的其他项目' } as const
const PASSAGE_OF_TIME = { type: 'MARKET', label: '可比账号随时间变化' } as const

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * Lines without a difference are left out; the others add up to `after` − `before`. Whatever depends on a changed
 * answer is FACTS. If the model is the same, only answers and time can change a price, so the rest is FACTS or MARKET
 * too.
 */
export function whyChanged(before: Before, after: Before): Change[] {
  const amounts = new Map<string, Change & { amountFen: number }>()
  const add = (type: Change['type'], label: string, amountFen: number) => {
    const change = amounts.get(`${type}${label}`) ?? { type, label, amountFen: 0 }
    change.amountFen += amountFen
    amounts.set(`${type}${label}`, change)
  }
  const sameModel = before.model.version === after.model.version
  const keys = new Set([...Object.keys(before.answers), ...Object.keys(after.answers)])
  const changed = new Set([...keys].filter((key) => !same(before.answers[key], after.answers[key])))
  const addLine = (line: BreakdownLine, sign: 1 | -1, name: string) => {
    const amount = sign * line.amountFen
    if (line.key !== undefined && changed.has(line.key)) add('FACTS', name, amount)
    else if (!sameModel) add('MODEL', line.label === COMPARABLES_LABEL ? '可比账号更新' : UPDATE.label, amount)
    else if (changed.size > 0) add('FACTS', DEPENDENT.label, amount)
    else add('MARKET', PASSAGE_OF_TIME.label, amount)
  }
  const name = namesOf(before.breakdown, after.breakdown)
  for (const line of before.breakdown) addLine(line, -1, name(line))
  for (const line of after.breakdown) addLine(line, 1, name(line))
  // the market's share is the change of its rate on the previous value; the rest follows from the account
  const market = marketMove(before.breakdown, after.breakdown)
  const rest = sameModel ? (changed.size > 0 ? DEPENDENT : PASSAGE_OF_TIME) : UPDATE
  add('MARKET', '行情变化', market)
  add(rest.type, rest.label, -market)
  return [...amounts.values()]
    .filter(({ amountFen }) => amountFen !== 0)
    .sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))
}

function marketMove(before: readonly BreakdownLine[], after: readonly BreakdownLine[]): number {
  const [from, to] = [marketOf(before), marketOf(after)]
  const move = toFen(from.value * (to.rate - from.rate))
  // rates come from amounts in whole fen: smaller changes are rounding
  return Math.abs(move) <= 1 + from.value / Math.max(1, to.value) ? 0 : move
}

function marketOf(lines: readonly BreakdownLine[]): { value: number; rate: number } {
  const index = lines.findIndex(({ label }) => label === MARKET_LABEL)
  const comparables = lines.findIndex(({ label }) => label === COMPARABLES_LABEL)
  const end = index >= 0 ? index : comparables >= 0 ? comparables : lines.length
  const value = sum(lines.slice(0, end).map(({ amountFen }) => amountFen))
  return { value, rate: (lines[index]?.amountFen ?? 0) / Math.max(1, value) }
}

/** `稀有皮肤 ×3 → ×5`: both labels of the field with its name once, or the only label. */
function namesOf(before: readonly BreakdownLine[], after: readonly BreakdownLine[]) {
  const labels = new Map<string, string[]>()
  for (const { key, label } of [...before, ...after]) if (key) labels.set(key, [...(labels.get(key) ?? []), label])
  return ({ key, label }: BreakdownLine): string => {
    const [first = label, ...others] = new Set(labels.get(key ?? '') ?? [label])
    const name = first.slice(0, first.lastIndexOf(' ') + 1)
    return [first, ...others.map((other) => (other.startsWith(name) ? other.slice(name.length) : other))].join(' → ')
  }
}
