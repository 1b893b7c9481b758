import { createHash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { unlockReport } from '../../domains/orders/unlock-report'
import { checkLedger } from '../../domains/payments/accounting/check'
import { paySig } from '../../providers/pay/virtual'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from '../harness'
import { startWechatApi } from '../wechat-api'
import { adultId } from './requests'

/** Virtual goods bought in the mini-program on Android, where WeChat itself takes the money. */

const SETTINGS = { OFFER_ID: '123', APP_KEY: 'key', PUSH_TOKEN: 'push', PRODUCTS: '390=unlock' }
const ANDROID = { platform: 'weapp', os: 'android' }
const log: string[] = []
let testDatabase: TestDatabase
let server: TestServer
let api: Awaited<ReturnType<typeof startWechatApi>>

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  api = await startWechatApi()
  const env = Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [`WECHAT_VIRTUAL_${name}`, value]))
  server = await startServer({
    testDatabase,
    games: ['naraka'],
    env: { ...api.env, ...env },
    onLog: (line) => log.push(line),
  })
})
afterAll(async () => {
  await server?.close()
  await api?.close()
  testDatabase?.remove()
})

interface Sign {
  outTradeNo: string
  goodsPrice: number
  productId: string
}

/** A locked report of a new user, whose payment is begun with `begin`. */
async function buyer(mobile: string, n: number) {
  const { token } = await server.login(mobile)
  const me = { token, headers: ANDROID }
  await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(n), consent: true }, me)
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, n), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, me)).body.data
  await server.call('pay', 'createAiPre', { orderId, couponId: '' }, me)
  const begin = async (loginCode: string) => {
    const order = { orderId, payType: 'WX_MINI' as const, consent: true as const, couponId: '', loginCode }
    const { data, msg, code } = (await server.call('pay', 'payment', order, me)).body
    if (code !== 'OK') throw new Error(`${code} ${msg}`)
    const signData = data.payParams?.signData ?? ''
    return { payParams: data.payParams, signData, ...(JSON.parse(signData) as Sign) }
  }
  const result = async () => (await server.call('pay', 'payResult', { orderId }, me)).body.data.status
  return { me, orderId, begin, result }
}

/** Sends a push message of WeChat. */
async function push(payload: Record<string, unknown>): Promise<[number, string]> {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), 'n1']
  const signature = createHash('sha1').update([SETTINGS.PUSH_TOKEN, timestamp, nonce].sort().join('')).digest('hex')
  const url = `/pay/notify/virtual?${new URLSearchParams({ signature, timestamp, nonce })}`
  const { statusCode, body } = await server.app.inject({ method: 'POST', url, payload })
  return [statusCode, body]
}

const ACCEPTED = [200, '{"ErrCode":0,"ErrMsg":"success"}']

test('is paid by requestVirtualPayment and settled by the notification to the common address', async () => {
  const { me, orderId, begin, result } = await buyer('13800138301', 1)
  expect((await server.call('pay', 'payType', { orderId, env: 'MINI' }, me)).body.data).toEqual([
    { type: 'WX_MINI', note: '', default: true },
  ])
  const unasked = { orderId, payType: 'WX_MINI' as const, couponId: '', loginCode: 'ann' }
  expect((await server.call('pay', 'payment', unasked, me)).body).toMatchObject({
    data: { fields: [{ path: 'consent' }] },
  })
  const { payParams, signData, outTradeNo, goodsPrice, productId } = await begin('ann')
  expect(payParams?.paySig).toBe(paySig('key', 'requestVirtualPayment', signData))
  expect([goodsPrice, productId]).toEqual([390, 'unlock'])
  api.answers['/xpay/query_order'] = () => ({
    errcode: 0,
    order: { order_id: outTradeNo, status: 2, order_fee: 390, wxpay_order_id: '4200' },
  })
  expect(await push({ Event: 'xpay_goods_deliver_notify', OutTradeNo: outTradeNo })).toEqual(ACCEPTED)
  expect(await result()).toBe('PAID')
})

test('a payment whose sheet was never opened, which WeChat does not know, is ended by the next', async () => {
  const { begin } = await buyer('13800138302', 2)
  const first = await begin('bob')
  api.answers['/xpay/query_order'] = () => ({ errcode: 268490002, errmsg: '数据不存在 rid: 1' })
  // another login of WeChat signs another payment
  expect((await begin('bea')).outTradeNo).not.toBe(first.outTradeNo)
  const { db } = server.database
  const { status } = await db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', first.outTradeNo)
    .executeTakeFirstOrThrow()
  expect(status).toBe('CLOSED')
})

/** What WeChat tells about an order: 2 paid, 5 and 8 refunded. */
const show = (outTradeNo: string, status: number) => {
  const order = { order_id: outTradeNo, status, order_fee: 390, wxpay_order_id: `42${outTradeNo}` }
  api.answers['/xpay/query_order'] = () => ({ errcode: 0, order })
}

describe('a refund that Apple or WeChat made at the payer’s request', () => {
  const UNCONFIRMED = [503, '{"ErrCode":1,"ErrMsg":"查询尚未显示退款"}']

  test('ends the order once, as soon as the query shows it', async () => {
    const { me, orderId, begin, result } = await buyer('13800138303', 3)
    const { outTradeNo } = await begin('cat')
    show(outTradeNo, 2)
    await push({ Event: 'xpay_goods_deliver_notify', OutTradeNo: outTradeNo })
    expect(await result()).toBe('PAID')
    const refunded = { Event: 'xpay_refund_notify', MchOrderId: outTradeNo, RetCode: 0 }
    // the message alone proves nothing
    expect(await push(refunded)).toEqual(UNCONFIRMED)
    show(outTradeNo, 8)
    for (let i = 0; i < 2; i += 1) expect(await push(refunded)).toEqual(ACCEPTED)
    expect((await server.call('pay', 'getInfo', { orderId }, me)).body.data).toMatchObject({
      status: 'REFUNDED',
      payStatus: 'REFUNDED',
    })
    const { db } = server.database
    const booked = await db.selectFrom('ledger').select('amount_fen').where('order_id', '=', orderId).execute()
    expect(booked.map((l) => l.amount_fen)).toEqual([390, -390])
    const { status } = await db
      .selectFrom('reports')
      .select('status')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('LOCKED')
    expect((await checkLedger(db)).differences.filter((difference) => difference.orderId === orderId)).toEqual([])
  })

  test('raises an alarm when the query does not show it for hours, as after a partial refund in the console', async () => {
    const { begin } = await buyer('13800138308', 8)
    const { outTradeNo } = await begin('hal')
    show(outTradeNo, 2)
    const sent = async (msAgo: number) => {
      log.length = 0
      const CreateTime = Math.floor((Date.now() - msAgo) / 1000)
      const refunded = { CreateTime, Event: 'xpay_refund_notify', MchOrderId: outTradeNo, RetCode: 0 }
      expect(await push(refunded)).toEqual(UNCONFIRMED)
      return log.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm === true)
    }
    expect(await sent(60_000)).toEqual([])
    expect(await sent(2 * 3_600_000)).toMatchObject([{ payment: outTradeNo }])
  })

  test('takes back the coupon for a bad rating, also of a valuation that is over', async () => {
    const { me, orderId, begin } = await buyer('13800138307', 7)
    const { outTradeNo } = await begin('gus')
    show(outTradeNo, 2)
    await push({ Event: 'xpay_goods_deliver_notify', OutTradeNo: outTradeNo })
    await server.call('evaluation', 'saveEvaluation', { orderId, score: 1, accuracy: 'LOW' }, me)
    const { db } = server.database
    await db.updateTable('orders').set({ status: 'DONE' }).where('id', '=', orderId).execute()
    const coupons = () =>
      db
        .selectFrom('user_coupons')
        .innerJoin('orders', 'orders.revaluation_coupon_id', 'user_coupons.coupon_id')
        .select('user_coupons.status')
        .where('orders.id', '=', orderId)
        .execute()
    expect(await coupons()).toEqual([{ status: 'UNUSED' }])
    show(outTradeNo, 8)
    await push({ Event: 'xpay_refund_notify', MchOrderId: outTradeNo, RetCode: 0 })
    expect(await coupons()).toEqual([{ status: 'EXPIRED' }])
  })

  test('before we knew of the payment: the attempt ends, nothing is unlocked', async () => {
    const { orderId, begin, result } = await buyer('13800138304', 4)
    const { outTradeNo } = await begin('dan')
    show(outTradeNo, 5)
    expect(await push({ Event: 'xpay_refund_notify', MchOrderId: outTradeNo, RetCode: '0' })).toEqual(ACCEPTED)
    expect(await result()).toBe('CLOSED')
    const { db } = server.database
    expect(await db.selectFrom('ledger').selectAll().where('order_id', '=', orderId).execute()).toEqual([])
    expect(await db.selectFrom('payments').select('status').where('order_id', '=', orderId).execute()).toEqual([
      { status: 'CLOSED' },
    ])
  })
})

test('Apple’s inquiry about a refund is advised against once the report is delivered, without a query', async () => {
  const { begin } = await buyer('13800138305', 5)
  const { outTradeNo } = await begin('eve')
  const ask = async (pay_order_id: string) => {
    const [status, body] = await push({ Event: 'xpay_subscribe_ios_refund_query_notify', pay_order_id })
    return [status, JSON.parse(body)]
  }
  expect(await ask(outTradeNo)).toEqual([200, expect.objectContaining({ result_code: 0 })])
  show(outTradeNo, 2)
  await push({ Event: 'xpay_goods_deliver_notify', OutTradeNo: outTradeNo })
  const before = api.seen.length
  const evidence = '所购报告已交付给用户'
  expect(await ask(outTradeNo)).toEqual([200, { result_code: 1, result_info: expect.any(String), evidence }])
  expect(api.seen.length).toBe(before)
  expect(await ask('unknown')).toEqual([400, expect.objectContaining({ ErrCode: 1 })])
})

test('Apple’s inquiry finds one of many payments by indexes, whichever number it names', async () => {
  const { begin } = await buyer('13800138309', 9)
  const { outTradeNo } = await begin('ida')
  const { db } = server.database
  const copy = sql`jsonb_build_object('id', 'copy' || g, 'txn', 'copy' || g, 'status', 'PAID', 'paid_at', 1)`
  await sql`insert into payments select (jsonb_populate_record(p, ${copy})).* from payments p, generate_series(1, 5000) g
    where p.id = ${outTradeNo}`.execute(db)
  await sql`analyze payments`.execute(db)
  const spy = jest.spyOn(Object.getPrototypeOf(db.getExecutor()), 'executeQuery')
  await push({ Event: 'xpay_subscribe_ios_refund_query_notify', pay_order_id: 'unknown' })
  const asked = spy.mock.calls.map(([query]) => query as CompiledQuery).find(({ sql: text }) => text.includes('"txn"'))
  spy.mockRestore()
  const plan = await db.executeQuery(CompiledQuery.raw(`explain ${asked?.sql}`, [...(asked?.parameters ?? [])]))
  expect(JSON.stringify(plan.rows)).toMatch(/BitmapOr.*provider = .*txn = /)
})

test('the result of a payment that is no longer needed, because the report was unlocked otherwise, is CLOSED', async () => {
  const { orderId, begin, result } = await buyer('13800138306', 6)
  const { outTradeNo } = await begin('fay')
  show(outTradeNo, 0)
  expect(await result()).toBe('PENDING')
  const now = server.clock.now()
  await server.database.db.transaction().execute((tx) => unlockReport(tx, { orderId, by: 'HELP', now }))
  expect(await result()).toBe('CLOSED')
})
