/**
 * `npm run model:replay -- [--game=ID] [--seed=1] [--perMonth=100] [--halved]`: replays a year in which a game that ships with
 * generated sales collects others. They come from another invented market, where names and options are worth something
 * else, so the shipped ones are as wrong about it as they may be about the real one. Each month is priced by a model of
 * what was known when it began, chosen and weighted as in production. With `--halved` all prices halve
 * overnight instead, and each training is judged as in production until a model in use knows the new prices. Prints a Markdown
 * table, needs no database.
 */
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { argumentsOf, flag, runMain, text } from '../cli/command'
import { percent, tableOf } from '../cli/tables'
import { StartError } from '../core/start-error'
import { whyRefused, withheldFrom } from '../domains/models/acceptance'
import { fitOn } from '../domains/models/drift'
import { readModel } from '../domains/models/model-text'
import { isVerified, saleWeights, type TraceableSale } from '../domains/models/sales/sale-weights'
import { MIN_REAL } from '../domains/models/sales/training-sales'
import { share } from '../engine/numbers'
import { train } from '../engine/train'
import { shippedConfigs } from '../fixtures/seed'
import { generateSales } from '../fixtures/synthetic/generate'
import { trainAndJudge } from '../jobs/train-and-test'
import { halvedMarket } from './halved-market'

const USAGE = '用法：npm run model:replay -- [--game=游戏ID] [--seed=1] [--perMonth=100] [--halved]'
/** fixed, so that the table is reproducible */
const START = Date.UTC(2025, 10, 20)
const MONTHS = 12
const MONTH = (365 * DAY_MS) / MONTHS
/** sales with which a game ships */
const SHIPPED = 600
/** the world of the sales that come in */
const OTHER_WORLD = 1000

function parse() {
  const given = argumentsOf(USAGE, { game: text(''), seed: text('1'), perMonth: text('100'), halved: flag }).values
  const [seed, perMonth] = [Number(given.seed), Number(given.perMonth)]
  const configs = shippedConfigs().filter(({ gameId }) => given.game === '' || given.game === gameId)
  if (!Number.isInteger(seed) || !(perMonth >= 1 && perMonth <= 1000) || configs.length === 0)
    throw new StartError(USAGE)
  return { configs, seed, perMonth, halved: given.halved }
}

function salesOf(config: FormConfig, options: { n: number; seed: number; until: number }, synthetic: boolean) {
  return [...generateSales(config, options)].map(
    (sale): TraceableSale => ({ ...sale, id: sale.externalId, channel: 'IMPORT', synthetic }),
  )
}

async function replay(config: FormConfig, seed: number, perMonth: number): Promise<void> {
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
    const { n, medianError, coverage } = await fitOn(model, config, next)
    const generated = percent(share(training, ({ synthetic }) => synthetic))
    rows.push([month + 1, past.length, generated, n, percent(medianError), percent(coverage)])
  }
  console.log(`${config.name}（种子 ${seed}，每月 ${perMonth} 条）\n`)
  console.log(tableOf(['第几个月', '已有真实成交', '合成占比', '检验', '误差中位数', '区间覆盖'], rows))
}

/** new sales after which a game is trained again: as in `jobs/training.ts` */
const trainedAfter = (n: number) => Math.max(20, Math.ceil(0.02 * n))
/** multiple of the error before the fall at which the market counts as known again */
const RECOVERED = 1.25

async function replayFall(config: FormConfig, seed: number, perMonth: number): Promise<void> {
  const { sales, shock } = halvedMarket(config, START, seed, perMonth * MONTHS)
  const line = sales
    .sort((a, b) => a.at - b.at)
    .map((sale, i): TraceableSale => ({ ...sale, id: `${i + 1}`, channel: 'IMPORT', synthetic: false }))
  const first = line.findIndex(({ at }) => at >= shock)
  const verified = new Map(line.flatMap((sale) => (isVerified(sale) ? [[sale.id, sale]] : [])))
  const errorOf = async (body: string, from: number) => {
    const next = line.slice(from).filter(({ kind }) => kind === 'SOLD')
    return (await fitOn(await readModel(body), config, next.slice(0, 50))).medianError
  }
  const before = line.slice(0, first)
  let inUse = { body: (await trainAndJudge({ config, sales: before, now: shock })).body, newest: first }
  const usual = await errorOf(
    (await trainAndJudge({ config, sales: before.slice(0, -100), now: before.at(-101)?.at ?? shock })).body,
    first - 100,
  )
  const rows: (string | number)[][] = []
  for (let known = first; known < line.length - 50; ) {
    known += trainedAfter(known)
    const past = line.slice(0, known)
    const now = past.at(-1)?.at ?? shock
    const champion = { body: inUse.body, withheld: withheldFrom({ sales: past, verified }, inUse.newest) }
    const { body, judgement } = await trainAndJudge({ config, sales: past, now, champion })
    const why = judgement && whyRefused(judgement)
    if (!why) inUse = { body, newest: known }
    const error = await errorOf(inUse.body, known)
    rows.push([((now - shock) / DAY_MS).toFixed(1), known - first, why ?? '换上', percent(error)])
    if (error <= RECOVERED * usual) break
  }
  console.log(`${config.name}（种子 ${seed}，每月 ${perMonth} 条，价格一夜减半，之前的误差 ${percent(usual)}）\n`)
  console.log(tableOf(['天', '减半后的成交', '新模型', '在用模型的误差'], rows))
}

runMain(async () => {
  const { configs, seed, perMonth, halved } = parse()
  for (const config of configs) await (halved ? replayFall : replay)(config, seed, perMonth)
})
