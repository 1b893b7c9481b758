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
import { type Case, cases, DAY, MINUTE, order } from './due-row-cases'
import { insertGames } from './games'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { readWhole, statementsOf } from './plans'

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
  deps().providers.wechat = {
    ...deps().providers.wechat,
    enabledLogins: offers,
    reminderAppId: 'app',
    remind: told,
    shipped: told,
  }
  await run(`create function fail_row() returns trigger language plpgsql as $$ begin
    if to_jsonb(old) ->> tg_argv[0] like '%bad' then raise exception 'cannot take "13800138000": 13800138000'; end if;
    if tg_op = 'DELETE' then return old; end if;
    return new; end $$`)
})

afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

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
  const names = jobs.map(({ name }) => name).filter((name) => !name.startsWith('purge '))
  expect(Object.keys(cases).sort()).toEqual(names.sort())
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
  const jobsWithFailures = new Set(first.map(({ job }) => job))
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
  expect((await retry()).headers.location).toBe('/desk/operations?done=changed')
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
  const runner = startJobRunner(deps(), [job], deps().log)
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
    await server.lifecycle.jobRunner?.runAll()
    const texts = spy.mock.calls.map(([query]) => (query as { sql: string }).sql)
    const deletes = texts.filter((text) => text.includes('delete from "messages"'))
    // the last one finds nothing more
    expect(deletes).toHaveLength(4)
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
  ...['staff', 'staff using staff_pkey', 'staff_sessions'],
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
