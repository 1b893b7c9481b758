import { estimate, percent, signedShortYuan } from '@/contract/format'
import { type RevaluationReason, revaluationReasonText } from '@/contract/orderStatus'

export const humanCopy = {
  years: (n: number) => `从业 ${n} 年`,
  delivered: (n: number) => `已估 ${n} 单`,
  gap: (share: number, sales: number) => `与后来成交价的差距中位数 ${percent(share)}（${sales} 笔）`,
  noSales: '暂无成交回访',
  ownPrice: (fen: number, range: readonly [number, number]) =>
    `独立估价 ${estimate(fen)}，区间 ${range.map(estimate).join('–')}`,
  mean: '两位各自估价，取均价',
  middle: '两位相差超过 20%，由第三位复核，取居中的价格',
  revalued: '复估由一位完成，以复估为准；以下是上一版的独立估价',
  revised: '复估结果',
  revisedWhy: (reasons: readonly RevaluationReason[]) => reasons.map((one) => revaluationReasonText[one]).join('、'),
  revisedPrice: (before: number, now: number) => `上一版 ${estimate(before)}，这一版 ${estimate(now)}`,
  all: '估价师和公开准确率',
  corrections: '估价师改过的明细',
  changed: (model: number, own: number) => `AI ${signedShortYuan(model)} → ${signedShortYuan(own)}`,
  struck: '估价师划掉的可比账号',
  checked: (what: readonly string[]) => `对照截图核对过：${what.join('、')}`,
  ai: '完整 AI 报告',
  aiNote: '已包含在人工估价里，不用再解锁',
  aiOpen: '展开完整 AI 报告',
  aiClose: '收起 AI 报告',
  aiRange: (range: string) => `区间 ${range}`,
  ask: '问估价师',
  askNote: '报告出具 7 天内可以提问，问题会带上这个订单',
} as const
