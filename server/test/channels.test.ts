import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { adult, configOf, manualRequest, paid, report } from './orders'

const DAY = 86_400_000
let testDatabase: TestDatabase
let server: TestServer
let dir: string
const channelFile = (name: string, head: string) =>
  writeFileSync(path.join(dir, 'channels', `${name}.md`), `---\n${head}\n---\n`)

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'valuation-channels-'))
  cpSync(path.join(__dirname, '../content/documents'), path.join(dir, 'documents'), { recursive: true })
  cpSync(path.join(__dirname, '../content/help'), path.join(dir, 'help'), { recursive: true })
  mkdirSync(path.join(dir, 'channels'))
  channelFile(
    'own',
    'name: 专营\nurl: https://own.example/sell?g={game}&r={report}\nnote: 只收一种\norder: 2\ngames: naraka, val',
  )
  channelFile('all', 'name: 综合\nurl: https://all.example/\nnote: 都收\norder: 1')
  channelFile('bad', 'name: 坏\nurl: javascript:alert(1)\nnote: 坏')
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka'], env: { CONTENT_DIR: dir, DEMO_APPRAISER: '0' } })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
  rmSync(dir, { recursive: true, force: true })
})

const links = (token: string, gameId: string, reportNo?: string) =>
  server.call('user', 'channelLinks', { gameId, ...(reportNo && { reportNo }) }, { token })

/** A paid and delivered manual valuation. */
async function reported(mobile: string) {
  const { token } = await adult(server, mobile)
  const config = await configOf(server, 'naraka')
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
  await server.call(
    'pay',
    'payment',
    { orderId, payType: 'ALI_WAP', consent: true, returnUrl: 'http://localhost/' },
    { token },
  )
  expect((await paid(server, orderId)).statusCode).toBe(200)
  expect((await report(server, { orderId, priceFen: 100_000, comment: '按成交参考' })).statusCode).toBe(200)
  const { reportNo = '' } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  return { token, reportNo }
}

test('links lead to the marketplaces of the game with the own report; an invalid file is ignored', async () => {
  const [mine, other] = [await reported('13700000001'), await reported('13700000002')]
  const all = { channel: 'all', name: '综合', url: 'https://all.example/', note: '都收' }
  expect((await links(mine.token, 'hok')).body.data).toEqual([all])
  expect((await links(mine.token, 'naraka', mine.reportNo)).body.data).toEqual([
    all,
    { channel: 'own', name: '专营', url: `https://own.example/sell?g=naraka&r=${mine.reportNo}`, note: '只收一种' },
  ])
  expect((await links(mine.token, 'naraka')).body.data[1]?.url).toBe('https://own.example/sell?g=naraka&r=')
  // another user's, another game's and unknown ones have the same answer
  for (const [gameId, no] of [
    ['naraka', other.reportNo],
    ['hok', mine.reportNo],
    ['naraka', 'GZ20200101-AAAAAA'],
  ] as const)
    expect((await links(mine.token, gameId, no)).status).toBe(404)
  expect(server.lifecycle.deps?.repositories.content.issues()).toEqual([
    { file: 'channels/bad.md', reason: 'url 应以 https:// 开头' },
  ])
})

test('a new user keeps the channel of the sign-up, whatever link is opened later', async () => {
  const mobile = '13900000001'
  await server.call('user', 'sendSmsCode', { mobile, scene: 1 })
  const headers = { ChannelInfo: encodeURIComponent(JSON.stringify({ channelCode: '抖音' })) }
  const enter = { mobile, code: server.sms.newestCode(mobile) ?? '' }
  const { userId } = (await server.call('user', 'smsLogin', enter, { headers })).body.data
  const row = server.database.db.selectFrom('users').select('channel').where('id', '=', userId)
  expect(await row.executeTakeFirstOrThrow()).toEqual({ channel: '抖音' })
})

test.each([
  '%',
  '%7B',
  encodeURIComponent('"text"'),
  encodeURIComponent('{"channelCode":7}'),
  '%7B%22channelCode%22%3A%22%5Cu0000%22%7D',
])('a damaged channel header (%s) is not a channel and no error', async (ChannelInfo) => {
  const mobile = `1360000${String(Math.abs(ChannelInfo.length * 37) % 10_000).padStart(4, '0')}`
  server.clock.advance(DAY)
  await server.call('user', 'sendSmsCode', { mobile, scene: 1 })
  const enter = { mobile, code: server.sms.newestCode(mobile) ?? '' }
  const { body } = await server.call('user', 'smsLogin', enter, { headers: { ChannelInfo } })
  const { channel } = await server.database.db
    .selectFrom('users')
    .select('channel')
    .where('id', '=', body.data.userId)
    .executeTakeFirstOrThrow()
  expect(channel).toBe('')
})

test('only existing subjects are counted; a flood of visits displaces no channel and no vote', async () => {
  const hit = (key: string, bizId?: string) => server.call('app', 'countHit', { key, ...(bizId && { bizId }) })
  for (const [key, bizId] of [
    ['junk', 'b1'],
    ['constructor', 'b1'],
    ['ARTICLE_VIEW', 'b1'],
    ['HELP_YES', 'no-such-question'],
    ['CHANNEL_OUT', 'no-such-place'],
  ] as const)
    expect([key, (await hit(key, bizId)).body.code]).toEqual([key, 'VALIDATION_FAILED'])
  expect((await hit('CHANNEL_OUT', 'all')).body.data).toEqual({ n: 1 })
  for (const _visit of [1, 2]) await hit('VISIT', '小红书')
  const { db } = server.database
  await sql`insert into counters (key, biz_id, n) select 'VISIT', 'b' || g, 1 from generate_series(1, 10000) g`.execute(
    db,
  )
  const size = async () =>
    (await sql<{ n: number }>`select count(*) as n from counters where key = 'VISIT'`.execute(db)).rows[0]?.n
  expect((await hit('VISIT', '小红书')).body.data).toEqual({ n: 3 })
  const before = await size()
  // the link opened least often is removed
  expect((await hit('VISIT', '新渠道')).body.data).toEqual({ n: 1 })
  expect((await hit('VISIT', '小红书')).body.data).toEqual({ n: 4 })
  const question = server.lifecycle.deps?.repositories.content.help()[0]?.items[0]?.id ?? ''
  expect((await hit('HELP_YES', question)).body.data).toEqual({ n: 1 })
  expect(await size()).toBe(before)
  await sql`delete from counters where key = 'VISIT' and biz_id like 'b%'`.execute(db)
})
