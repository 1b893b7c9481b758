import { sql } from 'kysely'
import { FEATURED_REPORT_TOKEN } from '@/contract/constants'
import type { Req } from '@/contract/types'
import { unlockReport } from '../domains/orders/unlock-report'
import { setupServer, someAnswers } from './harness'

const NICK = '峡谷来客甲'
let owner: { token: string }
let orderId: string
let reportNo: string
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  owner = await server.login('13800000001')
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  orderId = (await server.call('evaluation', 'submitAi', req, owner)).body.data.orderId
  reportNo = (await server.call('evaluation', 'reportGet', { orderId }, owner)).body.data.reportNo
  await server.database.db.updateTable('users').set({ nickname: NICK }).execute()
  await sure('HIGH')
})

const { stringify } = JSON
const list = async (req: Req<'app', 'excellentReportList'> = {}) =>
  (await server.call('app', 'excellentReportList', req)).body.data
const open = (no = reportNo) =>
  server.call('evaluation', 'reportGet', { reportNo: no, shareToken: FEATURED_REPORT_TOKEN }).then(({ body }) => body)
const agree = (showAsExample: boolean) => server.call('user', 'updateSettings', { showAsExample }, owner)
const sure = (level: string) =>
  server.database.db
    .updateTable('reports')
    .set({ body: sql`jsonb_set(body, '{confidence,level}', ${JSON.stringify(level)}::jsonb)` })
    .execute()
const unlock = () =>
  server.database.db.transaction().execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: server.clock.now() }))
const nothing = async () => {
  expect((await list()).total).toBe(0)
  expect((await list()).list).toEqual([])
  // the same answer as for an unknown number
  expect(await open()).toMatchObject({ success: false, code: 'SHARE_REVOKED' })
  const [known, unknown] = [await open(), await open('GZ20200101-AAAAAA')]
  expect([known.code, known.msg]).toEqual([unknown.code, unknown.msg])
}

test('only unlocked reports of users who agreed are featured; agreement is off by default', async () => {
  await nothing()
  await agree(true)
  await nothing()
  await unlock()
  expect((await list()).total).toBe(1)
  await agree(false)
  await nothing()
})

test('card and report reveal nothing of the owner', async () => {
  await agree(true)
  const { list: cards, total } = await list()
  expect(total).toBe(1)
  expect(cards[0]).toMatchObject({ reportNo, nickMasked: '峡**甲', synthetic: true })
  expect(cards[0]?.reason).toMatch(/^可信度 \d+ 分 · 可比成交 \d+ 个/)
  const { success, data } = await open()
  expect(success).toBe(true)
  expect(data).toMatchObject({ reportNo, mine: false, account: {}, orderId: '' })
  expect(data.breakdown.length).toBeGreaterThan(2)
  for (const key of ['inputs', 'raise', 'history', 'verifyUrl', 'signature']) expect(data).not.toHaveProperty(key)
  for (const secret of [NICK, orderId, 'shareToken']) expect(stringify([cards, data])).not.toContain(secret)
})

test('filters by game and page; an unknown game has none', async () => {
  await agree(true)
  expect((await list({ gameId: 'naraka' })).total).toBe(1)
  expect((await list({ gameId: 'hok' })).total).toBe(0)
  expect(await list({ pageNo: 2, pageSize: 1 })).toMatchObject({ list: [], total: 1, pageNo: 2, pageSize: 1 })
})

test('lists the newest report of each game with what its picture shows', async () => {
  await agree(true)
  const { list: cards, total } = await list({ perGame: true })
  expect([total, cards.length]).toEqual([1, 1])
  expect(cards[0]?.percentile).toBeGreaterThan(0)
  for (const fen of cards[0]?.soldFen ?? []) expect(Number.isInteger(fen)).toBe(true)
  expect((await list({ perGame: true, gameId: 'hok' })).total).toBe(0)
})

test('withdrawn, uncertain, revoked and old reports are left out with the next check', async () => {
  const gone = async (undo: () => Promise<unknown>) => {
    await nothing()
    await undo()
    expect((await list()).total).toBe(1)
  }
  await agree(true)
  await agree(false)
  await gone(() => agree(true))
  await sure('MEDIUM')
  await gone(() => sure('HIGH'))
  const status = (to: string) => server.database.db.updateTable('reports').set({ status: to }).execute()
  await status('REVOKED')
  await gone(() => status('UNLOCKED'))
  // the owner has asked for the deletion of the account
  const leaving = (deletion_at: number | null) => server.database.db.updateTable('users').set({ deletion_at }).execute()
  await leaving(server.clock.now() + 15 * 24 * 3_600_000)
  await gone(() => leaving(null))
  server.clock.advance(91 * 24 * 3_600_000)
  await nothing()
})
