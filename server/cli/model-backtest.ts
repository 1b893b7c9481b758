/**
 * `npm run model:backtest -- --game ID [--json]`: how well the stored sales of a game can be predicted. Trains on the
 * first 80 % of them and prices the later ones.
 * `npm run model:backtest -- --table`: the accuracy of all models in use as a Markdown table.
 */

import { StartError } from '../core/start-error'
import type { Backtest } from '../db/columns'
import { backtest } from '../domains/models/backtest'
import { accuracies, type BacktestRun } from '../domains/models/backtests'
import { newestSales } from '../domains/models/training-sales'
import { movement } from './movement'
import { percent, tableOf } from './tables'
import { configOf, runTool } from './tool'

const USAGE = '用法：npm run model:backtest -- --game 游戏ID [--json]，或 -- --table'
const MIN_SALES = 10

function parse(): { game: string; json: boolean } | 'table' {
  const given = process.argv.slice(2)
  if (given.length === 1 && given[0] === '--table') return 'table'
  const json = given.includes('--json')
  const [option, game, ...more] = given.filter((word) => word !== '--json')
  if (option?.startsWith('--game=') && game === undefined) return { game: option.slice('--game='.length), json }
  if (option !== '--game' || game === undefined || more.length > 0) throw new StartError(USAGE)
  return { game, json }
}

function table(name: string, result: Backtest, synthetic: boolean): string {
  return [
    `${name}（${result.game}） 模型 ${result.modelVersion}${synthetic ? ' · 合成数据，不代表真实行情' : ''}`,
    `  之后的成交        ${result.n} 笔（另有 ${result.refused} 笔样本不足，未给价）`,
    `  误差中位数        ${percent(result.medianError)}`,
    `  10/20/30% 以内    ${[result.within10, result.within20, result.within30].map(percent).join(' / ')}`,
    `  区间覆盖率        ${percent(result.coverage)}（目标 80%）`,
    `  区间宽度中位数    ${percent(result.medianWidth)}`,
    ...Object.entries(result.baselines).map(
      ([key, { medianError, coverage }]) =>
        `  对照 ${key.padEnd(8)}      误差 ${percent(medianError)}，覆盖 ${percent(coverage)}`,
    ),
  ].join('\n')
}

function kept(runs: readonly BacktestRun[]): string {
  const head = [
    '游戏',
    '成交',
    '误差中位数',
    '10/20/30% 以内',
    '区间覆盖',
    '区间宽度',
    '对照：误差，覆盖',
    '模型',
    '数据',
    '日期',
  ]
  const rows = runs.map(({ gameId, result: r, synthetic, ranAt }) => [
    ...[gameId, r.n, percent(r.medianError), [r.within10, r.within20, r.within30].map(percent).join(' / ')],
    ...[percent(r.coverage), percent(r.medianWidth)],
    Object.entries(r.baselines)
      .map(([key, { medianError, coverage }]) => `${key} ${percent(medianError)}，${percent(coverage)}`)
      .join('；'),
    ...[r.modelVersion, synthetic ? '合成' : '真实', new Date(ranAt).toISOString().slice(0, 10)],
  ])
  return tableOf(head, rows)
}

/** The fields that other programs rely on. */
function pinned({ refused: _, recent: __, ...result }: Backtest) {
  return result
}

runTool(async (db) => {
  const given = parse()
  if (given === 'table') {
    console.log(kept(await accuracies(db)))
    return
  }
  const { game, json } = given
  const config = await configOf(db, game)
  if (!config) throw new StartError(`没有游戏“${game}”。`)
  const { sales, synthetic } = await newestSales(db, config)
  if (sales.length < MIN_SALES)
    throw new StartError(`${config.name} 只有 ${sales.length} 条记录，样本不足，至少需要 ${MIN_SALES} 条。`)
  const result = backtest(config, sales)
  if (result.n === 0) throw new StartError(`${config.name} 的 ${sales.length} 条记录里没有可用来检验的成交，样本不足。`)
  console.log(json ? JSON.stringify(pinned(result)) : table(config.name, result, synthetic))
  if (json) return
  const { otherIds, fewerSales } = movement(config, sales)
  console.log(
    `  价格变动中位数      换一套编号 ${percent(otherIds)}（上限 1.5%），少 1% 成交 ${percent(fewerSales)}（上限 2%）`,
  )
})
