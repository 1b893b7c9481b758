import { MIN_APPRAISER_SALES } from '@/contract/appraisal'
import { count, percent } from '@/contract/format'
import type { Document } from '@/contract/types'
import type { OpenCtx } from '../../context'
import { type AppraiserFigures, appraiserFigures } from './appraiser-figures'
import { renderMarkdown } from './markdown'

/** Escapes Markdown in a name. */
const plain = (text: string) => text.replace(/[\\`*_[\]#|<>]/g, '\\$&')

const gapOf = ({ sales, medianGap }: AppraiserFigures) =>
  medianGap === null || sales < MIN_APPRAISER_SALES ? '暂无成交回访' : `±${percent(medianGap)}（${count(sales)} 笔）`

const HOW = `估价师的价格与账号**后来的成交价**相比：差距 = |估价 − 成交价| ÷ 成交价，取中位数，一半的估价比它更接近。
成交价由用户在评价里填写，或由客服回访登记；不足 ${MIN_APPRAISER_SALES} 笔时写“暂无成交回访”，不公布误差。`

/** The appraisers with their published accuracy, generated at every call. */
export async function appraisersDocument({ db, games, settings, clock }: OpenCtx): Promise<Document> {
  const [all, shelf] = await Promise.all([appraiserFigures(db), games.all()])
  const names = new Map(shelf.map(({ config }) => [config.gameId, config.name]))
  const shown = all.filter(
    ({ active, sandbox, delivered }) => delivered > 0 || (active && (!sandbox || settings.sandbox)),
  )
  const rows = shown.map((s) => {
    const serves = s.gameIds.length === 0 ? '全部游戏' : s.gameIds.map((id) => names.get(id) ?? id).join('、')
    const years = s.years > 0 ? `${s.years} 年` : '—'
    return `| ${plain(s.nick)} ${plain(s.no)} | ${years} | ${count(s.delivered)} 单 | ${gapOf(s)} | ${plain(serves)} |`
  })
  const table = `| 估价师 | 从业 | 已估 | 与成交价的差距 | 负责 |\n|---|---|---|---|---|\n${rows.join('\n')}`
  return {
    title: '估价师',
    html: renderMarkdown(`${HOW}\n\n${rows.length > 0 ? table : '还没有公布的估价师。'}`),
    version: '1.0',
    updatedAt: clock.now(),
  }
}
