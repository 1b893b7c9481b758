import { sql } from 'kysely'
import { depsOf } from '../core/lifecycle'
import { incrementCounter } from '../domains/content/counters'
import { setupServer } from './harness'

const server = setupServer()

test('two hundred visits at once are all counted', async () => {
  const counts = await Promise.all(
    Array.from({ length: 200 }, () => incrementCounter(depsOf(server.lifecycle), 'VISIT', 'busy')),
  )
  expect(Math.max(...counts)).toBe(200)
})

test('a sign-up does not wait for another that is being given the same coupon', async () => {
  const { db } = server.database
  const mobiles = Array.from({ length: 15 }, (_, i) => `1391111${String(i).padStart(4, '0')}`)
  await db.transaction().execute(async (tx) => {
    // the lock that incrementing the template's row would hold until the transaction ends
    await tx.selectFrom('coupon_templates').select('template_id').forNoKeyUpdate().execute()
    const users = await Promise.all(mobiles.map((mobile) => server.login(mobile)))
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from user_coupons where user_id in (${sql.join(users.map(({ userId }) => userId))})`.execute(
      db,
    )
    expect(rows[0]?.n).toBe(15)
  })
})
