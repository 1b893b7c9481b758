import { documentKeyText, keysOf } from '@/contract/labels'

type DocumentKey = keyof typeof documentKeyText

export const copy = {
  meta: (version: string, day: string) => `版本 ${version} · 更新于 ${day}`,
  missing: '没有找到这份文档',
  missingNews: '没有找到这篇文章',
  home: '返回首页',
  related: '相关文档',
  newsTypes: '分类',
  newsMeta: (day: string, views: number) => (views > 0 ? `${day} · ${views} 次阅读` : day),
  market: {
    tab: '行情',
    games: '游戏',
    index: '价格指数',
    year: '近 52 周',
    explain: '第一周为 100，已排除账号本身的差别；浅色为 80% 区间，空白的一周成交太少。',
    chart: (bars: readonly { index: number | undefined }[]) => {
      const values = bars.flatMap(({ index }) => index ?? [])
      return `价格指数，${values.length} 周，从 ${values[0] ?? ''} 到 ${values[values.length - 1] ?? ''}`
    },
    extremes: (least: number, most: number) => `最低 ${least} · 最高 ${most}`,
    now: '最新指数',
    value: ({ index }: { index: number | undefined }) => String(index ?? ''),
    interval: ({ range }: { range: [number, number] | undefined }) =>
      range ? `80% 区间 ${range[0]} – ${range[1]}` : '',
    sold30: '近 30 天成交',
    madeAt: '计算日期',
    rises: '近四周涨幅较大',
    falls: '近四周跌幅较大',
    ofSales: (n: number) => `${n} 笔成交和挂牌`,
    still: '近四周没有明显涨跌的道具、段位或区服。',
    nothing: '成交太少，还看不出行情',
    synthetic: (share: number) =>
      share < 1
        ? `样本中 ${Math.ceil(100 * share)}% 为合成数据，不完全代表真实行情。`
        : '当前样本为合成数据，仅用于演示，不代表真实行情。',
  },
  noNews: '这里还没有内容',
  allNews: '看看其他文章',
  alsoRead: '继续阅读',
  enlarge: '查看大图',
  copyLink: '复制链接，分享给朋友',
  searchHelp: '搜索问题',
  noHelp: '帮助内容正在整理',
  notFound: '没有找到相关问题，换个词试试',
  helpful: '有帮助',
  useless: '没帮助',
  thanks: '谢谢，我们会据此改进',
  unsolved: '没有解决您的问题？',
  unsolvedNote: '把问题告诉客服，截图也可以。官方不会索要密码、验证码或保证金。',
  contact: '联系客服',
  valueMine: '估我的号',
  moreTables: '每个游戏的全部数字',
  lessTables: '收起',
  channels: {
    title: '去哪里上架',
    notOurs:
      '以下都是第三方平台，不由我们经营，我们不参与交易，也不收取任何费用。请只在平台内付款，不要透露密码和验证码。',
    login: '登录后按游戏查看',
    choose: '请先选择游戏。',
    none: '这个游戏暂时没有可以推荐的平台。',
  },
} as const

/** Related documents. */
export const related: Record<DocumentKey, readonly DocumentKey[]> = {
  USER_AGREEMENT: ['PRIVACY', 'VALUATION_NOTICE', 'MINOR'],
  PRIVACY: ['COLLECTED', 'USER_AGREEMENT', 'MINOR'],
  COLLECTED: ['PRIVACY', 'USER_AGREEMENT'],
  VALUATION_NOTICE: ['METHOD', 'ACCURACY', 'REFUND'],
  REFUND: ['USER_AGREEMENT', 'VALUATION_NOTICE'],
  HELP_RULE: ['USER_AGREEMENT', 'REFUND'],
  MINOR: ['USER_AGREEMENT', 'PRIVACY'],
  ABOUT: ['METHOD', 'ACCURACY', 'USER_AGREEMENT'],
  METHOD: ['ACCURACY', 'VALUATION_NOTICE'],
  ACCURACY: ['METHOD', 'VALUATION_NOTICE'],
  APPRAISERS: ['VALUATION_NOTICE', 'REFUND'],
  LISTING: ['VALUATION_NOTICE', 'MINOR'],
}

export const isKey = (key: string | undefined): key is DocumentKey =>
  key !== undefined && keysOf(documentKeyText).some((known) => known === key)
export type { DocumentKey }
