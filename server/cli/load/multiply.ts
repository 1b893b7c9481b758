/** Multiplies the rows of the templates inside the database: one statement per table, no row leaves the server. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { MESSAGE_RETENTION_MS } from '../../domains/notifications/list'
import { REPORT_LIFETIME_MS } from '../../domains/reports/validity'
import { newId } from '../../domains/shared/secrets'
import type { Templates } from './templates'

/** ms over which the copied orders are spread; their users are older */
const SPREAD = 180 * DAY_MS
/** every n-th user shows own reports as examples */
const SHOWN_EVERY = 33
/** every n-th report is paid for */
const PAID_EVERY = 5
/** orders of the first user, at most; erasing such an account is measured */
const MAX_ORDERS_OF_ONE = 372

export interface Amounts {
  users: number
  orders: number
  /** at most `orders`: the rest found too few sales */
  reports: number
}

interface RowCopy {
  table: keyof DB
  /** SQL behind `from`: `t` are rows of the template, `l` those to be made */
  from: RawBuilder<unknown>
  /** SQL of columns that differ from the template's */
  set?: Record<string, RawBuilder<unknown>>
}

const isTime = (column: string) => /(^|_)at$|_until$/.test(column)

/** Copies rows; times move back by the age `l.ago`. @returns how many were made */
async function copyRows(db: Db, { table, from, set = {} }: RowCopy): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'NO'`.execute(db)
  const names = rows.map(({ name }) => name)
  const values = names.map(
    (name) => set[name] ?? (isTime(name) ? sql`t.${sql.ref(name)} - l.ago` : sql`t.${sql.ref(name)}`),
  )
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} ${from}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** A random-looking id of 20 characters: sequential ones would make every index better than it is in production. */
const idOf = (salt: string, what: string, n: RawBuilder<unknown>) =>
  sql<string>`substr(md5(${salt} || ${what} || ${n}), 1, 20)`

async function makeUsers(db: Db, { userId }: Templates, { users }: Amounts, salt: string, mobile: number) {
  await sql`
    create temp table load_users on commit drop as
    select n, ${idOf(salt, 'user', sql`n`)} as id, ${idOf(salt, 'coupon', sql`n`)} as coupon_id,
      (${SPREAD}::float8 * (1 + random()))::bigint as ago from generate_series(0, ${users - 1}::int) n`.execute(db)
  await copyRows(db, {
    table: 'users',
    from: sql`from load_users l, users t where t.id = ${userId}`,
    set: {
      id: sql`l.id`,
      mobile: sql`(${mobile}::bigint + l.n)::text`,
      settings: sql`t.settings || jsonb_build_object('showAsExample', l.n % ${sql.lit(SHOWN_EVERY)} = 0)`,
    },
  })
  await copyRows(db, {
    table: 'user_coupons',
    from: sql`from load_users l, user_coupons t where t.user_id = ${userId}`,
    // users are older than the coupon is valid
    set: { coupon_id: sql`l.coupon_id`, user_id: sql`l.id`, status: sql`'EXPIRED'` },
  })
  await sql`
    update coupon_templates set given = given + ${users}
    where template_id in (select template_id from user_coupons where user_id = ${userId})`.execute(db)
  await sql`create unique index on load_users (n)`.execute(db)
  await sql`analyze load_users`.execute(db)
}

async function planOrders(db: Db, { orders }: Templates, amounts: Amounts, salt: string) {
  await sql`create temp table load_templates (kind text, place int, order_id text, kinds int) on commit drop`.execute(
    db,
  )
  for (const kind of ['LOCKED', 'PAID', 'INSUFFICIENT'] as const) {
    const own = orders.filter((template) => template.kind === kind)
    for (const [place, { orderId }] of own.entries())
      await sql`insert into load_templates values (${kind}, ${place}, ${orderId}, ${own.length})`.execute(db)
  }
  const many = Math.min(MAX_ORDERS_OF_ONE, Math.ceil(amounts.orders / 100))
  await sql`
    create temp table load_orders on commit drop as
    select l.*, r.report_no as template_report, t.order_id as template, u.id as user_id,
      l.ago > ${REPORT_LIFETIME_MS}::bigint as over, ${idOf(salt, 'order', sql`l.n`)} as id, ${idOf(salt, 'pay', sql`l.n`)} as payment_id,
      'E' || upper(${idOf(salt, 'no', sql`l.n`)}) as order_no, 'GZ' || upper(${idOf(salt, 'report', sql`l.n`)}) as report_no
    from (
      select n, case when n >= ${amounts.reports}::int then 'INSUFFICIENT' when n % ${sql.lit(PAID_EVERY)} = 0 then 'PAID'
          else 'LOCKED' end as kind,
        case when n < ${many}::int then 0 else floor(random() * ${amounts.users}::int)::int end as user_n,
        -- an order without a valuation is closed after days
        (case when n >= ${amounts.reports}::int then ${REPORT_LIFETIME_MS}::float8 else 0 end
          + random() * (${SPREAD - REPORT_LIFETIME_MS}::float8))::bigint as ago
      from generate_series(0, ${amounts.orders - 1}::int) n) as l
    join load_templates t on t.kind = l.kind and t.place = (l.n / ${sql.lit(PAID_EVERY)}) % t.kinds
    left join reports r on r.order_id = t.order_id
    join load_users u on u.n = l.user_n`.execute(db)
  await sql`analyze load_orders`.execute(db)
}

/** Status after the deadline of a status, see domains/orders/deadlines.ts. */
const endOf = sql`case t.status when 'REPORTED' then 'EXPIRED' when 'UNLOCKED' then 'DONE' else 'CLOSED' end`

async function makeOrders(db: Db) {
  const of = (table: keyof DB) => sql`from load_orders l join ${sql.table(table)} t on t.order_id = l.template`
  const orderId = sql`l.id`
  const userId = sql`l.user_id`
  await copyRows(db, {
    table: 'orders',
    from: sql`from load_orders l join orders t on t.id = l.template`,
    set: {
      id: orderId,
      order_no: sql`l.order_no`,
      user_id: userId,
      report_no: sql`case when t.report_no is not null then l.report_no end`,
      request_key: sql`l.id || ':'`,
      status: sql`case when l.over then ${endOf} else t.status end`,
      done_at: sql`case when l.over and t.status = 'UNLOCKED' then t.reported_at - l.ago + ${REPORT_LIFETIME_MS}::bigint end`,
    },
  })
  console.error('▸ orders')
  const reports = await copyRows(db, {
    table: 'reports',
    from: of('reports'),
    set: { report_no: sql`l.report_no`, order_id: orderId, user_id: userId, account_id: sql`left(l.id, 8)` },
  })
  console.error('▸ reports')
  await copyRows(db, { table: 'order_events', from: of('order_events'), set: { order_id: orderId } })
  await sql`
    insert into order_events (order_id, at, from_status, to_status, actor, note)
    select l.id, t.created_at - l.ago + ${REPORT_LIFETIME_MS}::bigint, t.status, ${endOf}, 'system', ''
    from load_orders l join orders t on t.id = l.template where l.over`.execute(db)
  await copyRows(db, {
    table: 'payments',
    from: of('payments'),
    set: { id: sql`l.payment_id`, order_id: orderId, user_id: userId, txn: sql`l.payment_id` },
  })
  await copyRows(db, {
    table: 'ledger',
    from: of('ledger'),
    set: { order_id: orderId, payment_id: sql`l.payment_id`, txn: sql`l.payment_id` },
  })
  await copyRows(db, {
    table: 'messages',
    from: sql`from load_orders l join messages t on t.biz_id in (l.template, l.template_report)
      where l.ago < ${MESSAGE_RETENTION_MS}::bigint`,
    set: {
      id: sql`substr(md5(l.id || t.id), 1, 20)`,
      user_id: userId,
      biz_id: sql`case t.biz_id when l.template then l.id else l.report_no end`,
      link: sql`replace(replace(t.link, l.template, l.id), l.template_report, l.report_no)`,
      read: sql`l.ago > ${DAY_MS}::bigint`,
    },
  })
  return reports
}

const filled = ['users', 'user_coupons', 'orders', 'reports', 'order_events', 'payments', 'ledger', 'messages'] as const

/** Drops the tables' indexes that are no constraints while the work runs: building them afterwards is much faster. */
async function withoutIndexes(tx: Db, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid in (${sql.join(filled.map((table) => sql`${table}::regclass`))})
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(tx)
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(tx)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(tx)
}

/** Switches off the triggers that check foreign keys, where the role may: every row has its parent. */
async function setUp(tx: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local maintenance_work_mem = '512MB'`.execute(tx)
  const { rows } = await sql<{ rolsuper: boolean }>`
    select rolsuper from pg_roles where rolname = current_user`.execute(tx)
  if (rows[0]?.rolsuper) await sql`set local session_replication_role = replica`.execute(tx)
}

/**
 * Adds copies of the templates: users with a coupon, and orders with report, events, payment, ledger and messages, as
 * they would be after half a year. Consistent: `npm run books:check` finds no difference. One transaction, so a failure
 * leaves nothing behind; the tables are locked until it ends.
 * @param mobile first of the users' numbers
 */
export async function multiply(db: Kysely<DB>, templates: Templates, amounts: Amounts, mobile: number): Promise<void> {
  const salt = newId()
  await db.transaction().execute(async (tx) => {
    await setUp(tx)
    await withoutIndexes(tx, async () => {
      await makeUsers(tx, templates, amounts, salt, mobile)
      console.error('▸ users')
      await planOrders(tx, templates, amounts, salt)
      await makeOrders(tx)
      console.error('▸ order_events, payments, ledger, messages')
    })
  })
  // index-only scans need the visibility map
  for (const table of filled) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}
