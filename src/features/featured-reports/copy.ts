export const copy = {
  games: '按游戏查看',
  all: '全部',
  consent: '以下报告均经用户同意展示，账号信息已隐藏。您的报告默认不展示，可以随时在设置里开启或撤下。',
  setting: '去设置',
  synthetic: '部分报告的样本为合成数据，仅用于演示估价方法，不代表真实行情。',
  why: '为什么入选',
  meta: (nick: string, day: string) => `${nick} · ${day}`,
  range: '价格区间',
  empty: '这里还没有报告',
  emptyNote: '用户同意后，可信度高的报告会打码展示在这里',
  mine: '估我的号',
} as const
