/** @group long */
/**
 * The embedded database: that the product's main job, a kill, the lock of the folder and backups work on it. All other
 * server tests run on PostgreSQL.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import { openDatabase } from '../db/database'
import { underLease } from '../db/lease'
import { checkLedger } from '../domains/payments/accounting/check'
import { atDesk, deliver } from './desk-session'
import { insertGamesWithoutSales } from './games-without-sales'
import { embeddedDatabase, emptyFolder, setupServer, someAnswers, type TestDatabase } from './harness'
import { adult, advance, configOf, manualRequest, paid } from './orders'
import { call, type ServerProcess, startProcess } from './process'
import { tempFolder } from './temp'

const HOUR = 3_600_000

describe('a server on the embedded database', () => {
  const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } }, embeddedDatabase)
  let config: FormConfig
  beforeAll(async () => {
    config = await configOf(server, 'naraka')
    // ten in the morning in China, within working hours
    const day = 24 * HOUR
    server.clock.advance(Math.ceil(server.clock.now() / day) * day + 2 * HOUR - server.clock.now())
  })

  const db = () => server.database.db
  let numbers = 0
  const newUser = () => adult(server, `1370000${String(++numbers).padStart(4, '0')}`)
  const aiRequest = (skip = 0) => {
    const { gameId, schemaVersion } = config
    return { gameId, schemaVersion, answers: someAnswers(config, skip), source: 'TYPED' as const }
  }
  const valued = async (token: string) =>
    (await server.call('evaluation', 'submitAi', aiRequest(), { token })).body.data.orderId
  const begin = (token: string, orderId: string, couponId = '') =>
    server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId }, { token })
  async function paidOrder(token: string) {
    const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
    expect((await begin(token, orderId)).body.code).toBe('OK')
    expect((await paid(server, orderId)).statusCode).toBe(200)
    return orderId
  }
  const info = async (token: string, orderId: string) =>
    (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  const report = async (token: string, orderId: string) =>
    (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data

  test('a user logs in, and is the same one the next time', async () => {
    const { userId, newUser: isNew } = await server.login('13900000001')
    server.clock.advance(60_000)
    expect(isNew).toBe(true)
    expect(await server.login('13900000001')).toMatchObject({ userId, newUser: false })
  })

  test('an account is valued by the model', async () => {
    const { token } = await newUser()
    const { price, status } = await report(token, await valued(token))
    expect(price.lowFen).toBeLessThanOrEqual(price.highFen)
    expect(status).toBe('LOCKED')
  })

  test('twenty parallel requests for one account are one order', async () => {
    const { token } = await newUser()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call('evaluation', 'submitAi', aiRequest(3), { token })),
    )
    expect(new Set(answers.map(({ body }) => body.data.orderId)).size).toBe(1)
  })

  test('a report is unlocked by a payment', async () => {
    const { token } = await newUser()
    const orderId = await valued(token)
    await begin(token, orderId)
    await paid(server, orderId)
    expect((await report(token, orderId)).status).toBe('UNLOCKED')
  })

  test('an appraiser takes a paid order and delivers it, and its owner rates it', async () => {
    const { token } = await newUser()
    const orderId = await paidOrder(token)
    const appraiser = await atDesk(server, { name: 'embedded', role: 'APPRAISER' })
    const url = `/desk/orders/${orderId}`
    expect((await appraiser.send(`${url}/take`)).statusCode).toBe(303)
    const delivered = await deliver(appraiser, url, { price: '2580', comment: '按近期成交，仓库齐全' })
    expect(delivered.headers.location).toContain('done=')
    expect((await info(token, orderId)).status).toBe('REPORTED')
    expect((await report(token, orderId)).price.predictFen).toBe(258_000)
  })

  test('twenty parallel cancels are one refund', async () => {
    const { token } = await newUser()
    const orderId = await paidOrder(token)
    const cancel = () => server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了' }, { token })
    await Promise.all(Array.from({ length: 20 }, cancel))
    await server.lifecycle.jobRunner?.runAll()
    expect((await info(token, orderId)).status).toBe('REFUNDED')
    const refunds = await db().selectFrom('refunds').select('id').where('order_id', '=', orderId).execute()
    expect(refunds).toHaveLength(1)
  })

  test('a lease is held by one at a time', async () => {
    const inner = await underLease(db(), 'one', () => underLease(db(), 'one', async () => 'both'))
    expect(inner).toEqual({ result: undefined })
  })

  test('a transaction that fails leaves nothing behind', async () => {
    const fails = db()
      .transaction()
      .execute(async (tx) => {
        await tx.deleteFrom('games').execute()
        throw new Error('no')
      })
    await expect(fails).rejects.toThrow('no')
    expect(await db().selectFrom('games').select('game_id').execute()).toEqual([{ game_id: 'naraka' }])
  })

  test('all jobs run, and the ledger agrees with the orders', async () => {
    await advance(server, 24 * HOUR)
    expect((await checkLedger(db())).differences).toEqual([])
  })
})

describe('processes on a data folder', () => {
  const stores: TestDatabase[] = []
  const folders: string[] = []
  const running: ServerProcess[] = []
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    for (const testDatabase of stores) testDatabase.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const newStore = () => {
    const testDatabase = embeddedDatabase()
    stores.push(testDatabase)
    return testDatabase
  }
  const newFolder = () => {
    const folder = tempFolder('valuation-test-')
    folders.push(folder)
    return folder
  }
  const open = (dataDir: string) => openDatabase({ dataDir, databaseUrl: undefined })
  const start = (env: Record<string, string>, file?: string, args?: string[]) => {
    const p = startProcess(env, file, args)
    running.push(p)
    return p
  }
  /** The message to the operator: one sentence, exit code 1. */
  async function refusal(env: Record<string, string>, file?: string, args?: string[]): Promise<string> {
    const p = start(env, file, args)
    expect(await p.ended).toBe(1)
    const lines = p.output().trim().split('\n')
    expect(lines).toHaveLength(1)
    return lines[0] ?? ''
  }

  describe('with a server', () => {
    let env: Record<string, string>
    let server: ServerProcess
    let url: string
    let token: string
    const user = async () => (await call(url, 'user', 'get', {}, token)).data
    beforeAll(async () => {
      const testDatabase = newStore()
      await insertGamesWithoutSales(testDatabase)
      env = testDatabase.env
      server = start(env)
      url = await server.ready()
      const mobile = '13800138000'
      await call(url, 'user', 'sendSmsCode', { mobile, scene: 1 })
      const { code } = (await (await fetch(`${url}/sandbox/sms?mobile=${mobile}`)).json()) as { code: string }
      token = (await call(url, 'user', 'smsLogin', { mobile, code })).data.token
    })

    test('a second server and tools are refused', async () => {
      const { DATA_DIR = '' } = env
      const inUse = /^✗ 数据目录 .+ 正被另一个服务进程使用（DATA_DIR）/
      const refused = [await refusal({ DATA_DIR }), await refusal({ DATA_DIR }, 'server/cli/backup.ts')]
      for (const words of refused) expect(words).toMatch(inUse)
      expect(await user()).toMatchObject({ mobileMasked: '138****8000' })
    })

    test('after a kill another server continues with what was stored, and stops without waiting', async () => {
      const before = await user()
      server.child.kill('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
      server = start(env)
      url = await server.ready()
      expect(await user()).toEqual(before)
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(server.output()).toContain('已停止')
    })
  })

  test('a foreign database folder is refused and left unchanged', async () => {
    const foreign = newFolder()
    mkdirSync(path.join(foreign, 'postgres'))
    writeFileSync(path.join(foreign, 'postgres', 'holiday.txt'), 'mine')
    await expect(open(foreign)).rejects.toThrow(/^数据目录 .+ 中的数据库无法打开（DATA_DIR）/)
    expect(readdirSync(foreign)).toEqual(['postgres'])
    expect(readFileSync(path.join(foreign, 'postgres', 'holiday.txt'), 'utf8')).toBe('mine')
  })

  test('a damaged database is refused and left unchanged', async () => {
    const dir = newFolder()
    cpSync(await emptyFolder(), dir, { recursive: true })
    const control = path.join(dir, 'postgres', 'global', 'pg_control')
    truncateSync(control, 100)
    await expect(open(dir)).rejects.toThrow(/^数据目录 .+ 中的数据库无法打开（DATA_DIR）：文件已损坏/)
    expect(statSync(control).size).toBe(100)
  })

  test('a backup unpacks into a working data folder', async () => {
    const dir = newFolder()
    cpSync(await emptyFolder(), dir, { recursive: true })
    const file = path.join(dir, 'backup.tar.gz')
    const made = start({ DATA_DIR: dir }, 'server/cli/backup.ts', [file])
    expect(await made.ended).toBe(0)
    const restored = newFolder()
    mkdirSync(path.join(restored, 'postgres'))
    expect(spawnSync('tar', ['-xzf', file, '-C', path.join(restored, 'postgres')]).status).toBe(0)
    const { db, close } = await open(restored)
    expect(await db.selectFrom('games').selectAll().execute()).toEqual([])
    await close()
    expect(await refusal({ DATA_DIR: dir }, 'server/cli/backup.ts', [file])).toContain('已存在')
  })
})
