import type { Db } from '../../db/database'

/** Actions of the desk's log as text. */
export const deskActionText = {
  LOGIN: '登录',
  PASSWORD: '修改密码',
  TAKE: '接单',
  ASK: '要求补充资料',
  FIRST: '提交首次估价',
  OPINION: '给出估价',
  DELIVER: '交付报告',
  REVISE: '交付复估报告',
  REFUND_BEGIN: '主动退款',
  SALE: '登记成交价',
  REFUND_GRANT: '同意退款',
  REFUND_REFUSE: '拒绝退款',
  FEEDBACK_TAKE: '受理反馈',
  FEEDBACK_REPLY: '回复反馈',
  CHAT_REPLY: '回复咨询',
  CHAT_DONE: '咨询无需回复',
  QUESTION_REPLY: '回答提问',
  QUESTION_DONE: '提问无需回答',
  STAFF_ADD: '新增账号',
  STAFF_GAMES: '修改负责的游戏',
  STAFF_CONTACT: '修改顾问的联系方式',
  STAFF_PROFILE: '修改估价师的介绍',
  STAFF_RESET: '重置密码',
  STAFF_OFF: '停用账号',
  STAFF_ON: '启用账号',
  REFUND_ALLOW: '放行自动退款',
  JOB_RETRY: '再试隔离的任务',
  BANNER_ADD: '新增首页内容',
  BANNER_EDIT: '修改首页内容',
  BANNER_ON: '上架首页内容',
  BANNER_OFF: '下架首页内容',
  COUPON_ADD: '新增优惠券',
  COUPON_END: '结束优惠券',
  MESSAGE_ALL: '给全部用户发消息',
  MESSAGE_WITHDRAW: '撤回发给全部用户的消息',
  SALE_ACCEPT: '采用待核的成交',
  SALE_REFUSE: '不采用待核的成交',
  SALE_REMOVE: '移除成交',
  PARTNER_SETTLE: '恢复使用合作方的成交',
  MODEL_USE: '换上模型',
  MODEL_TRAIN: '要求重新训练模型',
  PARTNER_ADD: '新增合作方',
  PARTNER_RENEW: '更换合作方密钥',
  PARTNER_STOP: '停用合作方',
  PARTNER_RESUME: '启用合作方',
} as const
export type DeskAction = keyof typeof deskActionText

export interface DeskEntry {
  action: DeskAction
  orderId?: string
  subject?: string
  /** text without personal data */
  note?: string
}

/** Adds to the desk's log. Call in the transaction of the action, so that both are committed or neither. */
export async function logDesk(
  tx: Db,
  { staffId, action, now, orderId, subject = '', note = '' }: DeskEntry & { staffId: string; now: number },
): Promise<void> {
  await tx
    .insertInto('desk_log')
    .values({ at: now, staff_id: staffId, action, order_id: orderId ?? null, subject, note })
    .execute()
}
