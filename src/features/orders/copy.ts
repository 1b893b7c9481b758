import { aiTimeText, yuan } from '@/contract/format'
import { orderTabText } from '@/contract/orderStatus'
import { momentText } from '@/contract/timeText'

export const copy = {
  tabs: orderTabText,
  /** replaces the tab 退款/取消 where payment wording is not allowed, as `plainStatus` does for its orders */
  plainRefundTab: '取消',
  empty: '还没有估价记录',
  emptyNote: `选一个游戏，填好后${aiTimeText}得到估价`,
  emptyTab: '这里还没有记录',
  seeAll: '查看全部记录',
  allGames: '全部游戏',
  filterTitle: '按游戏筛选',
  filterLabel: (name: string) => `按游戏筛选：${name}`,
  start: '去估价',
  more: '更多',
  /** replaces payment wording where it is not allowed, and that of refunds where nothing was paid */
  plainStatus: { UNPAID: '待处理', REFUNDING: '取消中', REFUNDED: '已取消' },
  paid: (fen: number) => `实付 ${yuan(fen)}`,
  toPay: (fen: number) => `待付 ${yuan(fen)}`,
  refunded: (fen: number) => `已退 ${yuan(fen)}，原路返回`,
  refunding: (fen: number) => `退款 ${yuan(fen)} 处理中`,
  payLeft: '剩余',
  /** status of a report whose unlock waits for a payment */
  toUnlock: '待支付',
  due: (at: number, now: number) => `${momentText(at, now)} 前出报告`,

  // comparing
  pick: '选择对比',
  pickEnd: '退出对比',
  pickNote: '选择同一游戏的 2–4 份报告',
  pickFull: '最多对比 4 份',
  pickOther: '只能对比同一游戏',
  pickNot: '没有可对比的报告',
  pickGo: (n: number) => `开始对比（${n}）`,

  // cancel, refund
  cancelTitle: '取消订单',
  refundTitle: '申请退款',
  other: '补充说明',
  otherHint: '请简单说明（100 字以内）',
  cancelUnpaid: '订单还没有付款。',
  cancelAi: '取消后本次估价不再继续。',
  cancelPaid: (fen: number) => `还没有估价师接单，取消后全额退款 ${yuan(fen)}，原路返回。`,
  // nothing was paid
  cancelUnpriced: '还没有估价师接单，可以直接取消。',
  cancelReviewUnpriced: '估价师已开始处理，申请会在 24 小时内答复。',
  cancelCoupon: '取消后所用的优惠券会退回（已过有效期的除外）。',
  cancelReview: '估价师已开始处理，申请会在 24 小时内答复，默认全额退款。',
  refundReview: '报告已经解锁，退款由客服审核：确认资料或计算有误的，全额退款。',
  cancelYes: '确认取消',
  refundYes: '提交申请',
  keep: '再想想',
  reasonNeed: '请选择一个原因',
  otherNeed: '请填写补充说明',
  canceled: '订单已取消',
  refundSent: '申请已提交',

  supply: {
    title: '补充资料',
    label: '补充内容（文字、截图至少一项）',
    hint: '按估价师的要求补充，200 字以内',
    yes: '提交补充',
    done: '已提交，估价师会继续处理',
  },
  revaluation: {
    title: '申请复估',
    label: '哪里不对',
    hint: '例如：皮肤数量、区服有误（200 字以内）',
    yes: '提交复估',
    done: '已提交，估价师会重新核对',
  },
  revaluationNote: '每笔订单可免费复估一次，原报告会保留。',
  revaluationNeed: '请写明复估的原因',
  textNeed: '请先填写内容或添加截图',
  supplyPictures: '截图',

  added: '追加评价',
  removeTitle: '删除记录',
  removeBody: (title: string) => `从列表里删除“${title}”？删除后不能恢复。`,
  removeYes: '删除',
  removed: '已删除',
  urged: '已提醒估价师，请稍候',
} as const
