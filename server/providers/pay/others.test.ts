import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Env } from '../../core/env'
import { parseWechatLogin } from '../wechat/settings'
import { createAlipay } from './alipay'
import {
  ForgedNotification,
  type PaymentRequest,
  type PayProvider,
  ProviderRejected,
  ProviderUnavailable,
} from './port'
import { createPayProviders } from './providers'
import { parsePaySettings } from './settings'
import { createVirtualPay, paySig, userSig } from './virtual'

const payOf = (env: Env) => parsePaySettings(env, parseWechatLogin(env))

const intent: PaymentRequest = {
  outTradeNo: 'T1',
  payType: 'ALI_WAP',
  amountFen: 2905,
  title: '原神 · 人工估价',
  expireAt: Date.parse('2026-11-21T12:15:00+08:00'),
  origin: 'https://gz.example.com',
  returnUrl: 'https://gz.example.com/back',
  ip: '1.2.3.4',
}
const order = {
  refundNo: 'R1',
  outTradeNo: 'T1',
  amountFen: 2905,
  reason: '等太久',
  origin: intent.origin,
  openid: 'o1',
}

/** Starts a server that answers a POST with the result of `reply`. */
async function startStand(reply: (url: URL, body: string) => string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const part of req) body += part
    res.end(reply(new URL(req.url ?? '/', 'http://x'), body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const stop = (server: Server) =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(resolve)
  })

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsa2 = (text: string, key: ReturnType<typeof pair>['privateKey']) =>
  createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64')

describe('Alipay', () => {
  const [app, platform, stranger] = [pair(), pair(), pair()]
  let gateway: Awaited<ReturnType<typeof startStand>>
  let alipay: PayProvider
  /** the gateway's response by method, and the key that signs it */
  let answers: Record<string, Record<string, unknown>> = {}
  let signer = platform.privateKey
  const asked: Record<string, unknown>[] = []

  beforeAll(async () => {
    gateway = await startStand((url, body) => {
      const method = url.searchParams.get('method') ?? ''
      asked.push(JSON.parse(new URLSearchParams(body).get('biz_content') ?? '{}'))
      const text = JSON.stringify(
        answers[method] ?? { code: '40004', msg: 'Business Failed', sub_code: 'ACQ.TRADE_NOT_EXIST' },
      )
      return `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${rsa2(text, signer)}"}`
    })
    const { alipay: settings } = payOf({
      ALIPAY_APP_ID: '2021000122671080',
      // the format of Alipay's key tool: bare base64 of PKCS#1
      ALIPAY_PRIVATE_KEY: app.privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
      ALIPAY_PUBLIC_KEY: platform.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    })
    if (!settings) throw new Error('no settings')
    alipay = createAlipay({ ...settings, gateway: gateway.url })
  })
  beforeEach(() => {
    answers = {}
    signer = platform.privateKey
  })
  afterAll(() => stop(gateway.server))
  const look = () => alipay.query({ outTradeNo: 'T1', openid: null })
  const trade = (status: string) => ({
    'alipay.trade.query': {
      code: '10000',
      msg: 'Success',
      out_trade_no: 'T1',
      trade_no: '2026112122001',
      trade_status: status,
      total_amount: '29.05',
      send_pay_date: '2026-11-21 12:01:02',
    },
  })

  test('the address to open carries amount, time limit in China and our addresses, signed by the application', async () => {
    const { jumpUrl } = await alipay.create(intent)
    const url = new URL(jumpUrl ?? '')
    expect(url.origin).toBe(gateway.url)
    const all = Object.fromEntries(url.searchParams)
    expect(all).toMatchObject({
      method: 'alipay.trade.wap.pay',
      sign_type: 'RSA2',
      return_url: 'https://gz.example.com/back',
      notify_url: 'https://gz.example.com/pay/notify/alipay',
    })
    expect(JSON.parse(all.biz_content ?? '')).toMatchObject({
      out_trade_no: 'T1',
      total_amount: '29.05',
      time_expire: '2026-11-21 12:15:00',
    })
  })

  test('waiting, paid, closed and unknown payments are told apart', async () => {
    expect(await look()).toEqual({ state: 'UNKNOWN' })
    answers = trade('WAIT_BUYER_PAY')
    expect(await look()).toEqual({ state: 'WAITING' })
    answers = trade('TRADE_SUCCESS')
    const paidAt = Date.parse('2026-11-21T12:01:02+08:00')
    expect(await look()).toEqual({ state: 'PAID', txn: '2026112122001', amountFen: 2905, paidAt })
    const closed = trade('TRADE_CLOSED')['alipay.trade.query']
    answers = { 'alipay.trade.query': { ...closed, send_pay_date: undefined } }
    expect(await look()).toEqual({ state: 'CLOSED' })
    // paid, and refunded in full since
    answers = { 'alipay.trade.query': closed }
    expect(await look()).toMatchObject({ state: 'REFUNDED', refundedFen: 2905, paid: { amountFen: 2905, paidAt } })
    answers = { 'alipay.trade.query': { ...trade('TRADE_SUCCESS')['alipay.trade.query'], out_trade_no: 'T2' } }
    await expect(look()).rejects.toThrow(ProviderUnavailable)
  })

  test("an answer signed by a stranger, and the gateway's own trouble, prove nothing", async () => {
    answers = trade('TRADE_SUCCESS')
    signer = stranger.privateKey
    await expect(look()).rejects.toThrow(ProviderUnavailable)
    signer = platform.privateKey
    answers = {
      'alipay.trade.query': { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'aop.unknow-error' },
    }
    await expect(look()).rejects.toThrow(ProviderUnavailable)
  })

  test('a refund names its number and amount; asked for twice it looks at the first', async () => {
    answers = { 'alipay.trade.refund': { code: '10000', msg: 'Success', fund_change: 'Y', trade_no: 'A1' } }
    expect(await alipay.refund(order)).toEqual({ state: 'DONE', refundId: 'A1' })
    expect(asked.at(-1)).toMatchObject({ out_request_no: 'R1', refund_amount: '29.05' })
    answers = {
      'alipay.trade.refund': { code: '10000', msg: 'Success', fund_change: 'N', trade_no: 'A1' },
      'alipay.trade.fastpay.refund.query': {
        code: '10000',
        msg: 'Success',
        refund_status: 'REFUND_SUCCESS',
        trade_no: 'A1',
      },
    }
    expect(await alipay.refund(order)).toEqual({ state: 'DONE', refundId: 'A1' })
    answers = {
      'alipay.trade.refund': { code: '40004', msg: 'Business Failed', sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH' },
    }
    await expect(alipay.refund(order)).rejects.toThrow(ProviderRejected)
  })

  describe('messages', () => {
    const fields = {
      app_id: '2021000122671080',
      out_trade_no: 'T1',
      trade_no: '2026112122001',
      trade_status: 'TRADE_SUCCESS',
      total_amount: '29.05',
      subject: '原神 · 100% 人工 + 估价',
      gmt_payment: '2026-11-21 12:01:02',
    }
    const sent = (all: Record<string, string>, key = platform.privateKey, type = 'RSA2') => {
      const text = Object.keys(all)
        .sort()
        .map((k) => `${k}=${all[k]}`)
        .join('&')
      return new URLSearchParams({ ...all, sign_type: type, sign: rsa2(text, key) }).toString()
    }
    const read = (body: string) => alipay.parseNotification({ headers: {}, query: {}, body })

    test('a good one is read', async () => {
      const notice = await read(sent(fields))
      expect(notice).toMatchObject({ kind: 'TRADE', outTradeNo: 'T1', trade: { state: 'PAID', amountFen: 2905 } })
    })

    test.each([
      ['a part', { refund_fee: '10.00', gmt_refund: '2026-11-22 09:00:00.123' }, 1000],
      [
        'all, after which the payment is closed',
        { trade_status: 'TRADE_CLOSED', gmt_refund: '2026-11-22 09:00:00' },
        2905,
      ],
    ])('a refund of %s at the console', async (_, change, refundedFen) => {
      const notice = await read(sent({ ...fields, ...change }))
      expect(notice).toMatchObject({
        trade: { state: 'REFUNDED', refundedFen, paid: { txn: '2026112122001', amountFen: 2905 } },
      })
    })

    test('a payment that is closed without having been paid is not refunded', async () => {
      const notice = await read(sent({ ...fields, trade_status: 'TRADE_CLOSED' }))
      expect(notice).toMatchObject({ trade: { state: 'CLOSED' } })
    })

    test.each([
      ['a changed amount', () => sent(fields).replace('29.05', '0.01')],
      ["a stranger's key", () => sent(fields, stranger.privateKey)],
      ['another application', () => sent({ ...fields, app_id: '2021000122671081' })],
      ['a weaker signature', () => sent(fields, platform.privateKey, 'RSA')],
      ['no signature', () => new URLSearchParams({ ...fields, sign_type: 'RSA2' }).toString()],
      ['nothing', () => ''],
    ])('%s is forged', async (_, body) => {
      await expect(read(body())).rejects.toThrow(ForgedNotification)
    })

    // published with alipay-sdk: a notification of 2019 and the public key of its sender
    test('a real message is read', async () => {
      const real = createAlipay({
        appId: '2019073166072302',
        privateKey: app.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB
-----END PUBLIC KEY-----`,
        gateway: gateway.url,
      })
      const body = new URLSearchParams({
        gmt_create: '2019-08-15 15:56:22',
        charset: 'utf-8',
        seller_email: 'z97-yuquerevenue@service.aliyun.com',
        subject: '语雀空间 500人规模',
        sign: 'QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==',
        buyer_id: '2088102534368455',
        invoice_amount: '0.10',
        notify_id: '2019081500222155624068450559358070',
        fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
        notify_type: 'trade_status_sync',
        trade_status: 'TRADE_SUCCESS',
        receipt_amount: '0.10',
        buyer_pay_amount: '0.10',
        sign_type: 'RSA2',
        app_id: '2019073166072302',
        seller_id: '2088531891668739',
        gmt_payment: '2019-08-15 15:56:24',
        notify_time: '2019-08-15 15:56:25',
        version: '1.0',
        out_trade_no: '20190815155618536-564-57',
        total_amount: '0.10',
        trade_no: '2019081522001468450512505578',
        auth_app_id: '2019073166072302',
        buyer_logon_id: 'xud***@126.com',
        point_amount: '0.00',
      }).toString()
      const notice = await real.parseNotification({ headers: {}, query: {}, body })
      expect(notice).toMatchObject({ outTradeNo: '20190815155618536-564-57', trade: { state: 'PAID', amountFen: 10 } })
      const changed = body.replace('total_amount=0.10', 'total_amount=9.10')
      await expect(real.parseNotification({ headers: {}, query: {}, body: changed })).rejects.toThrow(
        ForgedNotification,
      )
    })
  })
})

describe('virtual payment', () => {
  const settings = payOf({
    WECHAT_MINI_APPID: 'wx1',
    WECHAT_MINI_SECRET: 'secret',
    WECHAT_VIRTUAL_OFFER_ID: '123',
    WECHAT_VIRTUAL_APP_KEY: '12345',
    WECHAT_VIRTUAL_PUSH_TOKEN: 'AAAAA',
    WECHAT_VIRTUAL_PRODUCTS: '390=unlock,2900=std',
  }).virtual
  if (!settings) throw new Error('no settings')

  test("signatures are those of WeChat's published example", () => {
    const body = '{"openid": "xxx", "user_ip": "127.0.0.1", "env": 0}'
    expect(paySig('12345', '/xpay/query_user_balance', body)).toBe(
      'c37809f27c6d7fd1837ad2500a04512b66b34fd793a39a385fade56dca89a4b5',
    )
    expect(userSig('9hAb/NEYUlkaMBEsmFgzig==', body)).toBe(
      '089d9e8dc5d308977360c4b79ec600a93d736802802a807d634192328032f6c7',
    )
  })

  test('parameters are signed for the merchant and for the session, only at a declared price', async () => {
    const virtual = createVirtualPay(settings, { apple: true })
    const request = { ...intent, payType: 'WX_MINI' as const, amountFen: 2900, sessionKey: 'session' }
    const { payParams } = await virtual.create(request)
    const { signData = '', mode, paySig: mine, signature } = payParams ?? {}
    expect(JSON.parse(signData)).toMatchObject({ offerId: '123', productId: 'std', goodsPrice: 2900, outTradeNo: 'T1' })
    expect([mode, mine, signature]).toEqual([
      'short_series_goods',
      paySig('12345', 'requestVirtualPayment', signData),
      userSig('session', signData),
    ])
    await expect(virtual.create({ ...request, amountFen: 2800 })).rejects.toThrow(ProviderRejected)
    await expect(virtual.create(intent)).rejects.toThrow(ProviderRejected)
    expect(await virtual.refund(order)).toMatchObject({ state: 'FAILED' })
  })

  test('asks with token and signature; a push only makes us look', async () => {
    const stand = await startStand((url, body) => {
      if (url.pathname === '/cgi-bin/stable_token') return '{"access_token":"TOKEN","expires_in":7200}'
      const good = url.searchParams.get('pay_sig') === paySig('12345', '/xpay/query_order', body)
      if (!good || url.searchParams.get('access_token') !== 'TOKEN') return '{"errcode":268490004,"errmsg":"bad"}'
      return '{"errcode":0,"order":{"order_id":"T1","status":2,"order_fee":2900,"wxpay_order_id":"4200"}}'
    })
    const now = 1_714_036_504_000
    const virtual = createVirtualPay({ ...settings, baseUrl: stand.url }, { apple: true, now: () => now })
    expect(await virtual.query({ outTradeNo: 'T1', openid: 'o1' })).toEqual({
      state: 'PAID',
      txn: '4200',
      amountFen: 2900,
    })
    await expect(virtual.query({ outTradeNo: 'T2', openid: 'o1' })).rejects.toThrow(ProviderUnavailable)

    const push = (timestamp: string, token = 'AAAAA') => ({
      headers: {},
      query: {
        timestamp,
        nonce: '1514711492',
        signature: createHash('sha1').update([token, timestamp, '1514711492'].sort().join('')).digest('hex'),
        echostr: 'hello',
      },
      body: '{"Event":"xpay_goods_deliver_notify","OutTradeNo":"T1"}',
    })
    // the signature in WeChat's documentation for this token, time and nonce
    expect(push('1714036504').query.signature).toBe('f464b24fc39322e44b38aa78f5edd27bd1441696')
    expect(await virtual.parseNotification(push('1714036504'))).toEqual({ kind: 'QUERY', outTradeNo: 'T1' })
    expect(virtual.verifyEndpoint?.(push('1714036504').query)).toBe('hello')
    await expect(virtual.parseNotification(push('1714036504', 'BBBBB'))).rejects.toThrow(ForgedNotification)
    await expect(virtual.parseNotification(push('1714036000'))).rejects.toThrow(ForgedNotification)
    expect(virtual.verifyEndpoint?.(push('1714036000').query)).toBeUndefined()
    await stop(stand.server)
  })

  test('a payment that WeChat took itself is paid back by it: asked once or again it is one refund, done when the order says so', async () => {
    let status = 4
    const refunds: unknown[] = []
    const stand = await startStand((url, body) => {
      if (url.pathname === '/cgi-bin/stable_token') return '{"access_token":"TOKEN","expires_in":7200}'
      if (url.searchParams.get('pay_sig') !== paySig('12345', url.pathname, body)) return '{"errcode":268490001}'
      if (url.pathname === '/xpay/query_order')
        return JSON.stringify({ order: { order_id: 'T1', status, order_fee: 2905, wxpay_order_id: '4200' } })
      refunds.push(JSON.parse(body))
      return refunds.length > 1 ? '{"errcode":268490004,"errmsg":"repeated"}' : '{"errcode":0}'
    })
    const virtual = createVirtualPay({ ...settings, baseUrl: stand.url }, { apple: false })
    expect(await virtual.refund(order)).toEqual({ state: 'PROCESSING' })
    expect(await virtual.queryRefund(order)).toEqual({ state: 'UNKNOWN' })
    expect(await virtual.refund(order)).toEqual({ state: 'PROCESSING' })
    expect(refunds).toMatchObject([
      { openid: 'o1', order_id: 'T1', refund_order_id: 'R1', left_fee: 2905, refund_fee: 2905, env: 0 },
      { refund_order_id: 'R1' },
    ])
    status = 5
    expect(await virtual.queryRefund(order)).toEqual({ state: 'DONE', refundId: '4200' })
    status = 7
    expect(await virtual.queryRefund(order)).toMatchObject({ state: 'FAILED' })
    await stop(stand.server)
  })

  test.each([
    ['OFF', 'virtual-wechat', undefined],
    ['VIRTUAL', 'virtual-wechat', 'virtual'],
  ] as const)('where it is set up every device buys by it; with IOS_PAY=%s', (ios, android, iphone) => {
    const pay = { ...payOf({}), virtual: settings, ios }
    const providers = createPayProviders({ pay, sandbox: false })
    expect([providers.nameOf('WX_MINI', false), providers.nameOf('WX_MINI', true)]).toEqual([android, iphone])
  })
})

test.each([
  [{ WECHAT_PAY_MCHID: '1900007291' }, /WECHAT_PAY_SERIAL.*要么全部设置/],
  [{ IOS_PAY: 'ON' }, /IOS_PAY.*OFF \/ VIRTUAL \/ NORMAL/],
  [
    { ALIPAY_APP_ID: '1', ALIPAY_PRIVATE_KEY: 'secret-secret', ALIPAY_PUBLIC_KEY: 'x' },
    /ALIPAY_PRIVATE_KEY.*（不显示）/,
  ],
])('settings %j end the start in words, without the key', (env, words) => {
  expect(() => payOf(env)).toThrow(words)
  expect(() => payOf(env)).not.toThrow(/secret-secret/)
})
