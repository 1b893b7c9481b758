import { estimate, percent, signedShortYuan } from '@/contract/format'

export const humanCopy = {
  years: (n: number) => `从业 ${n} 年`,
  delivered: (n: number) => `已估 ${n} 单`,
  gap: (share: number, sales: number) => `与成交价相差 ${percent(share)}（${sales} 笔）`,
  ownPrice: (fen: number) => `独立估价 ${estimate(fen)}`,
  mean: '取两位均价',
  middle: '相差超过 20%，取三位的中间价',
  revalued: '上一版的估价',
  revised: '复估结果',
  revisedPrice: (before: number, now: number) => `上一版 ${estimate(before)}，这一版 ${estimate(now)}`,
  before: '看上一版报告',
  all: '估价师和准确率',
  corrections: '改过的明细',
  changed: (model: number, own: number) => `AI ${signedShortYuan(model)} → ${signedShortYuan(own)}`,
  struck: '划掉的可比账号',
  ai: '完整 AI 报告',
  aiClose: '收起 AI 报告',
  ask: '问估价师',
  askNote: '7 天内可以提问',
} as const
