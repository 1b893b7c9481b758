import type { FormConfig } from '@/contract/form/types'
import { discountedPrice, discountOf, ineligibleReason } from '../domains/payments/coupons/eligibility'
import { setupServer, someAnswers } from './harness'
import { adult, advance, configOf, manualRequest, paid } from './orders'

const MINUTE = 60_000
const DAY = 86_400_000

let config: FormConfig
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
beforeEach(() => server.clock.advance(2 * DAY))

let numbers = 0
const newUser = () => {
  numbers += 1
  return adult(server, `1360000${String(numbers).padStart(4, '0')}`)
}
const receive = (token: string, templateId: string) => server.call('coupon', 'receive', { templateId }, { token })
const by = async (token: string, status: 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED') =>
  (await server.call('coupon', 'getByStatus', { status }, { token })).body.data.list
const centre = async (templateId: string, token?: string) =>
  (await server.call('coupon', 'canReceive', {}, token === undefined ? {} : { token })).body.data.find(
    (c) => c.templateId === templateId,
  )
const setTemplate = (
  templateId: string,
  change: { total?: number; given?: number; receive_start_at?: number | null; receive_end_at?: number | null },
) => server.database.db.updateTable('coupon_templates').set(change).where('template_id', '=', templateId).execute()
const manual = async (token: string, skip = 0) =>
  (await server.call('evaluation', 'submitManual', manualRequest(config, skip), { token })).body.data.orderId
async function reported(token: string) {
  const { gameId, schemaVersion } = config
  const asked = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  return (await server.call('evaluation', 'submitAi', asked, { token })).body.data.orderId
}
const begin = (token: string, orderId: string, couponId?: string) =>
  server.call(
    'pay',
    'payment',
    { orderId, payType: 'ALI_WAP', consent: true, ...(couponId !== undefined && { couponId }) },
    { token },
  )
const info = async (token: string, orderId: string) =>
  (await server.call('pay', 'getInfo', { orderId }, { token })).body.data

describe('rules', () => {
  const rule = {
    amount_fen: 0,
    percent: null,
    cap_fen: null,
    threshold_fen: 0,
    scope: 'ALL' as const,
    game_ids: [] as string[],
  }
  const direct = { ...rule, type: 'DIRECT' as const, amount_fen: 500 }

  test.each([
    ['DIRECT', direct, 1990, 1490],
    ['never below nothing', direct, 390, 0],
    ['FREE', { ...rule, type: 'FREE' as const }, 390, 0],
    ['8 折, half a fen up', { ...rule, type: 'PERCENT' as const, percent: 85 }, 390, 332],
    ['at most its cap', { ...rule, type: 'PERCENT' as const, percent: 50, cap_fen: 300 }, 4990, 4690],
  ])('%s', (_name, coupon, originFen, payFen) => {
    expect(discountedPrice({ originFen }, coupon)).toEqual({ originFen, discountFen: originFen - payFen, payFen })
  })

  test('a discount is between nothing and everything, whatever the rule says', () => {
    for (const type of ['DIRECT', 'CASH_OFF', 'PERCENT', 'FREE'] as const)
      for (const percent of [1, 50, 99])
        for (const amount_fen of [0, 1, 390, 100_000])
          for (const originFen of [0, 1, 390, 1990]) {
            const off = discountOf({ ...rule, type, percent, amount_fen, cap_fen: amount_fen }, originFen)
            expect(Number.isInteger(off) && off >= 0 && off <= originFen).toBe(true)
          }
  })

  test('every reason has its words', () => {
    const held = { ...direct, status: 'UNUSED' as const, start_at: 0, end_at: 100, order_id: null }
    const purchase = { orderId: 'o', mode: 'AI' as const, gameId: 'hok', originFen: 390 }
    expect(ineligibleReason(held, purchase, 50)).toBeUndefined()
    const reasons = [
      { ...held, status: 'LOCKED' as const, order_id: 'other' },
      { ...held, end_at: 50 },
      { ...held, start_at: 60 },
      { ...held, scope: 'MANUAL' as const },
      { ...held, scope: 'GAME' as const, game_ids: ['ys'] },
      { ...held, threshold_fen: 1950 },
    ].map((c) => ineligibleReason(c, purchase, 50))
    expect(reasons).toEqual([
      '正在另一笔订单中使用',
      '已过期',
      '未到使用时间',
      '仅限人工估价使用',
      '不适用于这个游戏',
      '满19.50元可用',
    ])
  })
})

test('a newcomer has one coupon for a full report, logging in again gives no other', async () => {
  const { token } = await newUser()
  const mobile = `1360000${String(numbers).padStart(4, '0')}`
  await advance(server, MINUTE)
  await server.login(mobile)
  expect(await by(token, 'UNUSED')).toMatchObject([{ name: '新人体验券', type: 'FREE', scope: 'AI' }])
  const { body } = await server.call('user', 'get', {}, { token })
  expect(body.data).toMatchObject({ couponCount: 1, unread: 1 })
})

test('a coupon that covers all of the price is not used without the consent either', async () => {
  const { token } = await newUser()
  const orderId = await reported(token)
  const { body } = await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP' }, { token })
  expect(body).toMatchObject({ code: 'VALIDATION_FAILED', data: { fields: [{ path: 'consent' }] } })
  expect((await begin(token, orderId)).body).toMatchObject({ code: 'OK', data: {} })
  expect(await by(token, 'USED')).toHaveLength(1)
})

test('the centre is open to all; limits hold for twenty parallel taps and for the last coupon', async () => {
  const { token } = await newUser()
  expect(await centre('report-1')).toMatchObject({ state: 'AVAILABLE', left: 10_000 })
  const taps = await Promise.all(Array.from({ length: 20 }, () => receive(token, 'report-1')))
  expect(taps.filter((a) => a.body.success)).toHaveLength(1)
  expect(taps.find((a) => !a.body.success)?.body).toMatchObject({
    code: 'COUPON_NOT_USABLE',
    msg: '您已领取过这张优惠券',
  })
  expect(await centre('report-1', token)).toMatchObject({ state: 'RECEIVED', left: 9999 })
  await setTemplate('report-1', { total: 3, given: 1 })
  const users = await Promise.all(Array.from({ length: 6 }, newUser))
  const rush = await Promise.all(users.map((u) => receive(u.token, 'report-1')))
  expect(rush.filter((a) => a.body.success)).toHaveLength(2)
  expect(await centre('report-1')).toMatchObject({ state: 'SOLD_OUT', left: 0 })
  await setTemplate('report-1', { total: 10_000 })
})

test('a coupon before its start, after its end and an unknown one are refused', async () => {
  const { token } = await newUser()
  const now = server.clock.now()
  await setTemplate('expert-80', { receive_start_at: now + DAY })
  expect((await receive(token, 'expert-80')).body.msg).toBe('领取还未开始')
  await setTemplate('expert-80', { receive_start_at: null, receive_end_at: now })
  expect((await receive(token, 'expert-80')).body.msg).toBe('领取已结束')
  await setTemplate('expert-80', { receive_end_at: null })
  expect((await receive(token, 'nothing')).status).toBe(404)
  // given by rules only
  expect((await receive(token, 'late')).status).toBe(404)
})

test('the best coupon is chosen, unusable ones are listed with reasons, and a quote locks nothing', async () => {
  const { token } = await newUser()
  const cashOff = (await receive(token, 'manual-3')).body.data.couponId
  await receive(token, 'expert-80')
  const orderId = await manual(token)
  const pre = async (couponId?: string) =>
    (await server.call('pay', 'createPre', { orderId, ...(couponId !== undefined && { couponId }) }, { token })).body
      .data
  const best = await pre()
  expect(best).toMatchObject({ originFen: 1990, discountFen: 300, payFen: 1690, couponId: cashOff })
  expect(best.coupons.map((c) => [c.name, c.reason])).toEqual([
    ['人工估价满减券', undefined],
    ['新人体验券', '仅限 AI 估价使用'],
    ['专家估价 8 折券', '满40元可用'],
  ])
  expect(await pre('')).toMatchObject({ discountFen: 0, payFen: 1990 })
  const { body } = await server.call('coupon', 'getCanUse', { orderId }, { token })
  expect([body.data.usable.length, body.data.unusable.length]).toEqual([1, 2])
  expect(await by(token, 'LOCKED')).toEqual([])
})

test('of two concurrent orders one gets the coupon', async () => {
  const { token } = await newUser()
  const { couponId } = (await receive(token, 'manual-3')).body.data
  const orders = [await manual(token, 0), await manual(token, 1)]
  const answers = await Promise.all(orders.map((orderId) => begin(token, orderId, couponId)))
  expect(answers.map((a) => a.body.code).sort()).toEqual(['COUPON_NOT_USABLE', 'OK'])
  expect(await by(token, 'LOCKED')).toHaveLength(1)
})

test('locked when paying, used when paid, given back by a full refund', async () => {
  const { token } = await newUser()
  const { couponId } = (await receive(token, 'manual-3')).body.data
  const orderId = await manual(token)
  await begin(token, orderId, couponId)
  await paid(server, orderId)
  expect(await info(token, orderId)).toMatchObject({ status: 'PAID', payFen: 1690, discountFen: 300, couponId })
  expect(await by(token, 'USED')).toMatchObject([{ couponId, orderId }])
  expect(await centre('manual-3', token)).toMatchObject({ state: 'RECEIVED', mine: 'USED' })
  const cancelled = await server.call('evaluation', 'applyCancel', { orderId, reason: '信息填错' }, { token })
  expect(cancelled.body.data.refundFen).toBe(1690)
  await advance(server, 0)
  expect((await by(token, 'UNUSED')).map((c) => c.couponId)).toContain(couponId)
  expect(await centre('manual-3', token)).toMatchObject({ state: 'RECEIVED', mine: 'UNUSED' })
})

test('a coupon that ended while locked expires, or lasts a day longer when the refund was our fault', async () => {
  const end = async (couponId: string, end_at: number) =>
    server.database.db.updateTable('user_coupons').set({ end_at }).where('coupon_id', '=', couponId).execute()
  const [unlucky, served] = [await newUser(), await newUser()]
  const orders = await Promise.all(
    [unlucky, served].map(async ({ token }) => {
      const { couponId } = (await receive(token, 'manual-3')).body.data
      const orderId = await manual(token)
      await begin(token, orderId, couponId)
      await end(couponId, server.clock.now() + 10 * MINUTE)
      return { orderId, couponId }
    }),
  )
  const [abandoned, late] = orders
  await paid(server, late?.orderId ?? '')
  await advance(server, 15 * MINUTE)
  expect((await by(unlucky.token, 'EXPIRED')).map((c) => c.couponId)).toContain(abandoned?.couponId)
  await advance(server, 3 * DAY)
  expect((await info(served.token, late?.orderId ?? '')).status).toBe('REFUNDED')
  const back = (await by(served.token, 'UNUSED')).find((c) => c.couponId === late?.couponId)
  expect((back?.endAt ?? 0) - server.clock.now()).toBeGreaterThan(DAY - MINUTE)
})

test('the coupon unlocks a report without a cashier, once for twenty taps', async () => {
  const { token } = await newUser()
  const orderId = await reported(token)
  const pre = (await server.call('pay', 'createAiPre', { orderId }, { token })).body.data
  expect(pre).toMatchObject({ originFen: 390, payFen: 0 })
  const taps = await Promise.all(Array.from({ length: 20 }, () => begin(token, orderId)))
  expect(taps.filter((a) => a.body.success).length).toBeGreaterThan(0)
  expect(await info(token, orderId)).toMatchObject({ status: 'UNLOCKED', payStatus: 'PAID', payFen: 0 })
  expect(await by(token, 'USED')).toHaveLength(1)
  const { db } = server.database
  const { list } = (await server.call('user', 'messages', {}, { token })).body.data
  const told = list.filter(({ type }) => type === 'PAID' || type === 'UNLOCKED')
  expect(told).toMatchObject([{ title: '解锁成功' }])
  expect(told[0]?.summary).toMatch(/^无需付款，“.+”的完整报告已可查看$/)
  const unlocked = db.selectFrom('order_events').select('id').where('order_id', '=', orderId)
  expect(await unlocked.where('to_status', '=', 'UNLOCKED').execute()).toHaveLength(1)
})

test('an abandoned payment releases its coupon; the report stays locked', async () => {
  const { token } = await newUser()
  const { couponId } = (await receive(token, 'report-1')).body.data
  const orderId = await reported(token)
  await begin(token, orderId, couponId)
  expect((await by(token, 'LOCKED')).map((c) => c.couponId)).toEqual([couponId])
  const listed = async (tab: 'ING' | 'DONE') =>
    (await server.call('evaluation', 'orderList', { tab }, { token })).body.data.list.map(({ actions }) => actions[0])
  const counts = async () => (await server.call('pay', 'orderCount', {}, { token })).body.data
  // a begun payment is found where unpaid orders are
  expect([await listed('ING'), await listed('DONE')]).toEqual([['PAY'], []])
  expect(await counts()).toEqual({ unpaid: 1, ing: 0, done: 0, refund: 0 })
  await advance(server, 16 * MINUTE)
  expect(await by(token, 'LOCKED')).toEqual([])
  expect([await listed('ING'), await listed('DONE')]).toEqual([[], ['VIEW']])
  expect(await counts()).toEqual({ unpaid: 0, ing: 0, done: 1, refund: 0 })
  const order = await info(token, orderId)
  expect([order.status, order.couponId]).toEqual(['REPORTED', undefined])
})

test('a coupon ends by the clock, on read already, and its owner is notified three days before, once', async () => {
  const { token, userId } = await newUser()
  const { couponId } = (await receive(token, 'manual-3')).body.data
  const reminders = async () =>
    server.database.db
      .selectFrom('messages')
      .select('summary')
      .where('user_id', '=', userId)
      .where('biz_id', '=', couponId)
      .where('type', '=', 'COUPON_EXPIRING')
      .execute()
  await advance(server, 12 * DAY - MINUTE)
  expect(await reminders()).toEqual([])
  await advance(server, MINUTE)
  await advance(server, MINUTE)
  expect(await reminders()).toEqual([{ summary: expect.stringContaining('人工估价满减券') }])
  server.clock.advance(3 * DAY)
  expect((await by(token, 'EXPIRED')).map((c) => c.couponId)).toEqual([couponId])
  const orderId = await manual(token)
  expect((await begin(token, orderId, couponId)).body.code).toBe('COUPON_NOT_USABLE')
})
