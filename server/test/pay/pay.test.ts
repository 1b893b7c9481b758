import { sql } from 'kysely'
import { OK, OPENID, PRICE, setupWechatPayments } from './wechat-payments'

const payments = setupWechatPayments()
const { stand, server, me, other, log, db, order, close, pay, attempts, begin, deliver } = payments
const { payThere, begun, paidOrder, cancel, result, info, standing, booked, messagesOf, runJobs, advance } = payments

describe('paying', () => {
  test('repeated notifications lead to one paid order, one ledger entry and one message', async () => {
    const { orderId, id } = await begun()
    expect(await result(orderId)).toBe('PENDING')
    stand.pay(id)
    const message = stand.notice(id)
    const told = await Promise.all([deliver(message), deliver(message), deliver(stand.notice(id))])
    expect(told).toEqual([OK, OK, OK])
    expect(await result(orderId)).toBe('PAID')
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID', payType: 'WX_JSAPI' })
    expect(await booked(orderId)).toEqual([`PAY ${PRICE}`])
    expect(await messagesOf(orderId)).toMatchObject([{ type: 'PAID' }])
  })

  test('without a notification both pay/result and the job query WeChat', async () => {
    const [first, second] = [await begun(), await begun()]
    stand.pay(first.id)
    expect(await result(first.orderId)).toBe('PAID')
    stand.pay(second.id)
    await advance(6000)
    expect(await info(second.orderId)).toMatchObject({ status: 'PAID' })
  })

  test('a waiting user causes at most one query to WeChat in two seconds', async () => {
    const { orderId } = await begun()
    stand.requests.length = 0
    for (let i = 0; i < 5; i += 1) await result(orderId)
    expect(stand.requests.length).toBe(1)
    server.clock.advance(2000)
    await result(orderId)
    expect(stand.requests.length).toBe(2)
  })

  test('a notification before WeChat’s answer to the order counts', async () => {
    const orderId = await order()
    stand.fault = 'hang'
    stand.requests.length = 0
    // the answer never arrives, although WeChat has created the order
    const answer = pay(orderId)
    // yields to the network, which the embedded database alone never does
    while (stand.requests.length === 0) await new Promise((turn) => setImmediate(turn))
    const id = (await attempts(orderId))[0]?.id ?? ''
    stand.trades.set(id, { outTradeNo: id, total: PRICE, state: 'NOTPAY', txn: undefined, paidAt: undefined })
    await payThere(id)
    stand.drop()
    expect((await answer).body.code).toBe('SERVICE_UNAVAILABLE')
    expect(await result(orderId)).toBe('PAID')
  })

  test('a repeated request with the same channel is the same attempt; another channel ends the first', async () => {
    const { orderId, id: first } = await begun()
    expect(await begin(orderId)).toBe(first)
    const second = await begin(orderId, { payType: 'WX_H5', openid: undefined })
    expect(second).not.toBe(first)
    expect(stand.trades.get(first)?.state).toBe('CLOSED')
    expect((await attempts(orderId)).map((a) => a.status)).toEqual(['CLOSED', 'CREATED'])
  })

  test('concurrent requests create one attempt', async () => {
    const orderId = await order()
    await Promise.all(Array.from({ length: 4 }, () => pay(orderId)))
    expect((await attempts(orderId)).filter((a) => a.status === 'CREATED')).toHaveLength(1)
  })

  test('of concurrent requests with and without a coupon the one that loses leaves the order its price', async () => {
    const orderId = await order()
    const couponId = await couponOf(me.userId)
    // the loser cannot end the payment that was begun before its own
    stand.fault = 'down'
    await Promise.all(['', couponId, '', couponId, '', couponId].map((id) => pay(orderId, { couponId: id })))
    const begun = (await attempts(orderId)).filter((a) => a.status === 'CREATED')
    expect(begun.map((a) => a.amount_fen)).toEqual([(await info(orderId)).payFen])
    await db().deleteFrom('user_coupons').where('coupon_id', '=', couponId).execute()
  })

  test('a payment made in time is found at its time limit, before the order is closed', async () => {
    const { orderId, id } = await begun()
    for (let minute = 0; minute < 14; minute += 1) await advance(60_000)
    stand.pay(id)
    Object.assign(stand.trades.get(id) ?? {}, { paidAt: new Date(Date.now() - 70_000).toISOString() })
    await advance(61_000)
    expect([await standing(orderId), await booked(orderId)]).toEqual([['PAID', 'PAID'], [`PAY ${PRICE}`]])
  })

  test('a payment at WeChat while the user begins another channel pays the order; nothing is paid twice', async () => {
    const { orderId, id } = await begun()
    stand.pay(id)
    expect((await pay(orderId, { payType: 'WX_H5', openid: undefined })).body.code).toBe('ORDER_STATUS_CHANGED')
    expect(await result(orderId)).toBe('PAID')
  })

  test('closing an order closes its payment at WeChat', async () => {
    const { orderId, id } = await begun()
    await close(orderId)
    await runJobs()
    expect([stand.trades.get(id)?.state, stand.pay(id)]).toEqual(['CLOSED', false])
  })
})

let coupons = 0
async function couponOf(user_id: string) {
  coupons += 1
  const coupon_id = `coupon${coupons}`
  const coupon = { coupon_id, template_id: 'manual-3', user_id, nth: 100 + coupons, status: 'UNUSED' as const }
  const period = { start_at: 0, end_at: server.clock.now() + 86_400_000, received_at: 0, used_at: null }
  await db()
    .insertInto('user_coupons')
    .values({ ...coupon, ...period, order_id: null })
    .execute()
  return coupon_id
}

describe('a provider that does not answer', () => {
  /** A full batch more, due before all others. */
  const copies = async (id: string) => {
    await sql`insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn,
      created_at, expire_at, next_ask_at) select id || '-' || n, order_id, user_id, pay_type, provider, amount_fen, return_url,
      origin, status, txn || '-' || n, created_at, expire_at, case when next_ask_at is not null then n end
      from payments, generate_series(1, 60) n where id = ${id}`.execute(db())
    return sql<boolean>`${sql.ref('id')} like ${`${id}-%`}`
  }
  /** The sandbox's provider has recorded the payment but sent no notification. */
  const paidAtSandbox = async () => {
    const orderId = await order()
    const id = await begin(orderId, { payType: 'ALI_WAP', openid: undefined })
    server.lifecycle.deps?.providers.pay.sandbox?.act({ outTradeNo: id, amountFen: PRICE }, 'SUCCESS')
    server.clock.advance(6000)
    return orderId
  }
  const failingJobs = async () => {
    stand.fault = 'down'
    stand.requests.length = 0
    await runJobs()
  }
  const isLater = (at: number | null) => at !== null && at > server.clock.now()

  test('does not delay payments of the others: it is queried twice, and its due rows are postponed', async () => {
    const mine = await copies((await begun()).id)
    const orderId = await paidAtSandbox()
    await failingJobs()
    expect(await booked(orderId)).toEqual([`PAY ${PRICE}`])
    expect(stand.requests).toHaveLength(2)
    const next = await db().selectFrom('payments').select('next_ask_at').where(mine).execute()
    expect(next.every(({ next_ask_at: at }) => isLater(at))).toBe(true)
    await db().deleteFrom('payments').where(mine).execute()
  })

  test('does not delay refunds of the others either', async () => {
    const mine = await copies((await paidOrder()).id)
    await sql`insert into refunds (id, payment_id, order_id, amount_fen, reason, surplus, status, next_at, asked_at)
      select id, id, order_id, amount_fen, '', true, 'PENDING', 0, 0 from payments where ${mine}`.execute(db())
    const orderId = await paidAtSandbox()
    await result(orderId)
    await cancel(orderId)
    await failingJobs()
    expect(await booked(orderId)).toEqual([`PAY ${PRICE}`, `REFUND -${PRICE}`])
    expect(stand.requests.filter((line) => line.startsWith('POST'))).toHaveLength(2)
    const waiting = await db().selectFrom('refunds').select(['next_at', 'tries']).where(mine).execute()
    expect(waiting.every(({ next_at: at }) => isLater(at))).toBe(true)
    expect(waiting.filter(({ tries }) => tries > 0)).toHaveLength(2)
    await db().deleteFrom('refunds').where(mine).execute()
    await db().deleteFrom('payments').where(mine).execute()
  })
})

/** All rows that a payment can change, to compare before and after. */
const everything = async () => {
  const tables = ['orders', 'payments', 'ledger', 'refunds', 'user_coupons', 'messages'] as const
  return Promise.all(tables.map((table) => sql`select * from ${sql.table(table)} order by 1`.execute(db())))
}

describe('refused without any change', () => {
  let orderId: string
  let id: string
  beforeEach(async () => {
    ;({ orderId, id } = await begun())
    log.length = 0
  })

  test.each([
    ['another amount', { total: 1 }, [400, 'FAIL'], '192.0.2.1'],
    ["a stranger's signature", { foreignKey: true }, [401, 'FAIL'], '192.0.2.2'],
  ])('a message with %s', async (_, change, answer, sender) => {
    const real = stand.trades.get(id)
    const paidAt = new Date().toISOString()
    stand.trades.set(id, { outTradeNo: id, total: PRICE, state: 'SUCCESS', txn: 'T9', paidAt })
    const message = stand.notice(id, change)
    if (real) stand.trades.set(id, real)
    const before = await everything()
    // another sender each time, because each gets a log line
    expect(await deliver(message, sender)).toEqual(answer)
    expect(await everything()).toEqual(before)
    const lines = log.join('\n')
    expect(lines).toMatch(/forged notification|another amount/)
    expect(lines).not.toMatch(/ciphertext|Signature|openid|oUpF8/)
  })

  test('a flood of forged notifications leads to one log line per network and does not delay genuine ones', async () => {
    const forged = stand.notice(id, { foreignKey: true })
    for (const place of ['198.51.100.1', '198.51.100.2'])
      for (let i = 0; i < 70; i++) expect(await deliver(forged, place)).toEqual([401, 'FAIL'])
    expect(log.filter((line) => line.includes('forged notification'))).toHaveLength(2)
    stand.pay(id)
    expect(await deliver(stand.notice(id), '198.51.100.1')).toEqual(OK)
  })

  test('a notification of an unknown payment, or an invalid one', async () => {
    const before = await everything()
    expect(await deliver(stand.notice('unknownPayment'))).toEqual([400, 'FAIL'])
    expect(await deliver({ headers: {}, body: '' })).toEqual([401, 'FAIL'])
    for (const url of ['/pay/notify/sandbox', '/pay/notify/alipay'])
      expect((await server.app.inject({ method: 'POST', url, payload: 'x' })).statusCode).toBe(404)
    expect(await everything()).toEqual(before)
  })

  test('one transaction number for two payments', async () => {
    const paid = await paidOrder()
    const before = await everything()
    const txn = stand.trades.get(paid.id)?.txn ?? ''
    expect(await deliver(stand.notice(id, { txn, total: PRICE, state: 'SUCCESS' }))).toEqual([400, 'FAIL'])
    expect(await everything()).toEqual(before)
  })

  const PAYMENT = '/app-api/api/evaluate/user/order/payment'
  test.each<[string, () => Promise<{ status: number; body: { code: string | number } }>, [number, string]]>([
    [
      'an amount of the client',
      () => server.send('POST', PAYMENT, { orderId, payType: 'WX_H5', payFen: 1 }, { token: me.token }),
      [400, 'VALIDATION_FAILED'],
    ],
    [
      "another's order",
      () => server.call('pay', 'payment', { orderId, payType: 'WX_H5', consent: true }, { token: other.token }),
      [404, 'NOT_FOUND'],
    ],
    [
      "another's coupon",
      async () => pay(orderId, { couponId: await couponOf(other.userId) }),
      [200, 'COUPON_NOT_USABLE'],
    ],
    ['a way to pay of another place', () => pay(orderId, { payType: 'WX_MINI' }), [400, 'VALIDATION_FAILED']],
    [
      "a way WeChat's browser does not have",
      () => pay(orderId, { payType: 'ALI_WAP', openid: undefined }, { 'user-agent': 'MicroMessenger/8.0' }),
      [400, 'VALIDATION_FAILED'],
    ],
    [
      "the mini-program's way on iOS, where nothing is sold",
      () => pay(orderId, { payType: 'WX_MINI', openid: undefined }, { platform: 'weapp', os: 'ios' }),
      [400, 'VALIDATION_FAILED'],
    ],
    ...['https://evil.example/', 'javascript:alert(1)', '//evil.example'].map(
      (returnUrl) =>
        [`a way back to ${returnUrl}`, () => pay(orderId, { returnUrl }), [400, 'VALIDATION_FAILED']] as never,
    ),
  ])('%s', async (_, act, code) => {
    const before = await attempts(orderId)
    const answer = await act()
    expect([answer.status, answer.body.code]).toEqual(code)
    expect(await attempts(orderId)).toEqual(before)
    expect(await info(orderId)).toMatchObject({ status: 'UNPAID', payFen: PRICE })
  })

  test.each([
    ['WX_JSAPI', { openid: OPENID }],
    ['WX_H5', {}],
    ['WX_MINI', {}],
    ['ALI_WAP', {}],
    ['APPLE', {}],
  ] as const)('%s without a consent to the refund rule, which is recorded once', async (payType, more) => {
    const fresh = await order()
    const answer = await pay(fresh, { consent: undefined, openid: undefined, ...more, payType })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'VALIDATION_FAILED', data: { fields: [{ path: 'consent' }] } },
    ])
    expect(await attempts(fresh)).toEqual([])
    await begin(fresh)
    expect((await pay(fresh, { consent: undefined })).body.success).toBe(true)
  })

  test('an order that is already paid, and one that has expired', async () => {
    expect((await pay((await paidOrder()).orderId)).body.code).toBe('ORDER_STATUS_CHANGED')
    server.clock.advance(15 * 60_000)
    expect((await pay(orderId)).body.code).toBe('PAY_CLOSED')
    expect(await result(orderId)).toBe('CLOSED')
  })

  test('a user who is not verified as an adult', async () => {
    const { token, userId } = await server.login('13800138002')
    const fresh = await order()
    await db().updateTable('orders').set({ user_id: userId }).where('id', '=', fresh).execute()
    const answer = await server.call('pay', 'payment', { orderId: fresh, payType: 'WX_H5', consent: true }, { token })
    expect(answer.body.code).toBe('REALNAME_REQUIRED')
    expect(await attempts(fresh)).toEqual([])
  })
})

test('each environment has its own payment channels', async () => {
  const orderId = await order()
  const offers = async (env: string, { token } = me) => {
    const { status, body } = await server.call('pay', 'payType', { orderId, env }, { token })
    return body.success ? body.data.map((o) => `${o.type} ${o.default}`) : status
  }
  expect(await offers('WECHAT')).toEqual(['WX_JSAPI true'])
  expect(await offers('BROWSER')).toEqual(['WX_H5 true', 'ALI_WAP false'])
  expect(await offers('MINI')).toEqual(['WX_MINI true'])
  expect(await offers('IOS')).toEqual([])
  expect(await offers('WECHAT', other)).toBe(404)
})
