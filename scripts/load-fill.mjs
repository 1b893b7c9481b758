/**
 * `npm run load:fill -- --users N --orders N --reports N`: adds that many rows to the PostgreSQL of DATABASE_URL, for
 * measuring (docs/scale.md). A server in the sandbox makes one user with a locked and a paid report, and the database
 * multiplies their rows, so that `npm run books:check` finds no difference. Every run adds; nothing is removed.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { MESSAGE_RETENTION_MS } from '../server/domains/accounts/notifications/list.ts'
import { REPORT_LIFETIME_MS } from '../server/domains/reports/validity.ts'
import { DAY_MS } from '../src/contract/time.ts'
import { plausibleAccount } from '../test/e2e/form.ts'
import { login, payForReport, post } from '../test/fakes/calls.ts'
import { build } from './build.mjs'
import { fail, root, say } from './lib.mjs'
import { startServer } from './load.mjs'

/** mobile numbers of the users: 190… to 199…, none of which an operator assigns as a whole block */
const FIRST_MOBILE = 19_000_000_000
/** ms over which the orders are spread; their users are older */
const SPREAD = 180 * DAY_MS
/** every n-th report is paid for */
const PAID_EVERY = 5

const option = (fallback) => ({ type: /** @type {const} */ ('string'), default: fallback })
const { values } = parseArgs({ options: { users: option('1000'), orders: option('5000'), reports: option('5000') } })
const [users, orders, reports] = [values.users, values.orders, values.reports].map(Number)
if (![users, orders, reports].every((n) => Number.isInteger(n) && n > 0) || reports > orders)
  fail('用法：npm run load:fill -- --users N --orders N --reports N（正整数，报告数不多于订单数）')
const databaseUrl = process.env.DATABASE_URL || fail('请用 DATABASE_URL 指定 PostgreSQL。')
if (process.env.NODE_ENV === 'production') fail('生产环境（NODE_ENV=production）不能写入测试数据。')
if (!(await build('server'))) process.exit(1)
execFileSync(process.execPath, ['dist/server/migrate.js'], { cwd: root, stdio: 'ignore' })

/** A user with two reports, of which the second is paid for. @returns ids of the user and of the orders */
async function makeTemplates(mobile) {
  const sandbox = { NODE_ENV: 'test', SANDBOX: '1', SIGN_SECRET: 'dev-sign-secret' }
  const server = await startServer(databaseUrl, 'web', sandbox)
  const who = await login(server, mobile)
  const made = []
  for (const game of ['hok', 'lolm']) {
    const config = JSON.parse(readFileSync(path.join(root, 'server/fixtures/games', `${game}.json`), 'utf8'))
    const known = new Set(config.fields.map(({ key }) => key))
    const answers = Object.fromEntries(Object.entries(plausibleAccount(config)).filter(([key]) => known.has(key)))
    const wish = { gameId: game, schemaVersion: config.schemaVersion, answers, source: 'TYPED' }
    made.push(await post(server, '/app-api/api/evaluate/user/game/submit/ai', wish, who.token))
  }
  const [{ orderId: locked }, { orderId: paid }] = made
  await payForReport(server, who.token, paid)
  await server.stop()
  return { user: who.userId, locked, paid }
}

const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
const salt = randomBytes(8).toString('hex')
/** SQL of a random-looking id of 20 characters: sequential ones would make every index better than in production. */
const idOf = (what, of) => `substr(md5('${salt}${what}' || ${of}), 1, 20)`

/**
 * Copies rows: `t` are those of the template, `l` the ones to be made; times move back by the age `l.ago`.
 * @param {string} table
 * @param {string} from SQL behind `from`
 * @param {Record<string, string>} set SQL of columns that differ from the template's
 */
async function copyRows(table, from, set) {
  const { rows } = await client.query(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_identity = 'NO'`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const cells = names.map((name) => set[name] ?? (/(^|_)at$|_until$/.test(name) ? `t.${name} - l.ago` : `t.${name}`))
  await client.query(`insert into ${table} (${names.map((name) => `"${name}"`)}) select ${cells} from ${from}`)
  say(`▸ ${table}`)
}

const filled = ['users', 'orders', 'reports', 'order_events', 'payments', 'ledger', 'messages']
const ofOrder = (table, key = 'order_id') => `load_orders l join ${table} t on t.${key} = l.template`

/** Status after the deadline of a status (server/domains/orders/deadlines.ts). */
const over = `case t.status when 'REPORTED' then 'EXPIRED' when 'UNLOCKED' then 'DONE' else t.status end`

/** @param mobile number of the first user */
async function multiply({ user, locked, paid }, mobile) {
  await client.query(`create temp table load_users on commit drop as
    select n, ${idOf('user', 'n')} as id, (${SPREAD} * (1 + random()))::bigint as ago from generate_series(0, ${users - 1}) n`)
  const mobiles = { id: 'l.id', mobile: `(${mobile} + l.n)::text` }
  await copyRows('users', `load_users l, users t where t.id = '${user}'`, mobiles)
  await client.query(`create temp table load_orders on commit drop as
    select l.*, u.id as user_id, l.n >= ${reports} as failed, l.ago > ${REPORT_LIFETIME_MS} as over,
      r.report_no as template_report, ${idOf('order', 'l.n')} as id, ${idOf('pay', 'l.n')} as payment_id,
      'E' || upper(${idOf('no', 'l.n')}) as order_no, 'GZ' || upper(${idOf('report', 'l.n')}) as report_no
    from (select n, floor(random() * ${users})::int as user_n, (random() * ${SPREAD})::bigint as ago,
        case when n % ${PAID_EVERY} = 0 and n < ${reports} then '${paid}' else '${locked}' end as template
      from generate_series(0, ${orders - 1}) n) as l
    join reports r on r.order_id = l.template join load_users u on u.n = l.user_n`)
  const ids = { order_id: 'l.id', user_id: 'l.user_id' }
  await copyRows('orders', ofOrder('orders', 'id'), {
    ...{ id: 'l.id', order_no: 'l.order_no', user_id: 'l.user_id', request_key: `l.id || ':'` },
    report_no: `case when not l.failed then l.report_no end`,
    reported_at: `case when not l.failed then t.reported_at - l.ago end`,
    status: `case when l.failed then 'CLOSED' when l.over then ${over} else t.status end`,
    done_at: `case when l.over and t.status = 'UNLOCKED' then t.reported_at - l.ago + ${REPORT_LIFETIME_MS} end`,
  })
  const report = { ...ids, report_no: 'l.report_no', account_id: 'left(l.id, 8)' }
  await copyRows('reports', `${ofOrder('reports')} where not l.failed`, report)
  // ids follow the order of the events
  await copyRows('order_events', `${ofOrder('order_events')} order by t.id`, { order_id: 'l.id' })
  await client.query(`insert into order_events (order_id, at, from_status, to_status, actor, note)
    select l.id, o.created_at + ${REPORT_LIFETIME_MS}, t.status, o.status, 'system', ''
    from ${ofOrder('orders', 'id')} join orders o on o.id = l.id where o.status <> t.status`)
  await copyRows('payments', ofOrder('payments'), { ...ids, id: 'l.payment_id', txn: 'l.payment_id' })
  await copyRows('ledger', ofOrder('ledger'), { ...ids, payment_id: 'l.payment_id', txn: 'l.payment_id' })
  const messages = `load_orders l join messages t on t.biz_id in (l.template, l.template_report)
    where l.ago < ${MESSAGE_RETENTION_MS} and not l.failed`
  await copyRows('messages', messages, {
    ...{ id: 'substr(md5(l.id || t.id), 1, 20)', user_id: 'l.user_id', read: `l.ago > ${DAY_MS}` },
    biz_id: 'case t.biz_id when l.template then l.id else l.report_no end',
    link: 'replace(replace(t.link, l.template, l.id), l.template_report, l.report_no)',
  })
}

const started = performance.now()
const newest = `select max(mobile)::bigint as last from users where mobile between '${FIRST_MOBILE}' and '19999999999'`
const first = Number((await client.query(newest)).rows[0].last ?? FIRST_MOBILE) + 1
const templates = await makeTemplates(String(first))
await client.query('begin')
// building an index afterwards is much faster than keeping it up
const { rows: indexes } = await client.query(
  `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
   where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  [filled],
)
for (const { name } of indexes) await client.query(`drop index ${name}`)
await multiply(templates, first + 1)
for (const { definition } of indexes) await client.query(definition)
await client.query('commit')
await client.query(`vacuum (analyze) ${filled}`)
await client.end()
const seconds = ((performance.now() - started) / 1000).toFixed(1)
say(`✓ 已写入 ${users} 个用户、${orders} 个订单、${reports} 份报告（${seconds} 秒）`)
