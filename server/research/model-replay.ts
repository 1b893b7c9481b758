/**
 * `npm run model:replay -- [--game=ID] [--seed=1] [--perMonth=100]`: replays a year in which a game that ships with
 * generated sales collects others. They come from another invented market, where names and options are worth something
 * else, so the shipped ones are as wrong about it as they may be about the real one. Each month is priced by a model of
 * what was known when it began, chosen and weighted as in production. Prints a Markdown table, needs no database.
 */
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { argumentsOf, runMain, text } from '../cli/command'
import { percent, tableOf } from '../cli/tables'
import { fitOn } from '../domains/models/drift'
import { saleWeights, type TraceableSale } from '../domains/models/sale-weights'
import { MIN_REAL } from '../domains/models/training-sales'
import { share } from '../engine/numbers'
import { train } from '../engine/train'
import { generateSales } from '../fixtures/synthetic/generate'
import { shippedConfigs } from '../seed'
import { StartError } from '../start-error'

const USAGE = '用法：npm run model:replay -- [--game=游戏ID] [--seed=1] [--perMonth=100]'
/** fixed, so that the table is reproducible */
const START = Date.UTC(2025, 10, 20)
const MONTHS = 12
const MONTH = (365 * DAY_MS) / MONTHS
/** as a game ships */
const SHIPPED = 600
/** the world of the sales that come in */
const OTHER_WORLD = 1000

function parse() {
  const given = argumentsOf(USAGE, { game: text(''), seed: text('1'), perMonth: text('100') }).values
  const [seed, perMonth] = [Number(given.seed), Number(given.perMonth)]
  const configs = shippedConfigs().filter(({ gameId }) => given.game === '' || given.game === gameId)
  if (!Number.isInteger(seed) || !(perMonth >= 1 && perMonth <= 1000) || configs.length === 0)
    throw new StartError(USAGE)
  return { configs, seed, perMonth }
}

function salesOf(config: FormConfig, options: { n: number; seed: number; until: number }, synthetic: boolean) {
  return [...generateSales(config, options)].map(
    (sale): TraceableSale => ({ ...sale, id: sale.externalId, channel: 'IMPORT', synthetic }),
  )
}

function replay(config: FormConfig, seed: number, perMonth: number): void {
  const shipped = salesOf(config, { n: SHIPPED, seed, until: START }, true)
  const year = { n: perMonth * MONTHS, seed: seed + OTHER_WORLD, until: START + MONTHS * MONTH }
  const real = salesOf(config, year, false)
  const rows: (string | number)[][] = []
  for (let month = 0; month < MONTHS; month += 1) {
    const [now, until] = [START + month * MONTH, START + (month + 1) * MONTH]
    const past = real.filter(({ at }) => at <= now)
    const isEnough = past.filter(({ kind }) => kind === 'SOLD').length >= MIN_REAL
    const training = isEnough ? past : [...past, ...shipped]
    const weights = saleWeights(config, training)
    const weighted = training.map(({ channel: _, synthetic: __, ...sale }, i) => ({ ...sale, weight: weights[i] ?? 1 }))
    const model = train(config, weighted, { now })
    const next = real.filter(({ at, kind }) => at > now && at <= until && kind === 'SOLD')
    const { n, medianError, coverage } = fitOn(model, config, next)
    const generated = percent(share(training, ({ synthetic }) => synthetic))
    rows.push([month + 1, past.length, generated, n, percent(medianError), percent(coverage)])
  }
  console.log(`${config.name}（种子 ${seed}，每月 ${perMonth} 条）\n`)
  console.log(tableOf(['第几个月', '已有真实成交', '合成占比', '检验', '误差中位数', '区间覆盖'], rows))
}

runMain(() => {
  const { configs, seed, perMonth } = parse()
  for (const config of configs) replay(config, seed, perMonth)
})
