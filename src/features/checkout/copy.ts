import { serviceText } from '@/contract/appraisal'
import { yuan } from '@/contract/format'
import { unacceptedText } from '@/contract/orderStatus'
import { NO_PICTURES } from '@/contract/reconciliation'
import { momentText } from '@/contract/timeText'
import type { Order } from '@/contract/types'

export const copy = {
  service: '服务',
  serviceNote: serviceText,
  what: { AI: 'AI 完整报告', MANUAL: '人工估价' },
  aiNote: '完整价格明细、可比账号、下载',
  due: (at: number, now: number) => `${momentText(at, now)} 前出报告`,
  pictureCount: (n: number) => `${n} 张截图`,
  about: '服务说明 ›',

  // an order without pictures
  noPictures: NO_PICTURES,

  // coupons
  coupon: '优惠券',
  couponNone: '暂无可用',
  couponGet: '去领券',
  couponUnused: (n: number) => `${n} 张可用，未选择`,
  couponOff: (fen: number) => `−${yuan(fen)}`,
  couponTitle: '选择优惠券',
  couponSkip: '不使用优惠券',
  couponUnusable: '以下优惠券本单不可用',

  // money
  total: '合计',
  confirmFree: { AI: '免费解锁', MANUAL: '免费下单' },
  pay: (fen: number) => `支付 ${yuan(fen)}`,
  payLeft: '剩余',

  // consent
  tick: { MANUAL: '接单前可全额退；报告生成后不支持无理由退款', AI: '报告生成后不支持无理由退款' },
  tickFree: { MANUAL: '报告生成后优惠券不退回', AI: '解锁后优惠券不退回' },
  and: '。同意',
  notice: '《估价须知》',
  refundRule: '《退款规则》',
  tickNeed: '请先勾选同意',

  // channels
  channels: '支付方式',
  noChannel: '这里暂时不能支付，可以换到微信或手机浏览器打开本页',
  // payments through Apple can only be refunded by Apple
  virtualNote: '如需退款，请在 Apple 的账单页面提出申请。',

  // how it went
  cancelled: '您取消了支付，订单会为您保留',
  failed: '支付未成功；如未扣款，请重试或换种方式',
  askTitle: '支付完成了吗？',
  askBody: '没付成或遇到问题，都可以继续支付。我们会向支付渠道核实，以实际结果为准。',
  askDone: '已完成支付',
  askNot: '未完成，继续支付',
  checking: '正在核实',

  // ends
  closedTitle: '订单已关闭',
  closedNote: '超过支付时间或已取消。如果已经付款，款项会自动原路退回。',
  again: { AI: '重新估价', MANUAL: '重新下单' },
  unlockedTitle: '报告已解锁',
  goRecords: '查看估价记录',
  notFound: '没有找到这个订单',
  notFoundNote: '链接可能不完整，或订单不属于当前账号',
  offTitle: '当前环境暂不支持',
  offNote: '由于相关规范，此功能暂不可用。AI 估价的价格、区间和可信度可免费查看。',
  offGo: '去 AI 估价',

  // who may pay
  realName: '需要先完成实名认证（仅需一次），认证后回到这里继续。',
  realNameGo: '去实名认证',
  minor: '未成年人暂不支持该服务。AI 估价的价格、区间和可信度可免费查看。',

  // paid
  confirming: '正在确认支付结果',
  confirmingNote: '已付款的请稍等几秒；没有付成的可以继续支付，不会重复扣款',
  slow: '暂时还没有确认，请稍后刷新；如已扣款而未确认，会自动退回',
  refresh: '刷新',
  success: '支付成功',
  freeSuccess: '下单成功',
  unlockedNote: '完整报告已经可以查看',
  reported: '报告已完成',
  rechecking: '正在复估',
  recheckingNote: '完成后报告会更新，现在仍可查看原报告',
  late: '已超时，抱歉',
  infoNeeded: '需要补充资料',
  supply: '补充资料',
  refund: { OPEN: '退款处理中', DONE: '已退款' },
  refundOpen: {
    AI: '客服审核：资料或计算有误的，全额退款',
    MANUAL: '需要审核的 24 小时内答复，逾期自动全额退款',
  },
  refundDone: '款项已原路退回，到账时间以支付渠道为准',
  refundAmount: '退款金额',
  /** where nothing was paid, or payment wording is not allowed */
  cancel: { OPEN: '订单取消中', DONE: '订单已取消' },
  couponBack: '所用的优惠券未过期的，会退回“我的优惠券”',
  view: '查看完整报告',
  viewOrder: '查看订单',
  payFailed: '支付未成功',
  payFailedNote: '没有扣款，订单仍为您保留',
  retry: '重新支付',
  next: '接下来',
  nextAccept: '估价师接单',
  accepted: ({ status, assignedAt: at }: Pick<Order, 'status' | 'assignedAt'>, now: number) =>
    at ? `已于${momentText(at, now)} 接单` : status === 'ASSIGNED' ? unacceptedText : '等待接单',
  nextValue: '核对与估价',
  nextValueNote: '需要补充时会联系您',
  nextReport: '收到报告',
  before: (at: number, now: number) => `${momentText(at, now)} 前`,
  amount: '实付金额',
  staff: '联系顾问',
  staffOnline: '在线',
  staffHours: (hours: string) => `工作时间 ${hours}`,
  staffAdd: '添加顾问',
  staffAddNote: '打开二维码，长按用微信识别',
  contact: '联系客服',
  safe: '官方不会索要密码、验证码或保证金',
} as const
