import { couponCentreStateText, userCouponStatusText } from '@/contract/labels'

export const copy = {
  tabs: { UNUSED: userCouponStatusText.UNUSED, USED: userCouponStatusText.USED, EXPIRED: userCouponStatusText.EXPIRED },
  empty: { UNUSED: '还没有可用的优惠券', USED: '还没有用过优惠券', EXPIRED: '没有过期的优惠券' },
  toCentre: '去领券中心',
  use: '去使用',
  locked: '使用中',
  lockedNote: '正在一笔未付款的订单里，取消订单后会退回。',
  rule: '使用规则',
  ruleOpen: '展开使用规则',
  ruleClose: '收起使用规则',
  rules: {
    perOrder: '每笔订单限用 1 张，不可叠加，不兑换现金。',
    back: '订单取消、关闭或全额退款时，优惠券自动退回；已过有效期的不再退回，因平台原因退款的另延长 24 小时。',
    free: '可免费查看 1 份 AI 完整报告。',
  },
  usedAt: (at: string) => `使用于 ${at}`,

  centreEmpty: '暂时没有可领的优惠券',
  centreEmptyNote: 'AI 估价的价格、区间和可信度一直免费',
  goAi: '去 AI 估价',
  receive: '立即领取',
  receiveLabel: (name: string) => `立即领取 ${name}`,
  states: couponCentreStateText,
  received: '领取成功，可在“我的优惠券”查看',
  left: '剩余',
  startsIn: '后开始',
  days: (n: number) => `领取后 ${n} 天内有效`,
  mine: '我的优惠券',
  offTitle: '当前环境暂不支持',
  offNote: '由于相关规范，此功能暂不可用。AI 估价的价格、区间和可信度可免费查看。',
} as const
