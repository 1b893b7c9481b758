import { count, percent } from '@/contract/format'
import { dateTimeText } from '@/contract/timeText'
import type { Document, Req } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import { listGames } from '../games/game-list'
import { accuracies, type BacktestRun, MIN_TESTED } from '../models/backtests'
import { accuracyChart } from './accuracy-chart'
import { appraisersDocument } from './appraisers'
import { resolveLinks } from './content'
import { renderMarkdown } from './markdown'

/** Escapes Markdown in a game's name. */
const plain = (text: string) => text.replace(/[\\`*_[\]#|<>]/g, '\\$&')

/** Data the figures were measured on; mixed data are never shown without their share of generated sales. */
function dataOf({ synthetic, syntheticShare }: BacktestRun): string {
  if (!synthetic) return '真实成交'
  return syntheticShare === 1 ? '合成数据' : `真实成交与合成数据（合成占 ${percent(syntheticShare)}）`
}

/** One game's figures, or why there are none. */
function section(name: string, run: BacktestRun | undefined): string {
  const head = `## ${plain(name)}\n\n`
  if (!run) return `${head}还没有检验结果。\n`
  const { result: r, ranAt } = run
  if (r.n < MIN_TESTED)
    return `${head}样本不足：只有 ${r.n} 笔成交可以检验，少于 ${MIN_TESTED} 笔，不公布误差。检验于 ${dateTimeText(ranAt)}。\n`
  const rows = [
    ['检验的成交', `${count(r.n)} 笔`],
    ['半数估价误差', `±${percent(r.medianError)} 内`],
    // the figure shown on home, under the same condition
    ...(r.recent.n >= MIN_TESTED
      ? [[`近30天半数估价误差（${count(r.recent.n)} 笔）`, `±${percent(r.recent.medianError)} 内`]]
      : []),
    ['误差 10% 以内', percent(r.within10)],
    ['误差 20% 以内', percent(r.within20)],
    ['误差 30% 以内', percent(r.within30)],
    ['区间覆盖率（目标 80%）', percent(r.coverage)],
    ['区间宽度中位数', percent(r.medianWidth)],
    ['模型版本', plain(r.modelVersion)],
    ['数据', dataOf(run)],
    ['检验时间', dateTimeText(ranAt)],
  ]
  return `${head}| 指标 | 数值 |\n|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}

/** Table of all games, before the sections of each. */
function overview(shown: readonly { name: string; run: BacktestRun | undefined }[]): string {
  const rows = shown.map(({ name, run }) => {
    const r = run && run.result.n >= MIN_TESTED ? run.result : undefined
    return `| ${plain(name)} | ${r ? `±${percent(r.medianError)} 内 | ${percent(r.within20)} | ${percent(r.coverage)}` : `${run ? '样本不足' : '尚未检验'} | — | —`} |`
  })
  return `## 各游戏一览\n\n| 游戏 | 半数估价误差 | 误差 20% 以内 | 区间覆盖率 |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

const HOW = `每个游戏按时间先后把记录分开：只用较早的记录学习，再给**之后**的每一笔成交估价，与实际成交价比较。估价时看不到之后的任何数据。

- **半数估价误差**：一半成交的误差在这个范围内，即误差的中位数。误差 = |估价 − 成交价| ÷ 成交价。
- **区间覆盖率**：成交价落在价格区间里的比例，目标是 80%。
- **区间宽度**：（上限 − 下限）÷ 估价，越窄越有用。

少于 ${MIN_TESTED} 笔的标为“样本不足”，不公布误差。`

const SYNTHETIC = `> 标有“合成数据”的结果来自程序生成的演示数据，或含有这样的数据，只说明方法在这些数据上的表现，**不代表真实行情**的准确率。

`

/** Generated from the stored back-tests at every call, so the figures are always those of the latest run. */
async function accuracy({ db, repositories: { games } }: OpenCtx): Promise<Document> {
  const [runs, all] = await Promise.all([accuracies(db), games.all()])
  const byGame = new Map(runs.map((run) => [run.gameId, run]))
  const shown = listGames(all).map(({ config }) => ({ name: config.name, run: byGame.get(config.gameId) }))
  const note = shown.some(({ run }) => run?.synthetic) ? SYNTHETIC : ''
  const updatedAt = Math.max(0, ...runs.map(({ ranAt }) => ranAt))
  const tested = shown.flatMap(({ name, run }) => (run && run.result.n >= MIN_TESTED ? [{ name, ...run.result }] : []))
  const more = [overview(shown), ...shown.map(({ name, run }) => section(name, run))].join('\n\n')
  return {
    title: '准确率公示',
    html: renderMarkdown(note) + accuracyChart(tested) + renderMarkdown(HOW),
    more: renderMarkdown(more),
    version: '1.0',
    updatedAt,
  }
}

/** A document by its key. @throws AppError NOT_FOUND when its file is missing or was never valid */
export async function document(ctx: OpenCtx, { key }: Req<'app', 'documentGet'>): Promise<Document> {
  if (key === 'ACCURACY') return accuracy(ctx)
  if (key === 'APPRAISERS') return appraisersDocument(ctx)
  const written = ctx.repositories.content.document(key)
  if (!written) throw new AppError('NOT_FOUND', { msg: '没有找到这份文档' })
  return { ...written, html: resolveLinks(ctx, written.html) }
}
