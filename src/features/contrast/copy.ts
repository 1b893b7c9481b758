export const copy = {
  summary: '结论',
  table: '逐项对比',
  item: '项目',
  account: (i: number, name?: string) => name ?? `账号${'一二三四'[i] ?? i + 1}`,
  onlyDifferent: '只看不同',
  allRows: '全部项目',
  counts: (all: number, different: number) => `共 ${all} 项，${different} 项不同`,
  best: (accounts: number) => (accounts > 2 ? '最高' : '更高'),
  note: '标出的只说单项，不代表整体更值得；估价仅供参考，不构成收购承诺。',
  wrong: '请选择 2 至 4 份同一游戏的报告进行对比',
  goRecords: '去估价记录选择',
  records: '重新选择',
} as const
