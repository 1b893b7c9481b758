import { SERVICE_HOURS } from '@/contract/appraisal'
import { visibleText } from '@/contract/rules'
import type { ChatCard, ChatMessage, Req } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { requirePictures } from '../../providers/storage/port'
import { openQuestion } from '../orders/appraising/questions'
import { findOrder } from '../orders/list'
import { lockUser } from '../shared/locks'
import { isWithinWorkingHours, workingTimeFrom } from '../shared/working-hours'
import { maskPersonalData } from './mask'
import { toMessage } from './read'
import { addMessages, findDuplicateMessage, lockChat, type NewMessage } from './write'

const ADVICE = '为了您的安全，消息里的手机号、证件号或密码已隐藏。官方不会索要密码、验证码或保证金。'
const CLOSED = `现在不在工作时间（每天 ${SERVICE_HOURS}）。您的消息已收到，我们会在今天 09:00 上班后尽快回复您。`

type Sent = Req<'chat', 'send'>

async function cardOf(ctx: UserCtx, { type, content }: Sent): Promise<ChatCard> {
  const { orderId, reportNo, gameName, title, mode, statusText } = await findOrder(ctx, content)
  if (type === 'REPORT_CARD' && !reportNo) throw invalid([{ path: 'content', msg: '这个订单还没有报告' }])
  return { orderId, gameName, title, mode, statusText, ...(type === 'REPORT_CARD' && reportNo && { reportNo }) }
}

/** Validates and normalises a message. @throws AppError VALIDATION_FAILED, NOT_FOUND for an order of another user */
async function compose(ctx: UserCtx, sent: Sent): Promise<{ message: Omit<NewMessage, 'sender'>; hidden: boolean }> {
  const { type, content } = sent
  if (type === 'IMAGE') {
    await requirePictures(ctx, [content], 'content')
    return { message: { type, image: content }, hidden: false }
  }
  if (type !== 'TEXT') return { message: { type, card: await cardOf(ctx, sent) }, hidden: false }
  const { text, hidden } = maskPersonalData(content.trim())
  if (visibleText(text) === '') throw invalid([{ path: 'content', msg: '请输入要发送的内容' }])
  return { message: { type, body: text }, hidden }
}

async function limitSending({ limits, userId }: UserCtx) {
  if (!(await limits.take('chat', userId)) || !(await limits.take('chatDay', userId)))
    throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '消息发送太频繁，请稍后再发' })
}

/**
 * Stores a message of the user and adds automatic replies: outside working hours (once per night), and when something
 * was masked. With an order it is a question to that order's appraiser, which the consultants need not answer.
 * Idempotent by `clientId`.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, ORDER_STATUS_CHANGED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function sendMessage(ctx: UserCtx, sent: Sent): Promise<ChatMessage> {
  const { db, userId, clock } = ctx
  const duplicate = await findDuplicateMessage(db, userId, sent.clientId)
  if (duplicate) return toMessage(ctx, duplicate)
  await limitSending(ctx)
  const { message, hidden } = await compose(ctx, sent)
  const now = clock.now()
  const { orderId } = sent
  const opens = workingTimeFrom(now, 0)
  const row = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (orderId) await openQuestion(tx, { orderId, userId, now })
    const chat = await lockChat(tx, userId, now)
    // a concurrent request has stored the same message
    const twin = await findDuplicateMessage(tx, userId, sent.clientId)
    if (twin) return twin
    const announceClosed = !isWithinWorkingHours(now) && chat.told_until < opens
    const system = [...(hidden ? [ADVICE] : []), ...(announceClosed ? [CLOSED] : [])]
    const [first] = await addMessages(
      tx,
      chat,
      [
        { ...message, sender: 'USER', clientId: sent.clientId, orderId },
        ...system.map((body) => ({ type: 'SYSTEM', sender: 'SYSTEM', body, orderId }) as const),
      ],
      { ...(!orderId && { waiting_since: chat.waiting_since ?? now }), ...(announceClosed && { told_until: opens }) },
    )
    return first
  })
  if (!row) throw new AppError('INTERNAL_ERROR')
  return toMessage(ctx, row)
}
