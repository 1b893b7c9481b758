/** @group long */
/** Storage of pictures unavailable: 503, never 500. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { createTestDatabase, startServer } from './harness'

/** A storage that accepts every request and never answers. */
let silent: Server
beforeAll(async () => {
  silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
})

test('a hanging storage leads to 503 within seconds, and leaves no transaction open', async () => {
  const env = {
    S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const testDatabase = await createTestDatabase()
  const server = await startServer({ testDatabase, env })
  const { token, userId } = await server.login('13800138014')
  const feedback = (pictures: number) => {
    const images = Array.from({ length: pictures }, () => `u/${userId}/20261122/${randomUUID()}`)
    return server.call(
      'user',
      'submitFeedback',
      { type: 1, content: '图片一直在转圈，怎么都传不上去', images },
      { token },
    )
  }
  const started = Date.now()
  const asked = new Promise((resolve) => silent.once('request', resolve))
  const both = Promise.all([feedback(4), feedback(1)])
  await asked
  const open = await sql`select from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(server.database.db)
  expect(open.rows).toEqual([])
  for (const answer of await both)
    expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'SERVICE_UNAVAILABLE' } })
  expect(Date.now() - started).toBeLessThan(20_000)
  await server.close()
  testDatabase.remove()
})
