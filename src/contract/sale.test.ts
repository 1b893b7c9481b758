import { visibleMessages } from './sale'
import type { Message } from './types'

const message = (bizType: Message['bizType'], summary: string, type: Message['type'] = 'SYSTEM'): Message => ({
  ...{ id: summary, type, title: '消息', summary, body: summary, bizType, read: false, createdAt: 0 },
})
const all = [
  message('ORDER', '已支付 ¥19.90，“王者荣耀”的完整报告已可查看', 'PAID'),
  message('REFUND', '“王者荣耀”的 ¥1,019.90 已原路退回', 'REFUNDED'),
  message('REFUND', '多付的 ¥5 未能退回：账户已注销'),
  message('ORDER', '“王者荣耀”的退款申请将在 24 小时内处理，逾期自动全额退款 ¥19.90'),
  message('PRICE', '“王者荣耀”现在约 ¥1,280，比估价时低 5%', 'PRICE_CHANGED'),
  message('REPORT', '参考成交价 ¥1,350', 'REPORT_READY'),
  message('COUPON', '满 ¥20 减 ¥5，7 天内有效'),
  message('COUPON', '优惠券明天过期', 'COUPON_EXPIRING'),
]

it('messages name no amounts and no coupons where nothing is for sale, but what accounts are worth', () => {
  const shown = visibleMessages(all, false)
  expect(shown.map(({ summary }) => summary)).toEqual([
    '已支付，“王者荣耀”的完整报告已可查看',
    '“王者荣耀”的款项已原路退回',
    '多付的款项未能退回：账户已注销',
    '“王者荣耀”的退款申请将在 24 小时内处理，逾期自动全额退款',
    '“王者荣耀”现在约 ¥1,280，比估价时低 5%',
    '参考成交价 ¥1,350',
  ])
  expect(shown.map(({ body }) => body)).toEqual(shown.map(({ summary }) => summary))
})

it('messages are unchanged where something is for sale', () => {
  expect(visibleMessages(all, true)).toEqual(all)
})
