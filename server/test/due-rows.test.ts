import { sql } from 'kysely'
import type { Deps } from '../core/context'
import { deadlines } from '../domains/orders/deadlines'
import { forEachDueRow } from '../domains/shared/due-rows'
import { failureReason } from '../domains/shared/failure-reason'
import type { Job } from '../domains/shared/job'
import { FORMAT } from '../engine/types'
import { jobs } from '../jobs'
import { startJobRunner } from '../jobs/runner'
import { atDesk } from './desk-session'
import { insertGames } from './games'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { readWhole, statementsOf } from './plans'

const MINUTE = 60_000
const DAY = 86_400_000
let testDatabase: TestDatabase
let server: TestServer
const lines: string[] = []
const db = () => server.database.db
const deps = () => server.lifecycle.deps as Deps
const run = (statement: string) => sql.raw(statement).execute(db())

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const env = { DEMO_APPRAISER: '1' }
  server = await startServer({ testDatabase, env, onLog: (line) => lines.push(line) })
  await insertGames(db())
  const told = async () => undefined
  const offers = { mini: true, web: false }
  deps().wechat = { ...deps().wechat, enabledLogins: offers, reminderAppId: 'app', remind: told, shipped: told }
  await run(`create function fail_row() returns trigger language plpgsql as $$ begin
    if to_jsonb(old) ->> tg_argv[0] like '%bad' then raise exception 'cannot take "13800138000": 13800138000'; end if;
    if tg_op = 'DELETE' then return old; end if;
    return new; end $$`)
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

interface Case {
  /** its rows fail when written to the database */
  table: string
  key: string
  /** inserts a due row; `$id` is its id, `$user` its user */
  rows: (now: number) => string[]
  /** SQL condition: the row was processed; absent: the row was deleted */
  done?: string
}

const order = (columns: Record<string, string | number>) => {
  const all: Record<string, string | number> = {
    ...{ id: `'$id'`, order_no: `'$id'`, user_id: `'$user'`, game_id: `'val'`, mode: `'MANUAL'`, status: `'PAID'` },
    ...{
      pay_status: `'PAID'`,
      title: `''`,
      source: `'TYPED'`,
      schema_version: 1,
      answers: `'{}'`,
      request_key: `'$id'`,
    },
    ...{ origin_fen: 0, discount_fen: 0, pay_fen: 0, created_at: 1 },
    ...columns,
  }
  return `insert into orders (${Object.keys(all)}) values (${Object.values(all)})`
}
const payment = (status: string, txn: string, next: string | number) =>
  `insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn, created_at,
    expire_at, next_ask_at) values ('$id', '$id', '$user', 'ALI_WAP', '${txn === 'null' ? 'sandbox' : 'none'}', 1, '', '',
    '${status}', ${txn}, 0, 0, ${next})`
const coupon = (end: number) =>
  `insert into user_coupons (coupon_id, template_id, user_id, nth, status, start_at, end_at, received_at)
    values ('$id', 'manual-3', '$user', 1, 'UNUSED', 0, ${end}, 0)`
const message = (createdAt: number, remindAt: number | string) =>
  `insert into messages (id, user_id, type, title, summary, body, biz_type, created_at, remind_at)
    values ('$id', '$user', 'SYSTEM', '', '', '', 'SYSTEM', ${createdAt}, ${remindAt})`
const task = (columns: string, values: string) =>
  `insert into collection_tasks (id, user_id, game_id, login_type, schema_version, lookup, created_at, ${columns})
    values ('$id', '$user', 'val', 'QR', 1, '{}', 0, ${values})`

/** A due row of every job; those without rows of their own are named with the reason. */
const cases: Record<string, Case | string> = {
  'payments that wait': {
    ...{ table: 'payments', key: 'id', done: `status = 'CLOSED'` },
    rows: () => [order({ status: `'UNPAID'`, pay_status: `'UNPAID'` }), payment('CREATED', 'null', 0)],
  },
  'orders about to be late': {
    ...{ table: 'orders', key: 'id', done: 'reassigned_at is not null' },
    rows: (now) => [
      order({ status: `'ASSIGNED'`, due_at: now + 40 * MINUTE, appraiser_id: `'gone'` }),
      `insert into staff (staff_id, role, no, nick) values ('$id', 'APPRAISER', '$id', '$id')`,
      `insert into staff_logins (staff_id, name, password_hash, must_change, created_at) values ('$id', '$id', '', false, 0)`,
      `insert into staff_sessions (token_hash, staff_id, created_at, expires_at) values ('$id', '$id', ${now + DAY}, ${now + DAY})`,
    ],
  },
  'order deadlines': {
    ...{ table: 'orders', key: 'id', done: `status = 'CLOSED'` },
    rows: () => [order({ status: `'UNPAID'`, pay_status: `'UNPAID'`, pay_expire_at: 1 })],
  },
  'unanswered refunds': {
    ...{ table: 'orders', key: 'id', done: `status = 'REFUNDED'` },
    rows: () => [order({ status: `'REFUNDING'`, pay_status: `'REFUNDING'`, refund_due_at: 1 })],
  },
  'held refunds': 'counts only',
  'late coupons': {
    ...{ table: 'orders', key: 'id', done: 'late_coupon_at is not null' },
    rows: (now) => [order({ status: `'ASSIGNED'`, due_at: now - 1 })],
  },
  'insufficient samples': {
    ...{ table: 'orders', key: 'id', done: 'late_coupon_at is not null' },
    rows: (now) => [order({ mode: `'AI'`, status: `'INSUFFICIENT'`, pay_status: `'UNPAID'`, created_at: now })],
  },
  'abandoned AI payments': {
    ...{ table: 'orders', key: 'id', done: 'pay_expire_at is null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'REPORTED'`, pay_status: `'UNPAID'`, reported_at: now, pay_expire_at: 1 }),
    ],
  },
  refunds: {
    ...{ table: 'refunds', key: 'id', done: `status = 'DONE'` },
    rows: () => [
      order({ status: `'CLOSED'`, pay_status: `'UNPAID'` }),
      payment('PAID', `'$id'`, 'null'),
      `insert into refunds (id, payment_id, order_id, amount_fen, reason, surplus, status, next_at, asked_at)
        values ('$id', '$id', '$id', 1, '', true, 'PENDING', 0, 0)`,
    ],
  },
  'coupon expiry': { table: 'user_coupons', key: 'coupon_id', done: `status = 'EXPIRED'`, rows: () => [coupon(1)] },
  'coupon reminders': {
    ...{ table: 'user_coupons', key: 'coupon_id', done: 'warned' },
    rows: (now) => [coupon(now + DAY)],
  },
  'sandbox appraiser': {
    ...{ table: 'orders', key: 'id', done: `status <> 'PAID'` },
    rows: (now) => [order({ due_at: now + 100 * DAY })],
  },
  shipping: {
    ...{ table: 'payments', key: 'id', done: 'shipped_at is not null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'DONE'`, reported_at: now }),
      `insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn, created_at,
        expire_at, paid_at, openid) values ('$id', '$id', '$user', 'WX_MINI', 'wechat', 1, '', '', 'PAID', '$id', 0, 0, ${now}, 'o')`,
    ],
  },
  reminders: {
    ...{ table: 'messages', key: 'id', done: 'remind_at is null' },
    rows: (now) => [message(now, 0)],
  },
  broadcasts: {
    ...{ table: 'broadcasts', key: 'id', done: 'done_at is not null' },
    rows: () => [`insert into broadcasts (id, kind, title, body, created_at) values ('$id', 'ACTIVITY', '', '', 0)`],
  },
  purge: { table: 'messages', key: 'id', rows: () => [message(0, 'null')] },
  'collection expiry': {
    ...{ table: 'collection_tasks', key: 'id', done: `status = 'EXPIRED'` },
    rows: () => [task('status, changed_at, expire_at', `'CREATED', 0, 0`)],
  },
  'collection completion': {
    ...{ table: 'collection_tasks', key: 'id', done: `status = 'SUCCESS'` },
    rows: (now) => [task('status, changed_at, expire_at', `'VALUING', 0, ${now + DAY}`)],
  },
  'collection retention': {
    ...{ table: 'collection_tasks', key: 'id', done: 'raw is null' },
    rows: () => [task('status, changed_at, expire_at, raw, read_at', `'SUCCESS', 0, 0, '{}', 0`)],
  },
  'price moves': {
    ...{ table: 'reports', key: 'report_no', done: 'moved_model is not null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'DONE'`, pay_status: `'UNPAID'`, report_no: `'$id'` }),
      `insert into reports (report_no, order_id, user_id, game_id, version, status, model_id, account_id, inputs, body,
        digest, predict_fen, created_at, valid_until) values ('$id', '$id', '$user', 'hok', 1, 'UNLOCKED', 900, '$id',
        '{"answers": {}, "source": "TYPED", "now": 0, "form": ""}', '{}', '', 100, ${now}, ${now})`,
    ],
  },
  'sale follow-ups': {
    ...{ table: 'orders', key: 'id', done: 'follow_up_at > reported_at' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'UNLOCKED'`, reported_at: now - 15 * DAY, created_at: now - 15 * DAY }),
    ],
  },
  'data exports': {
    ...{ table: 'data_exports', key: 'id', done: `status = 'READY'` },
    rows: (now) => [
      `insert into data_exports (id, user_id, status, requested_at, expire_at)
        values ('$id', '$user', 'WAITING', 0, ${now + DAY})`,
    ],
  },
  'data export expiry': {
    ...{ table: 'data_exports', key: 'id' },
    rows: () => [
      `insert into data_exports (id, user_id, status, requested_at, expire_at) values ('$id', '$user', 'FAILED', 0, 0)`,
    ],
  },
  'screenshot expiry': {
    ...{ table: 'screenshot_tasks', key: 'id' },
    rows: () => [
      `insert into screenshot_tasks (id, user_id, game_id, keys, status, created_at, expire_at)
        values ('$id', '$user', 'hok', '[]', 'DONE', 0, 0)`,
    ],
  },
  'account cancellations': {
    ...{ table: 'users', key: 'id', done: 'erased' },
    rows: () => [`update users set deletion_at = 1 where id = '$user'`],
  },
  'orphaned pictures': {
    ...{ table: 'uploads', key: 'user_id' },
    rows: () => [
      `insert into uploads (key, user_id, bytes, type, created_at) values ('u/$user/20200101/' || gen_random_uuid(), '$user', 1, 'image/png', 0)`,
    ],
  },
  'deletion outbox': {
    ...{ table: 'deletion_outbox', key: 'ref' },
    rows: () => [`insert into deletion_outbox (kind, ref, due_at) values ('READ', '$id', 0)`],
  },
  'market statistics': 'computes games by themselves, and fails for none of their rows',
  'model monitoring': 'measures models by themselves, and fails for none of their rows',
  'old failures': 'looks after the failures themselves',
  'nightly ledger check': 'reads only',
}
const withRows = () => Object.entries(cases).flatMap(([job, c]) => (typeof c === 'string' ? [] : [[job, c] as const]))

type Which = 'bad' | 'good' | 'ahead'
const nameOf = (job: string, which: Which) => `${job.replaceAll(' ', '')}-${which}`
async function isDone(job: string, { table, key, done }: Case, which: Which): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select ${sql.raw(done ?? 'false')} as done from ${sql.table(table)}
    where ${sql.ref(key)} like ${`%${nameOf(job, which)}`}`.execute(db())
  return done === undefined ? rows.length === 0 : rows[0]?.done === true
}
const failures = () => db().selectFrom('job_failures').selectAll().orderBy('job').orderBy('row_id').execute()
const alarms = () =>
  lines.map((line) => JSON.parse(line)).filter(({ alarm, row }) => alarm === true && row !== undefined)

async function insert(job: string, { rows }: Case, which: Which, now: number) {
  const id = nameOf(job, which)
  await run(`insert into users (id, mobile, nickname, avatar, settings, created_at)
    values ('user-${id}', '${id}', '', '', '{}', 0)`)
  for (const statement of rows(now)) await run(statement.replaceAll('$user', `user-${id}`).replaceAll('$id', id))
}

test('every job has a test here', () => {
  expect(Object.keys(cases).sort()).toEqual(jobs.map(({ name }) => name).sort())
})

test('one row of every job throws: the other rows and all later jobs go on; after three failures it is quarantined', async () => {
  const now = server.clock.now()
  for (const id of [900, 901])
    await run(`insert into models (id, game_id, format, body, schema_version, sample_n, synthetic,
      synthetic_share, active, trained_at, newest_sale) overriding system value
      values (${id}, 'hok', ${FORMAT}, '{}', 1, 1, true, 1, ${id === 901}, 0, 0)`)
  for (const [job, c] of withRows()) {
    for (const which of ['bad', 'good'] as const) await insert(job, c, which, now)
    const trigger = `${nameOf(job, 'bad')}-trigger`
    await sql`create trigger ${sql.id(trigger)} before update or delete on ${sql.table(c.table)} for each row
      when (old.${sql.raw(c.key)} like ${sql.lit(`%${nameOf(job, 'bad')}`)}) execute function fail_row(${sql.lit(c.key)})`.execute(
      db(),
    )
  }
  const missing = async () => {
    const left: string[] = []
    for (const [job, c] of withRows()) if (!(await isDone(job, c, 'good'))) left.push(job)
    return left
  }
  await server.lifecycle.jobRunner?.runAll()
  expect((await missing()).filter((job) => job !== 'sandbox appraiser')).toEqual([])
  // the sandbox's appraiser uses the real clock
  while ((await missing()).length > 0) await server.lifecycle.jobRunner?.runAll()
  const first = await failures()
  expect(first.map(({ attempts, quarantined_at }) => [attempts, quarantined_at])).toEqual(first.map(() => [1, null]))
  const jobsWithFailures = new Set(first.map(({ job }) => job.split(':')[0]))
  expect([...jobsWithFailures].sort()).toEqual(
    withRows()
      .map(([job]) => job)
      .sort(),
  )

  // the delay before the next attempt grows
  await server.lifecycle.jobRunner?.runAll()
  expect((await failures()).every(({ attempts }) => attempts === 1)).toBe(true)
  server.clock.advance(MINUTE + 1)
  await server.lifecycle.jobRunner?.runAll()
  expect((await failures()).every(({ attempts }) => attempts === 2)).toBe(true)
  expect(alarms()).toEqual([])
  server.clock.advance(2 * MINUTE + 1)
  for (let i = 0; i < 3; i += 1) await server.lifecycle.jobRunner?.runAll()
  const last = await failures()
  expect(last.every(({ attempts, quarantined_at }) => attempts === 3 && quarantined_at !== null)).toBe(true)
  expect(alarms()).toHaveLength(last.length)
  for (const [job, c] of withRows()) expect([job, await isDone(job, c, 'bad')]).toEqual([job, false])
  expect(JSON.stringify(last)).not.toContain('13800138000')
  expect(last[0]?.reason).toContain('P0001')
})

test('an admin sees what is quarantined and has it tried again', async () => {
  const { see, send } = await atDesk(server, { name: 'rows', role: 'ADMIN' })
  const { body } = await see('/desk/operations')
  expect(body).toContain('<td>order deadlines</td><td><code>orderdeadlines-bad</code></td>')
  expect(body).toContain('已隔离')
  await run(`drop trigger "orderdeadlines-bad-trigger" on orders`)
  await server.lifecycle.jobRunner?.runAll()
  const stands = { ...(cases['order deadlines'] as Case) }
  expect(await isDone('order deadlines', stands, 'bad')).toBe(false)
  const retry = () => send('/desk/operations/retry', { job: 'order deadlines', row: 'orderdeadlines-bad' })
  expect((await retry()).headers.location).toBe('/desk/operations?done=retried')
  expect((await retry()).statusCode).toBe(404)
  await server.lifecycle.jobRunner?.runAll()
  expect(await isDone('order deadlines', stands, 'bad')).toBe(true)
  expect((await failures()).map(({ row_id }) => row_id)).not.toContain('orderdeadlines-bad')
  const log = await db().selectFrom('desk_log').select('subject').where('action', '=', 'JOB_RETRY').execute()
  expect(log).toEqual([{ subject: 'order deadlines orderdeadlines-bad' }])
})

test('an outage of the database counts as no row’s failure, and a batch of bad rows blocks no other', async () => {
  const work = (err: unknown) =>
    forEachDueRow(deps(), server.clock.now(), {
      job: 'outage',
      due: async () => ['a', 'b'],
      idOf: (row) => row,
      process: () => Promise.reject(err),
    })
  const code = (value: string) => Object.assign(new Error('x'), { code: value })
  await expect(work(code('ECONNRESET'))).rejects.toThrow()
  await expect(work(code('57P01'))).rejects.toThrow()
  const of = () => db().selectFrom('job_failures').select('attempts').where('job', '=', 'outage').execute()
  expect(await of()).toEqual([])
  // a lock does not count as a failure either, and the other rows are processed
  for (const state of ['55P03', '55P03', '55000', '28000', '28P01', '42501', '25006']) {
    server.clock.advance(10 * MINUTE)
    expect(await work(code(state))).toBe(0)
  }
  expect(await of()).toEqual([{ attempts: 0 }, { attempts: 0 }])
})

test('a stopping process finishes its current row and begins no other', async () => {
  const worked: string[] = []
  const job: Job = {
    name: 'long',
    run: (own, now) =>
      forEachDueRow(own, now, {
        job: 'long',
        due: async () => ['a', 'b'],
        idOf: (row) => row,
        async process(row) {
          worked.push(row)
          void runner.stop()
          return true
        },
      }),
  }
  const runner = startJobRunner(deps(), [job], { pollInterval: 0, log: deps().log })
  await runner.runAll()
  expect(worked).toEqual(['a'])
})

test.each([
  ['payments that wait', 'next_ask_at'],
  ['refunds', 'next_at'],
  ['shipping', 'ship_at'],
  ['reminders', 'remind_at'],
  ['deletion outbox', 'due_at'],
])('%s: an attempt that a wrong clock put off for months is made now', async (job, column) => {
  const now = server.clock.now()
  const c = cases[job] as Case
  await insert(job, c, 'ahead', now)
  await run(`update ${c.table} set ${column} = ${now + 100 * DAY} where ${c.key} = '${nameOf(job, 'ahead')}'`)
  await server.lifecycle.jobRunner?.runAll()
  expect(await isDone(job, c, 'ahead')).toBe(true)
})

test('the stored reason names the error and no value', () => {
  const error = (message: string, more = {}) => Object.assign(new Error(message), more)
  const said = [
    failureReason(error('invalid input syntax for type bigint: "13800138000"', { code: '22P02' })),
    failureReason(
      error('duplicate key value violates unique constraint "users_mobile_key"', {
        ...{ code: '23505', table: 'users', constraint: 'users_mobile_key', detail: 'Key (mobile)=(13800138000)' },
      }),
    ),
    failureReason(error(`Unexpected token '张', "张三 11010519900101" is not valid JSON`)),
    failureReason('张三'),
  ]
  expect(said.join()).not.toMatch(/138|张|1101/)
  expect(said[1]).toContain('23505 users users_mobile_key')
})

test('a purge deletes thousands of rows by a statement, and not all of them by one', async () => {
  const { userId } = await server.login('13800009999')
  const old = deps().clock.now() - 100 * DAY
  await run(`insert into messages (id, user_id, type, title, summary, body, biz_type, read, created_at)
    select 'purged' || g, '${userId}', 'SYSTEM', '', '', '', '', true, ${old} from generate_series(1, 12000) g`)
  const spy = jest.spyOn(Object.getPrototypeOf(db().getExecutor()), 'executeQuery')
  try {
    const purge = jobs.find(({ name }) => name === 'purge') as Job
    expect(await purge.run(deps(), deps().clock.now())).toBe(12_000)
    const texts = spy.mock.calls.map(([query]) => (query as { sql: string }).sql)
    expect(texts.filter((text) => text.includes('delete from "messages"'))).toHaveLength(3)
  } finally {
    spy.mockRestore()
  }
  const left = await db().selectFrom('messages').select('id').where('id', 'like', 'purged%').execute()
  expect(left).toHaveLength(0)
})

/** What jobs may read as a whole: indexes of nothing but rows that are due or in progress, and tables that stay small. */
const bounded: ReadonlySet<string> = new Set([
  'collection_tasks using collection_tasks_one_running',
  'broadcasts using broadcasts_under_way',
  'data_exports using data_exports_waiting',
  'messages using messages_to_remind',
  'orders using orders_to_judge',
  'payments using payments_to_ask',
  'refunds using refunds_due',
  'deletion_outbox using deletion_outbox_due',
  'sale_followups using sale_followups_to_check',
  // rows that failed
  'job_failures',
  // the team
  ...['staff', 'staff using staff_pkey', 'staff_sessions using staff_sessions_pkey'],
  // one or a few rows for each game or partner
  ...['games', 'games using games_pkey', 'models using models_one_active'],
  ...['partners', 'partners using partners_pkey', 'partner_shifts', 'partner_shifts using partner_shifts_pkey'],
  ...['partner_sources', 'partner_sources using partner_sources_pkey'],
])

test('no job reads a whole table that grows', async () => {
  // reads all by design, once a night
  const others = jobs.filter(({ name }) => name !== 'nightly ledger check')
  // only those time limits are looked into that some order has passed
  for (const [i, { mode, from, since }] of deadlines.entries()) {
    const rows = () => [order({ mode: `'${mode}'`, status: `'${from}'`, [since]: 1 })]
    await insert(`limit ${i}`, { table: 'orders', key: 'id', rows }, 'good', 1)
  }
  const found: string[][] = []
  for (const { name, run: work } of others) {
    const asked = await statementsOf(db(), () => work(deps(), deps().clock.now()))
    expect([name, asked.length]).not.toEqual([name, 0])
    const due = asked.filter(({ sql: text }) => /^select .* from "orders" where orders\.mode = .* limit /s.test(text))
    if (name === 'order deadlines') expect(due).toHaveLength(deadlines.length)
    for (const { text, whole } of await readWhole(db(), asked))
      found.push(...whole.filter((read) => !bounded.has(read)).map((read) => [name, read, text]))
  }
  expect(found).toEqual([])
})
