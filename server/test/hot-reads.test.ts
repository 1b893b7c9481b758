/** How often the most frequent reads ask the database, and what keeps prepared statements and cached sessions right. */
import pg from 'pg'
import { openDatabase } from '../db/database'
import { allowPreparing } from '../db/statements'
import { endSessions } from '../domains/accounts/login/revoke-access'
import { createSession, findSession } from '../domains/accounts/login/sessions'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'
import { createDatabase } from './postgres'
import { prepared } from './prepared'

describe('on any database', () => {
  let testDatabase: TestDatabase
  let server: TestServer
  let who: { token: string; userId: string }
  let orderId: string
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    server = await startServer({ testDatabase, games: ['naraka'] })
    who = await server.login('13800000001')
    const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
    if (!config) throw new Error('no game')
    const { gameId, schemaVersion } = config
    const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
    orderId = (await server.call('evaluation', 'submitAi', req, who)).body.data.orderId
  })
  afterAll(async () => {
    await server.close()
    testDatabase.remove()
  })

  /** Statements about users, as games and their market are cached in production and read each time in tests. */
  async function asked(work: () => Promise<{ body: { success: boolean } }>): Promise<number> {
    const { db } = server.database
    const executor = db.getExecutor()
    const run = jest.spyOn(Object.getPrototypeOf(executor), 'executeQuery')
    try {
      expect((await work()).body.success).toBe(true)
      const texts = run.mock.calls.map(([query]) => (query as { sql: string }).sql)
      return texts.filter((text) => !/from "(games|market_statistics)"|"accuracy"/.test(text)).length
    } finally {
      run.mockRestore()
    }
  }

  test('login and call are one statement', async () => {
    expect(await asked(() => server.call('user', 'get', {}, who))).toBe(1)
    expect(await asked(() => server.call('evaluation', 'reportGet', { orderId }, who))).toBe(1)
    const list = { tab: 'ALL' as const, pageNo: 1, pageSize: 10 }
    expect(await asked(() => server.call('evaluation', 'orderList', list, who))).toBe(1)
  })

  test('the total of a list is known behind its last page too', async () => {
    const page = async (pageNo: number, keyword = '') =>
      (await server.call('evaluation', 'orderList', { tab: 'ALL', pageNo, pageSize: 10, keyword }, who)).body.data
    expect([(await page(1)).total, (await page(1)).list.length]).toEqual([1, 1])
    expect([(await page(2)).total, (await page(2)).list.length]).toEqual([1, 0])
    expect(await page(1, '没有这样的订单')).toMatchObject({ total: 0, list: [] })
  })

  test('a session ends at the next call, whoever ends it', async () => {
    const { db } = server.database
    const [first, second] = [await server.login('13800000002'), await server.login('13800000004')]
    const now = server.clock.now()
    expect((await findSession(db, first.token, now))?.userId).toBe(first.userId)
    await db.updateTable('sessions').set({ expires_at: 0 }).where('user_id', '=', first.userId).execute()
    expect(await findSession(db, first.token, now)).toBeUndefined()
    expect((await findSession(db, second.token, now))?.userId).toBe(second.userId)
    await endSessions(db, second.userId)
    expect(await findSession(db, second.token, now)).toBeUndefined()
  })

  test('reads that find the session themselves refuse an ended and an expired one, and note the visit', async () => {
    const { db } = server.database
    const reads = [
      ['user', 'get', {}],
      ['evaluation', 'orderList', { tab: 'ALL', pageNo: 1, pageSize: 10 }],
      ['evaluation', 'reportGet', { orderId }],
    ] as const
    for (const [group, name, req] of reads) {
      const device = { clock: server.clock, device: '' }
      const token = await db.transaction().execute((tx) => createSession(tx, who.userId, device))
      const session = db.updateTable('sessions').where('user_id', '=', who.userId)
      await session.set({ seen_at: 0 }).execute()
      expect((await server.call(group, name as never, req as never, { token })).status).toBe(200)
      const seen = await db.selectFrom('sessions').select('seen_at').where('user_id', '=', who.userId).execute()
      expect(Math.max(...seen.map(({ seen_at }) => seen_at))).toBeGreaterThan(server.clock.now() - 60_000)
      await session.set({ expires_at: 0 }).execute()
      const expired = await server.call(group, name as never, req as never, { token })
      expect(expired).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN', data: null } })
      await endSessions(db, who.userId)
      const ended = await server.call(group, name as never, req as never, { token })
      expect(ended).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN', data: null } })
    }
  })

  test('a session expires in time', async () => {
    const { token } = await server.login('13800000003')
    const { db } = server.database
    const now = server.clock.now()
    expect(await findSession(db, token, now)).toBeDefined()
    expect(await findSession(db, token, now + 31 * 86_400_000)).toBeUndefined()
  })
})

describe('prepared statements on PostgreSQL', () => {
  test('repeated statements are prepared and survive a column added by the next release', async () => {
    const databaseUrl = await createDatabase(prepared().postgres ?? '', `prepared_${process.pid}`)
    const limits = { size: 1, statementTimeout: 5000, lockTimeout: 1000 }
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl }, { limits })
    const read = (of: typeof db = db) => of.selectFrom('banners').selectAll().execute()
    allowPreparing(db.selectFrom('banners').selectAll().compile().sql)
    for (let n = 0; n < 4; n += 1) await read()
    const { rows } = await db.executeQuery<{ n: number }>({
      ...db.selectFrom('banners').selectAll().compile(),
      sql: 'select count(*) as n from pg_prepared_statements where statement like \'select * from "banners"%\'',
    })
    expect(rows[0]?.n).toBe(1)
    const operator = new pg.Client({ connectionString: databaseUrl })
    await operator.connect()
    await operator.query('alter table banners add column later text')
    expect(Object.keys((await read())[0] ?? {})).toContain('later')
    for (let n = 0; n < 4; n += 1) await read()
    await operator.query('alter table banners add column latest text')
    const inside = await db.transaction().execute((tx) => read(tx as typeof db))
    expect(Object.keys(inside[0] ?? {})).toContain('latest')
    await operator.end()
    await close()
  })
})
