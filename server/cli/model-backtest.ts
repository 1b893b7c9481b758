/**
 * `npm run model:backtest -- --game ID [--json]`: how well the stored sales of a game can be predicted. Prices the last fifth of
 * them, each block by a model of the sales before it.
 */
import { StartError } from '../core/start-error'
import type { Backtest } from '../db/columns'
import { backtest } from '../domains/models/backtest'
import { newestSales } from '../domains/models/sales/training-sales'
import { argumentsOf, flag, text } from './command'
import { movement } from './movement'
import { percent } from './tables'
import { configOf, runTool } from './tool'

const USAGE = '用法：npm run model:backtest -- --game 游戏ID [--json]'
const MIN_SALES = 10

function read() {
  const { values } = argumentsOf(USAGE, { game: text(''), json: flag })
  if (values.game === '') throw new StartError(USAGE)
  return values
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

/** The fields that other programs rely on. */
function pinned({ refused: _, recent: __, ...result }: Backtest) {
  return result
}

runTool(async (db, { game, json }) => {
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
}, read)
