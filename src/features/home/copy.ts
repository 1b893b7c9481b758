import { aiTimeText, fromYuan } from '@/contract/format'
import type { Draft } from '@/session/drafts'

const numbersIn = (text: string): readonly string[] => text.match(/[\d.]+/g) ?? []
const mentionsAmount = (name: string, worth: string) =>
  name.includes(worth) || numbersIn(worth).some((number) => numbersIn(name).includes(number))

/** Summary of an unfinished form. */
export type DraftSummary = Pick<Draft, 'gameId' | 'gameName' | 'mode' | 'done' | 'total'>

export const copy = {
  product: '游戏账号估价专家',
  headline: '您的游戏账号，值多少？',
  subline: '对比同类成交，每一元都有来由',
  samples: '估价示例',
  sampleTitle: '填几项资料，看到价格、区间和依据',
  sampleNone: '您的价格',
  sampleAt: (at: number, all: number) => `示例 ${at}/${all}`,
  sampleShare: (share: string) => `超过 ${share}`,
  sampleOf: (game = '') => `的${game}账号`,
  sampleNote: (low: string, high: string, synthetic = false) =>
    `八成同类成交在 ${low} – ${high}${synthetic ? ' · 合成数据' : ''}`,
  sampleGo: (game = '') => `估我的${game}账号 · 免费`,
  search: '搜索游戏',
  hot: '热门游戏',
  more: '更多',
  maintain: '维护中',
  maintainNote: (name: string) => `${name}正在维护，暂停估价，请稍后再来`,
  failed: '加载失败',
  retry: '点击重试',
  latest: '最新估价',
  banners: '推荐内容',
  news: '攻略与资讯',
  links: [
    { icon: 'ticket', text: '领券', to: 'couponCenter' },
    { icon: 'trend', text: '优秀报告', to: 'reportHighQuality' },
    { icon: 'doc', text: '上架指南', to: 'listingGuidelines' },
    { icon: 'news', text: '资讯', to: 'news' },
    { icon: 'help', text: '帮助', to: 'helpCenter' },
  ],
  /** some names already contain the value: 专家估价 8 折券 */
  dailyCoupon: (worth: string, name: string, term: string) =>
    `今日可领：${mentionsAmount(name, worth) ? name : `${name} ${worth}`}，${term}`,
  dailyGo: '去领取',
  noGames: '暂时没有可估价的游戏',
  ai: 'AI 估价',
  /** without spaces, so that it is one line, on the narrowest phones two */
  aiNote: `免费·${aiTimeText.replace(/ /g, '')}`,
  paste: '粘贴文字',
  pasteNote: '自动识别填写',
  manual: '人工估价',
  manualFrom: fromYuan,
  manualNoPrice: '估价师逐项核对',
  soon: '即将开放',
  draftTitle: '您有一份未完成的估价',
  /** also serialised into an inline script (src/ssr), so it may not use outer variables */
  draftNote: ({ gameName, mode, done, total }: DraftSummary) =>
    `${gameName} · ${mode === 'AI' ? 'AI 估价' : '人工估价'} · 已填 ${done}/${total}`,
  draftGo: '继续',
  why: '为什么可以放心参考',
  reasons: [
    { icon: 'shield', title: '不碰密码', note: '任何环节都不会索要游戏密码' },
    { icon: 'trend', title: '区间有依据', note: '按历史误差计算，八成成交在区间内，不是随意估计' },
    { icon: 'doc', title: '明细可核对', note: '完整报告逐项列出加减，相加等于估价' },
  ],
  countReports: '累计报告',
  countUsers: '服务用户',
  countGames: '支持游戏',
  accuracyTitle: '准不准，看得见',
  accuracy: (most: string) => `近30天各游戏半数估价与成交价相差不超过 ${most}`,
  accuracySynthetic: '（合成数据）',
  accuracyMore: '查看准确率公示',
  lastReport: '上次估价',
  saleTitle: (game: string) => `${game}账号卖出了吗？`,
  saleNote: '约 30 秒，帮助大家得到更准的估价',
  saleGo: '告诉我们',
  marketOf: (game: string) => `${game}行情`,
  marketText: (change: string, sold: string, synthetic?: string) =>
    `近四周${change}，近30天成交${sold}笔${synthetic ? `，合成数据占${synthetic}` : ''}`,
  rose: (by: string) => `涨 ${by}`,
  fell: (by: string) => `跌 ${by}`,
  flat: '持平',
  moved: (by: string, up: boolean) => `较上次${up ? '涨' : '跌'} ${by}`,
  unmoved: '与上次相同',
  disclaimer: '估价仅供参考，不构成收购承诺',
} as const
