import type { Contrast } from '@/contract/types'

const at = Date.UTC(2026, 10, 20)
const column = (n: number, title: string) => ({
  orderId: `o${n}`,
  reportNo: `R${n}`,
  title,
  idMasked: `54${n}***090`,
  createdAt: at,
  mode: 'AI' as const,
  price: { predictFen: 250_000 - n * 20_000, lowFen: 210_000 - n * 20_000, highFen: 300_000 - n * 20_000 },
})

/** Made-up comparisons for the gallery and for tests. */
export const twoReports: Contrast = {
  columns: [column(1, '王者荣耀 · 安卓微信'), column(2, '王者荣耀 · 苹果QQ')],
  rows: [
    { label: '参考成交价', values: ['¥2,323', '¥1,870'], best: 0 },
    { label: '价格区间', values: ['¥1,930 – ¥2,790', '¥1,540 – ¥2,260'] },
    { label: '可信度', values: ['高 · 78 分', '中 · 66 分'], best: 0 },
    { label: '风险', values: ['中', '低'] },
    { label: '估价日期', values: ['11月20日', '11月20日'] },
    { label: '皮肤数', values: ['412', '388'], best: 0 },
    { label: '稀有皮肤', values: ['凤凰于飞、大圣娶亲', '未填'], best: 0 },
    { label: '实名情况', values: ['不可二次实名', '可二次实名'] },
  ],
  summary: '账号一参考成交价 ¥2,323，比账号二高 ¥453。账号一在皮肤数、稀有皮肤上更多。',
}

export const fourReports: Contrast = {
  ...twoReports,
  columns: [...twoReports.columns, column(3, '王者荣耀 · 苹果微信'), column(4, '王者荣耀 · 安卓QQ')],
  // the first account stands out; the third equals the second
  rows: twoReports.rows.map((row) => ({
    ...row,
    values: [...row.values, row.values[1] ?? '', row.values[1] ?? ''],
  })),
}
