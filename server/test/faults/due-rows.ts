/** Rows that jobs have to act on one by one, by job. */
import type { Kysely } from 'kysely'
import type { DB } from '../../db/tables'
import type { TestServer } from '../harness'
import { manualOrderRequest } from '../pay/requests'
import { type Buyer, COUPON_TEMPLATE, type Fixture } from './fixture'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** ms: far in the past, so due by any clock */
const PAST = 1
const REASON = { reason: '不想估了', remark: '' }
interface Maker {
  server: TestServer
  db: Kysely<DB>
  fixture: Fixture
  buyer: Buyer
  /** index of the row */
  nth: number
}

interface DueRows {
  /** name of the job */
  job: string
  /** Inserts a row the job must process. @returns its id */
  make(maker: Maker): Promise<string>
  /** Whether the job has processed it. */
  isDone(db: Kysely<DB>, id: string): Promise<boolean>
}

async function unpaid({ server, fixture, buyer }: Maker): Promise<string> {
  const { body } = await server.call('evaluation', 'submitManual', manualOrderRequest(fixture.config), {
    token: buyer.token,
  })
  return body.data.orderId
}

async function withPayment(maker: Maker): Promise<string> {
  const orderId = await unpaid(maker)
  const { token } = maker.buyer
  const { body } = await maker.server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, { token })
  if (!body.success) throw new Error(body.msg)
  return orderId
}

async function paid(maker: Maker): Promise<string> {
  const orderId = await withPayment(maker)
  await maker.server.app.inject({ method: 'POST', url: '/sandbox/pay', payload: { orderId, result: 'SUCCESS' } })
  return orderId
}

const orderIs =
  (test: (row: { status: string; late_coupon_at: number | null }) => boolean): DueRows['isDone'] =>
  async (db, id) => {
    const row = db.selectFrom('orders').select(['status', 'late_coupon_at']).where('id', '=', id)
    return test(await row.executeTakeFirstOrThrow())
  }

async function insertCoupon({ db, buyer, nth }: Maker, job: string, end_at: number): Promise<string> {
  const coupon_id = `${job}${nth}`
  await db
    .insertInto('user_coupons')
    .values({
      ...{ coupon_id, template_id: COUPON_TEMPLATE, user_id: buyer.userId, nth: 500 + nth, status: 'UNUSED' },
      ...{ start_at: 0, end_at, received_at: 0, used_at: null, order_id: null },
    })
    .execute()
  return coupon_id
}

const couponOf = (db: Kysely<DB>, id: string) =>
  db.selectFrom('user_coupons').select(['status', 'warned']).where('coupon_id', '=', id).executeTakeFirstOrThrow()

export const dueRows: readonly DueRows[] = [
  {
    job: 'payments that wait',
    async make(maker) {
      const orderId = await withPayment(maker)
      const { id } = await maker.db
        .updateTable('payments')
        .set({ next_ask_at: PAST, expire_at: PAST })
        .where('order_id', '=', orderId)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async isDone(db, id) {
      const row = db.selectFrom('payments').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status === 'CLOSED'
    },
  },
  {
    job: 'order deadlines',
    async make(maker) {
      const id = await unpaid(maker)
      await maker.db.updateTable('orders').set({ pay_expire_at: PAST }).where('id', '=', id).execute()
      return id
    },
    isDone: orderIs(({ status }) => status === 'CLOSED'),
  },
  {
    job: 'unanswered refunds',
    async make(maker) {
      const { db, server, buyer } = maker
      const id = await paid(maker)
      await db.updateTable('orders').set({ status: 'ASSIGNED', assigned_at: PAST }).where('id', '=', id).execute()
      await db
        .insertInto('order_events')
        .values({ order_id: id, at: Date.now(), from_status: 'PAID', to_status: 'ASSIGNED' })
        .execute()
      await server.call('evaluation', 'applyCancel', { orderId: id, ...REASON }, { token: buyer.token })
      await db.updateTable('orders').set({ refund_due_at: PAST }).where('id', '=', id).execute()
      return id
    },
    isDone: orderIs(({ status }) => status === 'REFUNDED'),
  },
  {
    job: 'late coupons',
    async make(maker) {
      const id = await paid(maker)
      await maker.db
        .updateTable('orders')
        .set({ due_at: Date.now() - HOUR })
        .where('id', '=', id)
        .execute()
      return id
    },
    isDone: orderIs((row) => row.late_coupon_at !== null),
  },
  {
    job: 'refunds',
    async make(maker) {
      const orderId = await paid(maker)
      await maker.server.call('evaluation', 'applyCancel', { orderId, ...REASON }, { token: maker.buyer.token })
      const row = maker.db.selectFrom('refunds').select('id').where('order_id', '=', orderId)
      return (await row.executeTakeFirstOrThrow()).id
    },
    async isDone(db, id) {
      const row = db.selectFrom('refunds').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status === 'DONE'
    },
  },
  {
    job: 'coupon reminders',
    make: (maker) => insertCoupon(maker, 'reminder', Date.now() + DAY),
    isDone: async (db, id) => (await couponOf(db, id)).warned,
  },
  {
    job: 'collection expiry',
    async make({ db, fixture, nth }) {
      const id = `expire${nth}`
      await db
        .insertInto('collection_tasks')
        .values({
          ...{ id, user_id: fixture.buyers[nth]?.userId ?? '', game_id: 'ys', login_type: 'QR', schema_version: 1 },
          ...{ status: 'WAIT_SCAN', lookup: '{}', created_at: PAST, changed_at: PAST, expire_at: PAST },
        })
        .execute()
      return id
    },
    async isDone(db, id) {
      const row = db.selectFrom('collection_tasks').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status === 'EXPIRED'
    },
  },
  {
    job: 'account cancellations',
    async make({ db, server, nth }) {
      const { userId } = await server.login(`1370000000${nth}`)
      await db.updateTable('users').set({ deletion_at: PAST }).where('id', '=', userId).execute()
      return userId
    },
    async isDone(db, id) {
      const row = db.selectFrom('users').select('erased').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).erased
    },
  },
  {
    job: 'deletion outbox',
    async make({ db, nth }) {
      const ref = `nobody${nth}`
      await db.insertInto('deletion_outbox').values({ kind: 'PICTURES', ref, due_at: PAST }).execute()
      return ref
    },
    isDone: async (db, ref) =>
      (await db.selectFrom('deletion_outbox').select('ref').where('ref', '=', ref).execute()).length === 0,
  },
]
