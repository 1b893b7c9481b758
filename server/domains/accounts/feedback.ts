import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { visibleText } from '@/contract/rules'
import { DAY_MS } from '@/contract/time'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import type { OpenCtx, UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { requirePictures } from '../../providers/storage/port'
import { contactIssue, secretIssue } from '../shared/contact-details'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { lockUser } from '../shared/locks'
import { newId } from '../shared/secrets'
import { notify } from './notifications/send'

/** feedback per user and day */
const PER_DAY = 10
/** characters of feedback without surrounding white space */
const CONTENT_MIN = 10
/** characters of a reply */
const REPLY_MAX = 500

/**
 * Stores feedback of a user, with pictures of their own.
 * @throws AppError VALIDATION_FAILED, REQUEST_TOO_BUSY_PLEASE_WAIT after 10 a day
 */
export async function submitFeedback(ctx: UserCtx, req: Req<'user', 'submitFeedback'>): Promise<{ id: string }> {
  const { db, userId, clock, encryption } = ctx
  const { type, images = [], contact = '' } = req
  const content = req.content.trim()
  if (Array.from(visibleText(content)).length < CONTENT_MIN)
    throw invalid([{ path: 'content', msg: `请至少填写 ${CONTENT_MIN} 个字` }])
  await requirePictures(ctx, images, 'images')
  const now = clock.now()
  const row = {
    id: newId(),
    user_id: userId,
    type,
    content,
    images: JSON.stringify(images),
    contact_sealed: contact.trim() === '' ? null : encryption.encrypt(contact.trim(), userId),
    created_at: now,
  }
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if ((await countToday(tx, userId, now)) >= PER_DAY)
      throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: `每天最多提交 ${PER_DAY} 条反馈，请明天再来` })
    await tx.insertInto('feedback').values(row).execute()
  })
  return { id: row.id }
}

async function countToday(tx: Db, userId: string, now: number): Promise<number> {
  const { n } = await tx
    .selectFrom('feedback')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('created_at', '>', now - DAY_MS)
    .where('created_at', '<=', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirstOrThrow()
  return n
}

/** The user's own feedback with replies, newest first. */
export async function feedbackList(
  ctx: UserCtx,
  req: Req<'user', 'feedbackList'>,
): Promise<Res<'user', 'feedbackList'>> {
  const { db, userId, encryption } = ctx
  const { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT } = req
  const mine = db.selectFrom('feedback').where('user_id', '=', userId)
  const rows = await mine
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute()
  const { n } = await mine.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return {
    list: rows.map((row) => ({
      id: row.id,
      type: row.type as Req<'user', 'submitFeedback'>['type'],
      content: row.content,
      images: row.images,
      status: row.status,
      createdAt: row.created_at,
      ...(row.contact_sealed !== null && { contact: encryption.decrypt(row.contact_sealed, userId) }),
      ...(row.reply !== null && { reply: row.reply }),
      ...(row.replied_at !== null && { repliedAt: row.replied_at }),
    })),
    total: n,
    pageNo,
    pageSize,
  }
}

/** How many users have given feedback (an exact count). */
export async function feedbackUserCount({ db }: OpenCtx): Promise<{ n: number }> {
  const { n } = await db
    .selectFrom('feedback')
    .select((e) => e.fn.count<number>('user_id').distinct().as('n'))
    .executeTakeFirstOrThrow()
  return { n }
}

/** Marks the feedback as being handled. @returns false when it already is */
export async function receiveFeedback(tx: Db, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('feedback')
    .set({ status: 'PROCESSING' })
    .where('id', '=', id)
    .where('status', '=', 'SUBMITTED')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores the only reply and notifies the user.
 * @throws AppError VALIDATION_FAILED, ORDER_STATUS_CHANGED when it was already replied to
 */
export async function replyFeedback(tx: Db, { id, reply, now }: { id: string; reply: string; now: number }) {
  const text = reply.trim()
  if (visibleText(text) === '' || text.length > REPLY_MAX)
    throw invalid([{ path: 'reply', msg: `请填写回复（1-${REPLY_MAX} 字），用户会看到` }])
  const msg = contactIssue(text) ?? secretIssue(text)
  if (msg) throw invalid([{ path: 'reply', msg }])
  const row = await tx
    .updateTable('feedback')
    .set({ status: 'REPLIED', reply: text, replied_at: now })
    .where('id', '=', id)
    .where('status', '<>', 'REPLIED')
    .returning('user_id')
    .executeTakeFirst()
  if (!row) throw new AppError('ORDER_STATUS_CHANGED', { msg: '这条反馈已经回复过了' })
  await notify(tx, {
    userId: row.user_id,
    type: 'SYSTEM',
    title: '您的反馈有回复了',
    summary: text.length > 60 ? `${text.slice(0, 60)}…` : text,
    body: text,
    bizType: 'SYSTEM',
    bizId: id,
    now,
  })
}
