/**
 * `npm run load:fill -- --users N --orders N --reports N`: adds that many rows to the database of DATABASE_URL or
 * DATA_DIR, for measuring (docs/scale.md). The server's own functions make one row of each kind, which is then
 * multiplied inside the database. Every run adds; nothing is removed. Refused in production.
 */
import { sql } from 'kysely'
import { StartError } from '../core/start-error'
import { parseSettings } from '../settings'
import { argumentsOf, text } from './command'
import { type Amounts, multiply } from './load/multiply'
import { makeTemplates } from './load/templates'
import { runTool } from './tool'

/** Mobile numbers of generated users: 190… to 199…, none of which an operator assigns as a whole block. */
const FIRST_MOBILE = 19_000_000_000
const LAST_MOBILE = 19_999_999_999
const MAX = 50_000_000

function amount(given: string, name: string, fallback: number): number {
  const n = given === '' ? fallback : Number(given)
  if (!Number.isInteger(n) || n < 1 || n > MAX)
    throw new StartError(`--${name} 应为 1 到 ${MAX} 的整数，收到 ${given}。`)
  return n
}

function amounts(): Amounts {
  const usage = '用法：npm run load:fill -- --users N --orders N --reports N'
  const { values } = argumentsOf(usage, { users: text(''), orders: text(''), reports: text('') })
  const users = amount(values.users, 'users', 1000)
  const orders = amount(values.orders, 'orders', users * 5)
  const reports = amount(values.reports, 'reports', orders)
  if (reports > orders) throw new StartError(`报告数（${reports}）不能多于订单数（${orders}）：一份报告属于一个订单。`)
  return { users, orders, reports }
}

runTool(async (db, wanted) => {
  const settings = parseSettings(process.env)
  if (settings.production) throw new StartError('生产环境（NODE_ENV=production）不能写入测试数据。')
  const started = performance.now()
  const { rows } = await sql<{ last: number | null }>`
      select max(mobile)::bigint as last from users
      where mobile between ${String(FIRST_MOBILE)} and ${String(LAST_MOBILE)}`.execute(db)
  const first = (rows[0]?.last ?? FIRST_MOBILE) + 1
  const templates = await makeTemplates(db, settings, String(first))
  await multiply(db, templates, wanted, first + 1)
  const { users, orders, reports } = wanted
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`✓ 已写入 ${users} 个用户、${orders} 个订单、${reports} 份报告（${seconds} 秒）`)
}, amounts)
