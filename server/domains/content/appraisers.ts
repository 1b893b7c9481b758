import { MIN_APPRAISER_SALES } from '@/contract/appraisal'
import { count, percent } from '@/contract/format'
import type { Document } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import { escapeXml } from '../../rendering/xml'
import { type AppraiserStatistics, appraiserStatistics } from './appraiser-statistics'
import { pictureAddress } from './content'
import { renderMarkdown } from './markdown'

const gapOf = ({ sales, medianGap }: AppraiserStatistics) =>
  medianGap === null || sales < MIN_APPRAISER_SALES
    ? '暂无成交回访'
    : `与成交价的差距中位数 ${percent(medianGap)}（${count(sales)} 笔）`

const HOW = `估价师的价格与账号**后来的成交价**相比：差距 = |估价 − 成交价| ÷ 成交价，取中位数，一半的估价比它更接近。
比较的是成交时的那一版估价，成交后的复估不改变差距。
成交价由用户在评价里填写，或由客服回访登记；不足 ${MIN_APPRAISER_SALES} 笔时写“暂无成交回访”，不公布误差。`

/** One appraiser: picture, name, figures, introduction. */
function personOf(ctx: OpenCtx, s: AppraiserStatistics, games: Map<string, string>): string {
  const picture = pictureAddress(ctx, s.avatar)
  const face = picture ? `<img class="doc-face" src="${escapeXml(picture)}" alt="">` : ''
  const serves = s.gameIds.length === 0 ? '全部游戏' : s.gameIds.map((id) => games.get(id) ?? id).join('、')
  const head = [s.years > 0 && `从业 ${s.years} 年`, `已估 ${count(s.delivered)} 单`].filter(Boolean).join(' · ')
  const lines = [head, gapOf(s), `负责：${serves}`, s.intro].filter((line) => line !== '')
  return `<div class="doc-person">${face}<p class="doc-p"><strong class="doc-strong">${escapeXml(`${s.nick} ${s.no}`)}</strong>${lines
    .map((line) => `<br>${escapeXml(line)}`)
    .join('')}</p></div>`
}

/** The appraisers with their published accuracy, generated at every call. */
export async function appraisersDocument(ctx: OpenCtx): Promise<Document> {
  const { db, settings, clock } = ctx
  const { games } = ctx.repositories
  const [all, catalogue] = await Promise.all([appraiserStatistics(db), games.all()])
  const names = new Map(catalogue.map(({ config }) => [config.gameId, config.name]))
  const shown = all.filter(
    ({ active, role, sandbox, delivered }) =>
      delivered > 0 || (active && role === 'APPRAISER' && (!sandbox || settings.sandbox)),
  )
  const people = shown.map((s) => personOf(ctx, s, names)).join('')
  return {
    title: '估价师',
    html: renderMarkdown(HOW) + (people || renderMarkdown('还没有公布的估价师。')),
    version: '1.0',
    updatedAt: clock.now(),
  }
}
