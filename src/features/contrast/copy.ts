export const copy = {
  summary: '结论',
  table: '逐项对比',
  tableName: '账号逐项对比表',
  item: '项目',
  account: (i: number, name?: string) => name ?? `账号${'一二三四'[i] ?? i + 1}`,
  onlyDifferent: '只看不同',
  counts: (all: number, different: number) => `共 ${all} 项，${different} 项不同`,
  allSame: '这些账号的各项内容都相同',
  best: '更高',
  overlap: (range: string) => `重叠部分 ${range}`,
  noOverlap: '没有共同的价格区间',
  scroll: '左右滑动查看全部账号',
  note: (accounts: number) =>
    `${accounts > 2 ? '“最高”“最低”' : '“更高”“更低”'}只说单项，不代表整体更值得；估价仅供参考，不构成收购承诺。`,
  wrong: '请选择 2 至 4 份同一游戏的报告进行对比',
  goRecords: '去估价记录选择',
  records: '重新选择',
} as const
