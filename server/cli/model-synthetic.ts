/**
 * `npm run model:synthetic -- [--n=300] [--seed=1] [--game=ID] [--without=PART]`: how close the engine comes to the
 * irreducible error, on generated sales. Trains on the first `n` and prices others; prints a Markdown table. Needs no
 * database.
 * `-- --halved [--seed=1] [--game=ID]`: how many days it takes to follow a market of 2,000 sales that halves overnight.
 */
import type { FormConfig } from '@/contract/form/types'
import { recovery } from '../engine/backtest'
import { quantile, sum } from '../engine/numbers'
import { train } from '../engine/train'
import { FORMAT, type Omitted, PARTS, type Valued } from '../engine/types'
import { priceOfRecord } from '../engine/valuate'
import { generateSales, halvedMarket } from '../fixtures/synthetic/generate'
import { irreducibleError } from '../fixtures/synthetic/irreducible-error'
import { shippedConfigs } from '../seed'
import { reasonOf, StartError } from '../start-error'
import { percent, tableOf } from './tables'

const USAGE =
  '用法：npm run model:synthetic -- [--n=300] [--seed=1] [--game=游戏ID] [--without=部分]，或 -- --halved [--seed=1] [--game=游戏ID]'
/** sales before the test set, independent of `n`, so that every size is tested on the same sales; and their total */
const MAX_LEARNED = 2_600
const ALL = 6_600
/** fixed, so that the table is reproducible */
const UNTIL = Date.UTC(2026, 10, 20)

interface Given {
  n: number
  seed: number
  configs: FormConfig[]
  omitted: Omitted
  halved: boolean
}

function parse(words: readonly string[]): Given {
  const given = { n: '300', seed: '1', game: '', without: '' }
  for (const word of words.filter((one) => one !== '--halved')) {
    const [, key, value] = /^--(n|seed|game|without)=(\w+)$/.exec(word) ?? []
    if (key === undefined) throw new StartError(USAGE)
    Object.assign(given, { [key]: value })
  }
  const [n, seed] = [Number(given.n), Number(given.seed)]
  const configs = shippedConfigs().filter(({ gameId }) => given.game === '' || given.game === gameId)
  if (!(n >= 1 && n <= MAX_LEARNED) || !Number.isInteger(seed) || configs.length === 0) throw new StartError(USAGE)
  const omitted = new Set(PARTS.filter((part) => part === given.without))
  if (given.without !== '' && omitted.size === 0) throw new StartError(USAGE)
  return { n, seed, configs, omitted, halved: words.includes('--halved') }
}

function measure(config: FormConfig, n: number, seed: number, omitted: Omitted) {
  const options = { n: ALL, seed, until: UNTIL }
  const sales = [...generateSales(config, options)].map((sale) => ({ ...sale, id: sale.externalId }))
  const model = train(config, sales.slice(0, n), { now: UNTIL, omitted })
  const later = sales.slice(MAX_LEARNED).filter(({ kind }) => kind === 'SOLD')
  const priced = later.flatMap(({ attributes, priceFen, at }) => {
    const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
    return price ? [{ priceFen, ...price }] : []
  })
  const middle = (pick: (one: Valued['price'] & { priceFen: number }) => number) => quantile(priced.map(pick), 0.5)
  const error = middle(({ predictFen, priceFen }) => Math.abs(predictFen / priceFen - 1))
  const limit = irreducibleError(config, options, MAX_LEARNED).medianError
  const covered = sum(priced.map(({ lowFen, highFen, priceFen }) => Number(priceFen >= lowFen && priceFen <= highFen)))
  const width = middle(({ highFen, lowFen, predictFen }) => (highFen - lowFen) / predictFen)
  return { n: priced.length, error, limit, ratio: error / limit, coverage: covered / Math.max(1, priced.length), width }
}

function printAccuracy({ n, seed, configs, omitted }: Given): void {
  const rows = configs.map((config) => {
    const { error, limit, ratio, coverage, width, n: tested } = measure(config, n, seed, omitted)
    return [config.name, tested, percent(error), percent(limit), ratio.toFixed(2), percent(coverage), percent(width)]
  })
  console.log(`学习 ${n} 条生成的记录（种子 ${seed}），${new Date().toISOString().slice(0, 10)}，模型格式 ${FORMAT}\n`)
  console.log(tableOf(['游戏', '检验', '误差中位数', '不可约误差', '倍数', '区间覆盖', '区间宽度'], rows))
}

function printRecovery({ seed, configs }: Given): void {
  const rows = configs.map((config) => {
    const { sales, shock } = halvedMarket(config, UNTIL, seed)
    const { before, after, recovered } = recovery(config, sales, shock)
    return [config.name, percent(before), after.map(percent).join(' / '), recovered ? after.length : '–']
  })
  console.log(`一夜减半的行情（种子 ${seed}）：之后每天重新训练，误差中位数\n`)
  console.log(tableOf(['游戏', '之前', '之后第 1、2… 天', '回到 1.2 倍以内的天数'], rows))
}

try {
  const given = parse(process.argv.slice(2))
  if (given.halved) printRecovery(given)
  else printAccuracy(given)
} catch (e) {
  console.error(`✗ ${reasonOf(e)}`)
  process.exitCode = 1
}
