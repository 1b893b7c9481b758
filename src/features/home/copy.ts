import { count, fromYuan } from '@/contract/format'
import type { Draft } from '@/session/drafts'

/** Summary of an unfinished form. */
export type DraftSummary = Pick<Draft, 'gameId' | 'gameName' | 'mode' | 'done' | 'total'>

export const copy = {
  product: '游戏账号估价专家',
  headline: '您的账号，值多少？',
  subline: '对比同类成交，每一元都有来由',
  samples: '估价示例',
  sampleTitle: '答 3 题看区间',
  sampleNone: '您的价格',
  sampleAt: (place: number, all: number) => `示例 ${place}/${all}`,
  sampleShare: (share: string) => `超过 ${share}`,
  sampleNote: (range: string, synthetic = false) => `${range}${synthetic ? ' · 合成数据' : ''}`,
  sampleGo: '免费估价',
  another: '再估一次',
  hot: '选择游戏',
  maintain: '维护中',
  retry: '点击重试',
  latest: '刚刚估出',
  total: (n: number | undefined) => (n === undefined ? undefined : `累计 ${count(n)} 份`),
  links: [
    { text: '领券', to: 'couponCenter' },
    { text: '优秀报告', to: 'reportHighQuality' },
    { text: '上架指南', to: 'listingGuidelines' },
    { text: '资讯', to: 'news' },
    { text: '帮助', to: 'helpCenter' },
  ],
  dailyCoupon: (name: string, term: string) => `${name}，${term}`,
  noGames: '暂时没有可估价的游戏',
  manual: '人工估价',
  manualFrom: fromYuan,
  manualNoPrice: '估价师署名',
  soon: '即将开放',
  draftTitle: '继续未完成的估价',
  /** also serialised into an inline script (src/ssr), so it may not use outer variables */
  draftNote: ({ gameName, mode, done, total }: DraftSummary) =>
    `${gameName} · ${mode === 'AI' ? 'AI 估价' : '人工估价'} · 已填 ${done}/${total}`,
  draftGo: '继续',
  accuracy: (most: string) => `半数估价与成交相差 ${most} 以内`,
  synthetic: '合成数据',
  moved: (by: string, up: boolean) => `较上次${up ? '涨' : '跌'} ${by}`,
  unmoved: '与上次相同',
  disclaimer: '估价仅供参考，不构成收购承诺',
} as const
