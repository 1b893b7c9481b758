import { sql } from 'kysely'
import type { OrderStatus } from '@/contract/orderStatus'
import { FEEDBACK_PAGE, RECORDS_PAGE, SETTINGS_PAGE, SMS_LOGIN_PAGE } from '@/contract/pages'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { Deps, UserCtx } from '../../core/context'
import type { Encryption } from '../../core/encryption'
import type { Db } from '../../db/database'
import { revokeShares } from '../reports/publishing/share'
import { queueDeletion } from '../shared/deletion-outbox'
import { rowsJob } from '../shared/due-rows'
import { lockUser } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { deleteMobileAttempts } from './login/password-attempts'
import { revokeAccess } from './login/revoke-access'
import { withVerifiedCode } from './login/sms'
import { notify } from './notifications/send'
import { unlinkReporter } from './reporter-hashes'

const SCENE_DELETE_ACCOUNT = 5
/** ms during which a login revokes the deletion */
const COOLING_OFF = 15 * DAY_MS
/** ms the keyed hash of a deleted account's number is kept, as stated in the collected-data list */
export const KEEP_MOBILE_HASH = 365 * DAY_MS
const FEEDBACK_COMPLAINT = 5

type State = Res<'user', 'checkLoginOff'>

const unfinished: readonly OrderStatus[] = [
  'WAIT_AUTH',
  'PROCESSING',
  'UNPAID',
  'PAID',
  'ASSIGNED',
  'WAIT_INFO',
  'REVALUING',
]

/** What prevents the deletion of the account, each with the page where it is dealt with. */
async function blockersOf(db: Db, userId: string, now: number): Promise<State['blockers']> {
  const { orders, payments, refunds, surplus, complaints, withoutMobile } = await db
    .selectNoFrom((e) => {
      const mine = e.selectFrom('orders').where('user_id', '=', userId).where('deleted_at', 'is', null)
      const count = (status: readonly string[]) =>
        mine.where('status', 'in', status).select((o) => o.fn.countAll<number>().as('n'))
      return [
        count(unfinished).as('orders'),
        // such a payment may still be completed, also for an order that no longer needs it. A day after its time limit
        // it is open only because its provider was removed or does not respond
        e
          .selectFrom('payments')
          .where('user_id', '=', userId)
          .where('status', 'in', ['CREATED', 'CLOSING'])
          .where('expire_at', '>', now - DAY_MS)
          .select((p) => p.fn.countAll<number>().as('n'))
          .as('payments'),
        count(['REFUNDING']).as('refunds'),
        // refunds of surplus payments, whose orders are not REFUNDING
        e
          .selectFrom('refunds')
          .innerJoin('payments', 'payments.id', 'refunds.payment_id')
          .where('payments.user_id', '=', userId)
          .where('refunds.surplus', '=', true)
          .where('refunds.status', 'in', ['PENDING', 'PROCESSING'])
          .select((r) => r.fn.countAll<number>().as('n'))
          .as('surplus'),
        e
          .selectFrom('feedback')
          .where('user_id', '=', userId)
          .where('type', '=', FEEDBACK_COMPLAINT)
          .where('status', '<>', 'REPLIED')
          .select((f) => f.fn.countAll<number>().as('n'))
          .as('complaints'),
        // the confirmation code is sent to the mobile number
        e
          .selectFrom('users')
          .where('id', '=', userId)
          .where('mobile', 'is', null)
          .select((u) => u.fn.countAll<number>().as('n'))
          .as('withoutMobile'),
      ]
    })
    .executeTakeFirstOrThrow()
  const returning = (refunds ?? 0) + (surplus ?? 0)
  const all = [
    { type: 'ORDER', n: orders, text: `有 ${orders} 个未完成的订单`, link: pageLink(RECORDS_PAGE, { tab: 'ING' }) },
    // payments of unfinished orders end with these orders
    {
      type: 'ORDER',
      n: orders ? 0 : payments,
      text: `有 ${payments} 笔支付还没有结果，请稍后再试`,
      link: pageLink(RECORDS_PAGE),
    },
    {
      type: 'REFUND',
      n: returning,
      text: `有 ${returning} 笔退款处理中`,
      link: pageLink(RECORDS_PAGE, { tab: 'REFUND' }),
    },
    {
      type: 'COMPLAINT',
      n: complaints,
      text: `有 ${complaints} 条投诉处理中`,
      link: pageLink(FEEDBACK_PAGE),
    },
    {
      type: 'MOBILE',
      n: withoutMobile,
      text: '还没有绑定手机号，无法确认是您本人',
      link: pageLink(SMS_LOGIN_PAGE, { bind: '1', redirect: pageLink(SETTINGS_PAGE) }),
    },
  ] as const
  return all.filter(({ n }) => (n ?? 0) > 0).map(({ type, text, link }) => ({ type, text, link }))
}

export async function checkLoginOff({ db, userId, clock }: UserCtx): Promise<State> {
  const blockers = await blockersOf(db, userId, clock.now())
  return { canOff: blockers.length === 0, blockers }
}

/**
 * Requests deletion of the account, confirmed by an SMS code. It is carried out after 15 days. All access
 * (`revokeAccess`) and all shares of reports are withdrawn at once; until then a login by number or password revokes the
 * deletion, and reports can be shared again.
 * @throws AppError SMS_CODE_WRONG, SMS_CODE_EXPIRED
 * @returns `canOff: false` with the reasons when something prevents it; the account is unchanged then
 */
export async function loginOff(ctx: UserCtx, req: { code: string; reason?: string }): Promise<State> {
  const { db, userId, clock } = ctx
  const state = await checkLoginOff(ctx)
  if (!state.canOff) return state
  const user = await db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst()
  if (!user?.mobile) throw new AppError('NOT_LOGGED_IN')
  const { mobile } = user
  const effectiveAt = clock.now() + COOLING_OFF
  return withVerifiedCode<State>(ctx, { mobile, scene: SCENE_DELETE_ACCOUNT, code: req.code }, async (tx) => {
    // check again under the lock: an order or a complaint may have been created since
    await lockUser(tx, userId)
    const blockers = await blockersOf(tx, userId, clock.now())
    if (blockers.length > 0) return { canOff: false, blockers }
    await tx
      .updateTable('users')
      .set({ deletion_at: effectiveAt, deletion_reason: req.reason?.trim() || null })
      .where('id', '=', userId)
      .execute()
    await revokeAccess(tx, { userId, now: clock.now() })
    await revokeShares(tx, { userId, now: clock.now() })
    return { ...state, effectiveAt }
  })
}

/** A login during the cooling-off period revokes the deletion and notifies the user. Part of every login. */
export async function revokeAccountDeletion(tx: Db, userId: string, now: number): Promise<void> {
  const stayed = await tx
    .updateTable('users')
    .set({ deletion_at: null, deletion_reason: null })
    .where('id', '=', userId)
    .where('deletion_at', '>', now)
    .where('erased', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (!stayed) return
  const text = '您重新登录了，账号注销已撤回。如果不是您本人操作，请修改密码并联系客服。'
  await notify(tx, { userId, type: 'SYSTEM', title: '注销已撤回', summary: text, bizType: 'SYSTEM', now })
}

/** Tables with rows of a user, and how account deletion treats them; a test compares this list with the database. */
export const userDataTables = {
  deleted: [
    'collection_tasks',
    'game_requests',
    'reviews',
    'sessions',
    'real_names',
    'messages',
    'feedback',
    'uploads',
    'user_coupons',
    'report_shares',
    'reports',
    'unlock_records',
    'unlock_helps',
    'ad_nonces',
    'chats',
    'chat_messages',
    'wechat_logins',
    'former_ids',
    'account_names',
    'data_exports',
    'screenshot_tasks',
    'sale_followups',
  ],
  /** anonymised and kept for accounting */
  kept: ['orders', 'payments'],
} as const

/** Schedules deletion of external data: pictures, and reads that a collector may still hold. */
async function deleteOutside(tx: Db, userId: string, now: number): Promise<void> {
  const reads = await tx
    .selectFrom('collection_tasks')
    .select('ref')
    .where('user_id', '=', userId)
    .where('forgotten_at', 'is', null)
    .execute()
  await queueDeletion(
    tx,
    'READ',
    reads.flatMap(({ ref }) => ref ?? []),
    now,
  )
  const former = await tx.selectFrom('former_ids').select('former_id').where('user_id', '=', userId).execute()
  await queueDeletion(tx, 'PICTURES', [userId, ...former.map((row) => row.former_id)], now)
}

interface AccountToDelete {
  userId: string
  mobile: string | null
  now: number
}

/** Deletes all personal data. Orders that money went through stay as anonymous rows. */
export async function deletePersonalData(
  tx: Db,
  encryption: Encryption,
  { userId, mobile, now }: AccountToDelete,
): Promise<void> {
  await unlinkReporter(tx, encryption, userId)
  await deleteOutside(tx, userId, now)
  const mine = tx.selectFrom('orders').select('id').where('user_id', '=', userId)
  await tx
    .updateTable('orders')
    .set({ report_no: null, coupon_id: null, collection_task_id: null, sold_fen: null, sold_at: null })
    .where('user_id', '=', userId)
    .execute()
  for (const table of userDataTables.deleted) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  const paid = tx.selectFrom('ledger').select('order_id').where('order_id', 'in', mine)
  const free = mine.where('id', 'not in', paid)
  await tx.deleteFrom('payments').where('order_id', 'in', free).execute()
  await tx.deleteFrom('order_events').where('order_id', 'in', free).execute()
  await tx.deleteFrom('orders').where('user_id', '=', userId).where('id', 'not in', paid).execute()
  await tx
    .updateTable('orders')
    // the key is a hash of the answers: it would link the order to known account facts
    .set({ title: '', answers: '{}', paid_answers: null, request_key: '', images: '[]', remark: '' })
    .set({ cancel_reason: null, info_wanted: null, refund_answer: null, revaluation_request: null, asked_at: null })
    .where('user_id', '=', userId)
    .execute()
  const kept = tx.selectFrom('orders').select('id').where('user_id', '=', userId)
  // free-text reasons of users and staff; the unlock method is kept because the ledger check needs it
  await tx
    .updateTable('order_events')
    .set({ note: '' })
    .where('order_id', 'in', kept)
    .where((e) => e.not(e.and({ from_status: 'REPORTED', to_status: 'UNLOCKED' })))
    .execute()
  await tx.deleteFrom('appraisals').where('order_id', 'in', kept).execute()
  await tx.deleteFrom('appraisal_drafts').where('order_id', 'in', kept).execute()
  await tx.updateTable('refunds').set({ reason: '', failure: null }).where('order_id', 'in', kept).execute()
  await tx.updateTable('payments').set({ openid: null, return_url: '' }).where('user_id', '=', userId).execute()
  if (mobile === null) return
  await tx.deleteFrom('sms_codes').where('mobile', '=', mobile).execute()
  await deleteMobileAttempts(tx, mobile)
}

const hashText = (mobile: string) => `left:${mobile}`

/** Whether an account of this number was deleted within a year: newcomer gifts are not given again. */
export async function hadAccountDeleted(tx: Db, encryption: Encryption, mobile: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('left_mobiles')
    .select('left_at')
    .where('mobile_hash', 'in', encryption.hashes(hashText(mobile)))
    .where('left_at', '>', now - KEEP_MOBILE_HASH)
    .executeTakeFirst()
  return row !== undefined
}

/** Excludes this number from newcomer gifts for a year. */
export const rememberDeletedMobile = (tx: Db, encryption: Encryption, mobile: string, now: number) =>
  tx
    .insertInto('left_mobiles')
    .values({ mobile_hash: encryption.hashes(hashText(mobile))[0], left_at: now })
    .onConflict((c) => c.column('mobile_hash').doUpdateSet({ left_at: now }))
    .execute()

async function deleteAccount({ db, encryption }: Deps, userId: string, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select('mobile')
      .where('id', '=', userId)
      .where('deletion_at', '<=', now)
      .where('erased', '=', false)
      .forUpdate()
      .executeTakeFirst()
    // revoked meanwhile, or deleted by another process
    if (!user) return false
    await deletePersonalData(tx, encryption, { userId, mobile: user.mobile, now })
    if (user.mobile !== null) await rememberDeletedMobile(tx, encryption, user.mobile, now)
    await tx
      .updateTable('users')
      .set({
        mobile: `off:${userId}`,
        nickname: '已注销用户',
        avatar: '',
        password_hash: null,
        settings: sql`settings || '{"showAsExample": false}'`,
        deletion_reason: null,
        code_net: null,
        code_client: null,
        invited_by: null,
        channel: '',
        erased: true,
      })
      .where('id', '=', userId)
      .execute()
    return true
  })
}

/** Deletes accounts after the cooling-off period. */
export const deleteAccounts = rowsJob({ name: 'account cancellations', every: MINUTE_MS }, (deps, now) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('users')
      .select('id')
      .where('deletion_at', '<=', now)
      .where('erased', '=', false)
      .where(notQuarantined(sql`users.id`))
      .limit(50)
      .execute(),
  idOf: ({ id }) => id,
  process: ({ id }) => deleteAccount(deps, id, now),
}))
