/** What the hourly purge keeps and what it deletes. */
import { sql } from 'kysely'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from '../test/harness'
import { purges } from './purge'

const DAY = 86_400_000
const FIVE_YEARS = 5 * 366 * DAY
let testDatabase: TestDatabase
let server: TestServer
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: [] })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

/** By table: ms after which a row goes, and statements that insert a row `$id` whose time is `$at`. */
const cases: Record<string, [keptMs: number, insert: string]> = {
  messages: [
    90 * DAY,
    `insert into messages (id, user_id, type, title, summary, body, biz_type, created_at)
      values ('$id', '$user', 'SYSTEM', '', '', '', 'SYSTEM', $at)`,
  ],
  deleted_receipts: [90 * DAY, `insert into deleted_receipts (order_id, at) values ('$id', $at)`],
  order_events: [
    FIVE_YEARS,
    `insert into order_events (order_id, at, to_status, note) values ('o', $at, 'DONE', '$id')`,
  ],
  payment_notifications: [
    FIVE_YEARS,
    `insert into payment_notifications (provider, digest, subject, outcome, at) values ('sandbox', '$id', '', '', $at)`,
  ],
  desk_log: [FIVE_YEARS, `insert into desk_log (at, staff_id, action, note) values ($at, 's', 'LOGIN', '$id')`],
  sms_codes: [
    DAY,
    `insert into sms_codes (mobile, scene, code_hash, ip, sent_at, expires_at) values ('', 1, '$id', '', $at, 0)`,
  ],
  password_tries: [DAY, `insert into password_tries (key, wrong, since) values ('$id', 1, $at)`],
  throttles: [DAY, `insert into throttles (key, n, since) values ('$id', 1, $at)`],
  sessions: [
    90 * DAY,
    `insert into sessions (token_hash, id, user_id, device, created_at, seen_at, expires_at)
      values ('$id', '$id', '$user', '', 0, 0, $at)`,
  ],
  staff_sessions: [
    0,
    `insert into staff_sessions (token_hash, staff_id, created_at, expires_at) values ('$id', 's', 0, $at)`,
  ],
  left_mobiles: [365 * DAY, `insert into left_mobiles (mobile_hash, left_at) values ('$id', $at)`],
  job_failures: [
    7 * DAY,
    `insert into job_failures (job, row_id, attempts, reason, next_at, first_at, last_at)
      values ('j', '$id', 1, '', 0, 0, $at)`,
  ],
}

test('every table loses what is past its retention and keeps what is not', async () => {
  const { db } = server.database
  const { userId } = await server.login('13800000001')
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const run = (statement: string) => sql.raw(statement.replaceAll('$user', userId)).execute(db)
  await run(`insert into orders (id, order_no, user_id, game_id, mode, status, pay_status, title, source, schema_version,
    answers, request_key, origin_fen, discount_fen, pay_fen, created_at) values ('o', 'o', '$user', 'hok', 'AI', 'DONE',
    'UNPAID', '', 'TYPED', 1, '{}', 'o', 0, 0, 0, 0)`)
  await run(`insert into staff (staff_id, role, no, nick) values ('s', 'ADMIN', 's', 's')`)
  await run(`insert into staff_logins (staff_id, name, password_hash, must_change, created_at)
    values ('s', 's', '', false, 0)`)
  const now = server.clock.now()
  for (const [keptMs, insert] of Object.values(cases))
    for (const [id, at] of [
      ['old', now - keptMs],
      ['kept', now - keptMs + 1],
    ] as const)
      await run(insert.replaceAll('$id', id).replaceAll('$at', String(at)))
  for (const purge of purges) expect([purge.name, await purge.run(deps, now)]).toEqual([purge.name, 1])
  for (const table of Object.keys(cases)) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(db)
    const texts = rows.map(({ text }) => text).join('\n')
    expect([table, /\bold\b/.test(texts), /\bkept\b/.test(texts)]).toEqual([table, false, true])
  }
})
