/**
 * `npm run model:synthetic -- [--n=300] [--seed=1] [--game=ID]`: how close the engine comes to the
 * irreducible error, on generated sales. Trains on the first `n` and prices others; prints a Markdown table. Needs no
 * database.
 * `-- --seeds=20 [--n=300] [--game=ID]`: how often ranges contain the price paid, also by quarter of the estimated price;
 * the mean over markets of that many seeds.
 * `-- --hidden [--n=2000] [--seed=1] [--game=ID]`: complete accounts whose answers are hidden: how the price, its range and
 * what one hidden answer gains change.
 * `-- --halved [--seed=1] [--game=ID]`: how many days it takes to follow a market of 2,000 sales that halves overnight.
 */
import type { FormConfig } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import { argumentsOf, flag, runMain, text } from '../cli/command'
import { percent, tableOf } from '../cli/tables'
import { StartError } from '../core/start-error'
import { isPriced } from '../engine/encode'
import { fnv1a, mean, quantile, share } from '../engine/numbers'
import { train } from '../engine/train'
import { FORMAT } from '../engine/types'
import { priceOfRecord, priceRange } from '../engine/valuate'
import { shippedConfigs } from '../fixtures/seed'
import { generateSales } from '../fixtures/synthetic/generate'
import { coverageOf, type Priced } from './coverage'
import { halvedMarket } from './halved-market'
import { irreducibleError } from './irreducible-error'
import { recovery } from './recovery'

const USAGE =
  '用法：npm run model:synthetic -- [--n=300] [--seed=1] [--game=游戏ID]，或 -- --seeds=20 [--n=300] [--game=游戏ID]，或 -- --hidden [--n=300] [--seed=1] [--game=游戏ID]，或 -- --halved [--seed=1] [--game=游戏ID]'
/** sales before the test set, independent of `n`, so that every size is tested on the same sales; and their total */
const MAX_LEARNED = 2_600
const ALL = 6_600
/** fixed, so that the table is reproducible */
const UNTIL = Date.UTC(2026, 10, 20)

interface Given {
  n: number
  seed: number
  /** number of seeds, 0 unless given */
  seeds: number
  configs: FormConfig[]
  hidden: boolean
  halved: boolean
}

const options = {
  n: text('300'),
  seed: text('1'),
  seeds: text('0'),
  game: text(''),

  ...{ hidden: flag, halved: flag },
}

function parse(): Given {
  const given = argumentsOf(USAGE, options).values
  const [n, seed, seeds] = [Number(given.n), Number(given.seed), Number(given.seeds)]
  const configs = shippedConfigs().filter(({ gameId }) => given.game === '' || given.game === gameId)
  const isValid = n >= 1 && n <= MAX_LEARNED && Number.isInteger(seed) && Number.isInteger(seeds)
  if (!isValid || configs.length === 0) throw new StartError(USAGE)
  return { n, seed, seeds, configs, hidden: given.hidden, halved: given.halved }
}

/** Learns from the first `n` generated sales and prices the later ones that were sold. */
function pricesOf(config: FormConfig, n: number, seed: number): Priced[] {
  const sales = [...generateSales(config, { n: ALL, seed, until: UNTIL })].map((sale) => ({
    ...sale,
    id: sale.externalId,
  }))
  const model = train(config, sales.slice(0, n), { now: UNTIL })
  const later = sales.slice(MAX_LEARNED).filter(({ kind }) => kind === 'SOLD')
  return later.flatMap(({ attributes, priceFen, at }) => {
    const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
    return price ? [{ ...price, paidFen: priceFen }] : []
  })
}

function measure(config: FormConfig, n: number, seed: number) {
  const priced = pricesOf(config, n, seed)
  const middle = (pick: (sale: Priced) => number) => quantile(priced.map(pick), 0.5)
  const error = middle(({ predictFen, paidFen }) => Math.abs(predictFen / paidFen - 1))
  const limit = irreducibleError(config, { n: ALL, seed, until: UNTIL }, (_, place) => place >= MAX_LEARNED).medianError
  const width = middle(({ highFen, lowFen, predictFen }) => (highFen - lowFen) / predictFen)
  return { n: priced.length, error, limit, ratio: error / limit, coverage: coverageOf(priced).coverage, width }
}

function printAccuracy({ n, seed, configs }: Given): void {
  const rows = configs.map((config) => {
    const { error, limit, ratio, coverage, width, n: tested } = measure(config, n, seed)
    return [config.name, tested, percent(error), percent(limit), ratio.toFixed(2), percent(coverage), percent(width)]
  })
  console.log(`学习 ${n} 条生成的记录（种子 ${seed}），${new Date().toISOString().slice(0, 10)}，模型格式 ${FORMAT}\n`)
  console.log(tableOf(['游戏', '检验', '误差中位数', '不可约误差', '倍数', '区间覆盖', '区间宽度'], rows))
}

/** Reports each game on stderr as soon as it is measured: all of them take long. */
function printCoverage({ n, seeds, configs }: Given): void {
  const all = Array.from({ length: seeds }, (_, k) => k + 1)
  const lines = configs.map((config) => {
    const runs = all.map((seed) => coverageOf(pricesOf(config, n, seed)))
    const shares = [
      runs.map(({ coverage }) => coverage),
      ...[0, 1, 2, 3].map((k) => runs.map((run) => run.quarters[k] ?? 0)),
    ]
    const line = [config.name, ...shares.map((values) => percent(mean(values)))]
    console.error(line.join(' '))
    return line
  })
  console.log(
    `学习 ${n} 条生成的记录，${seeds} 个种子的平均，${new Date().toISOString().slice(0, 10)}，模型格式 ${FORMAT}\n`,
  )
  console.log(tableOf(['游戏', '区间覆盖', '估价最低的四分之一', '第二', '第三', '最高'], lines))
}

async function printRecovery({ seed, configs }: Given): Promise<void> {
  const rows: (string | number)[][] = []
  for (const config of configs) {
    const { sales, shock } = halvedMarket(config, UNTIL, seed)
    const { before, after, recovered } = await recovery(config, sales, shock)
    rows.push([config.name, percent(before), after.map(percent).join(' / '), recovered ? after.length : '–'])
  }
  console.log(`一夜减半的行情（种子 ${seed}）：之后每天重新训练，误差中位数\n`)
  console.log(tableOf(['游戏', '之前', '之后第 1、2… 天', '回到 1.2 倍以内的天数'], rows))
}

/** complete accounts that are tested, and a gain by hiding an answer that is tolerated */
const MAX_COMPLETE = 1_500
const TOLERATED_GAIN = 1.05

/** Prices of complete accounts when some of their optional answers are hidden. */
function hiddenLine(config: FormConfig, n: number, seed: number): (string | number)[] {
  const sales = [...generateSales(config, { n: ALL, seed, until: UNTIL })].map((sale) => ({
    ...sale,
    id: sale.externalId,
  }))
  const model = train(config, sales.slice(0, n), { now: UNTIL })
  const priced = config.fields.filter(isPriced).map(({ key }) => key)
  const optional = config.fields.filter((field) => isPriced(field) && !isRequired(field, 'AI')).map(({ key }) => key)
  const isComplete = ({ kind, attributes }: (typeof sales)[number]) =>
    kind === 'SOLD' && priced.every((key) => attributes[key] !== undefined)
  const tested = sales.slice(MAX_LEARNED).filter(isComplete).slice(0, MAX_COMPLETE)
  const without = (sale: (typeof sales)[number], hidden: readonly string[]): Priced[] => {
    const account = { ...sale.attributes, ...Object.fromEntries(hidden.map((key) => [key, undefined])) }
    const price = priceRange(model, config, account, { now: sale.at, source: 'TYPED' })
    return price ? [{ ...price, paidFen: sale.priceFen }] : []
  }
  const shuffled = (sale: (typeof sales)[number]) =>
    [...optional].sort((a, b) => fnv1a(sale.id + a) - fnv1a(sale.id + b))
  const coverages = [...optional.keys(), optional.length].map(
    (k) => coverageOf(tested.flatMap((sale) => without(sale, shuffled(sale).slice(0, k)))).coverage,
  )
  const least = tested.flatMap((sale) => without(sale, optional))
  const gains = tested.slice(0, 100).flatMap((sale) => {
    const [whole] = without(sale, [])
    return priced.flatMap((key) => without(sale, [key]).map((valued) => valued.predictFen / (whole?.predictFen ?? 1)))
  })
  return [
    ...[config.name, tested.length, (100 * model.conformal.accounts.level).toFixed(0)],
    quantile(
      least.map(({ predictFen, paidFen }) => predictFen / paidFen),
      0.5,
    ).toFixed(2),
    percent(coverageOf(least).coverage),
    `${percent(Math.min(...coverages))}–${percent(Math.max(...coverages))}`,
    percent(share(gains, (gain) => gain <= TOLERATED_GAIN)),
  ]
}

function printHidden({ n, seed, configs }: Given): void {
  const rows = configs.map((config) => hiddenLine(config, n, seed))
  console.log(
    `学习 ${n} 条生成的记录（种子 ${seed}），隐藏完整资料里的答案，${new Date().toISOString().slice(0, 10)}\n`,
  )
  console.log(
    tableOf(
      ['游戏', '账号', '百分位', '只填必填：估价 ÷ 成交', '只填必填：覆盖', '各种未填项数：覆盖', '藏一项涨价 ≤ 5%'],
      rows,
    ),
  )
}

runMain(() => {
  const given = parse()
  if (given.hidden) return printHidden(given)
  if (given.halved) return printRecovery(given)
  if (given.seeds > 0) printCoverage(given)
  else printAccuracy(given)
})
