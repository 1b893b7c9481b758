export const copy = {
  title: '多久能卖出',
  basis: (n: number) => `依据 ${n} 笔成交`,
  answer: (price: string, days: number | undefined) =>
    days === undefined ? `标价 ${price}：很少在观察期内卖出` : `标价 ${price}：一半在 ${days} 天内卖出`,
  quick: '快速出手',
  list: '建议挂牌',
} as const
