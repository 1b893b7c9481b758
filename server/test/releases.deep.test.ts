/**
 * Two releases on one PostgreSQL: the newer one migrates the schema while the older one serves, and either may be
 * restarted.
 */
import path from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../db/database'
import { migrations as released } from '../db/migrations'
import { migration } from '../db/migrations/migration'
import { insertGames } from './games'
import { startServer, type TestDatabase } from './harness'
import { createDatabase } from './postgres'
import { prepared } from './prepared'
import { call, type ServerProcess, startProcess } from './process'

/** Migrations that a next release could bring: a column, and an index on it. */
const newer = {
  ...released,
  '998-motto': migration('alter table users add column motto text'),
  '999-motto-index': migration('create index concurrently users_motto on users (motto)'),
}

let env: Record<string, string>
let databaseUrl: string
const running: ServerProcess[] = []
beforeAll(async () => {
  databaseUrl = await createDatabase(prepared().postgres ?? '', `releases_${process.pid}`)
  env = {
    DATABASE_URL: databaseUrl,
    NODE_ENV: 'production',
    SANDBOX: '1',
    IDENTITY_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  }
})
afterAll(async () => {
  for (const p of running) p.child.kill('SIGKILL')
  await Promise.all(running.map((p) => p.ended))
})

const start = (file?: string) => {
  const p = startProcess({ ...env, LOG_LEVEL: 'info' }, file)
  running.push(p)
  return p
}
const printed = async (p: ServerProcess, words: RegExp): Promise<string> => {
  for (;;) {
    const found = words.exec(p.output())
    if (found) return found[0]
    if (p.child.exitCode !== null) throw new Error(p.output())
    await new Promise((resolve) => p.child.stderr?.once('data', resolve))
  }
}
const statusOf = async (address: string) => (await fetch(`${address}/readyz`)).status

/** A database of the previous release: without the newest migration, with games that need no sales. */
async function before() {
  const names = Object.keys(released).slice(0, -1)
  const migrations = Object.fromEntries(Object.entries(released).filter(([name]) => names.includes(name)))
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl }, { migrations })
  await insertGames(db)
  await close()
}

async function logIn(address: string, mobile: string): Promise<string> {
  await call(address, 'user', 'sendSmsCode', { mobile, scene: 1 })
  const { code } = (await (await fetch(`${address}/sandbox/sms?mobile=${mobile}`)).json()) as { code: string }
  return (await call(address, 'user', 'smsLogin', { mobile, code })).data.token
}

test('production waits for `npm run migrate`; two releases serve side by side; the older one can be started again', async () => {
  await before()
  const waiting = start()
  await printed(waiting, /⚠ 数据库结构不是最新，缺少 1 步（.+）：请先执行 npm run migrate。已等待 \d+ 秒/)
  expect(await statusOf(await printed(waiting, /http:\/\/127\.0\.0\.1:\d+/))).toBe(503)
  const migrate = start('server/cli/migrate.ts')
  expect(await migrate.ended).toBe(0)
  expect(migrate.output()).toContain('✓ 数据库结构已是最新')
  const older = await waiting.ready()
  expect(await statusOf(older)).toBe(200)

  // the older release continues to serve while the newer one migrates
  const token = await logIn(older, '13800138001')
  let migrating = true
  const failed: unknown[] = []
  let served = 0
  const load = (async () => {
    while (migrating || served < 20) {
      const answer = await call(older, 'user', 'get', {}, token)
      served += 1
      if (!answer.success) failed.push(answer)
    }
  })()
  const testDatabase: TestDatabase = {
    where: { dataDir: '/nonexistent', databaseUrl },
    env: { DATA_DIR: '/nonexistent', DATABASE_URL: databaseUrl },
    remove: () => undefined,
  }
  const next = await startServer({
    testDatabase,
    migrations: newer,
    env: { DATA_DIR: path.join(process.cwd(), '.cache/releases') },
  })
  migrating = false
  await load
  expect(failed).toEqual([])

  // both serve the same rows: logins are valid at both, and neither loses writes of the other
  const { token: other, userId } = await next.login('13800138002')
  await sql`update users set motto = 'new' where id = ${userId}`.execute(next.database.db)
  expect((await call(older, 'user', 'get', {}, other)).success).toBe(true)
  expect((await next.call('user', 'get', {}, { token })).body.success).toBe(true)
  await call(older, 'user', 'updateSettings', { reduceMotion: true }, other)
  const { rows } = await sql<{ motto: string }>`select motto from users where id = ${userId}`.execute(next.database.db)
  expect(rows).toEqual([{ motto: 'new' }])

  // rollback to the older release: it starts on the newer schema and logs that
  waiting.child.kill('SIGTERM')
  expect(await waiting.ended).toBe(0)
  const again = start()
  const back = await again.ready()
  expect(again.output()).toContain('⚠ 数据库结构比本程序新 2 步（998-motto、999-motto-index），继续以兼容方式运行。')
  expect((await call(back, 'user', 'get', {}, token)).success).toBe(true)
  const noop = start('server/cli/migrate.ts')
  expect(await noop.ended).toBe(0)
  await next.close()
})
