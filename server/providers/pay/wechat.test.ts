import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin'
import type { Env } from '../../core/env'
import { MCHID, merchantPublicKey, startWechatStub, type WechatStub, wechatEnv } from '../../test/pay/wechat-stub'
import { parseWechatLogin } from '../wechat/settings'
import {
  ForgedNotification,
  type PaymentRequest,
  type PayProvider,
  ProviderRejected,
  ProviderUnavailable,
} from './port'
import { parsePaySettings, type WechatSettings } from './settings'
import { checkSignature, createWechatPay } from './wechat'

const payOf = (env: Env) => parsePaySettings(env, parseWechatLogin(env))

let stand: WechatStub
let wechat: PayProvider
beforeAll(async () => {
  stand = await startWechatStub()
  wechat = createWechatPay(payOf(wechatEnv(stand.url)).wechat as WechatSettings)
})
afterEach(() => {
  stand.fault = 'none'
  stand.refundStatus = 'SUCCESS'
})
afterAll(() => stand.close())

let n = 0
const intent = (change: Partial<PaymentRequest> = {}): PaymentRequest => {
  n += 1
  return {
    outTradeNo: `T${n}`,
    payType: 'WX_JSAPI',
    amountFen: 2900,
    title: '王者荣耀 · 人工估价',
    expireAt: Date.now() + 900_000,
    origin: 'https://gz.example.com',
    returnUrl: 'https://gz.example.com/back?orderId=1',
    ip: '1.2.3.4',
    openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
    ...change,
  }
}
const look = (outTradeNo: string) => wechat.query({ outTradeNo, openid: null })
const order = (refundNo: string, outTradeNo: string) => ({
  refundNo,
  outTradeNo,
  amountFen: 2900,
  reason: '不想估了',
  origin: 'https://gz.example.com',
  openid: null,
})

describe("WeChat Pay's published examples", () => {
  // https://pay.weixin.qq.com/doc/v3/merchant/4012365336 and 4012365341; the public half of the key they print
  const docKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAptpm+qvIDCh/9wjU26SQ
CK26ogYkBhDrYxnAaw2JbbBsp1oDbHKk+1r381NeBUG2HEFAuU+Fr72u5ot3yKdz
oF/FajAzQNKnm569/D3upKoi8mYBaST15Uig8j8qoUW1U217LL0jEHlSnHV3lcaD
TXqDpTRR4Bfz9IqOgJgFZ8/oTfEomSrjrLYef81Eyxr7ZIMQXEKKEK7V4UXKS0+/
fDsiG/cXidhzt8UbTL9vqXqxM2+IDImyO+FAc/tkBG55LmzxPto1Nq0WbnZzRM/w
Tzrd0I/8NlevxtFbphg4evlHjFNI7+GrqR87ViEwuAJJ9Je5QQjct5YJfFRWiZ5C
MQIDAQAB
-----END PUBLIC KEY-----`
  const [timestamp, nonce] = ['1554208460', '593BEC0C930BF1AFEB40B4A08C8FB242']

  test('a request is signed over method, address, time, nonce and body', () => {
    const body =
      '{"appid":"wxd678efh567hg6787","mchid":"1900007291","description":"Image形象店-深圳腾大-QQ公仔","out_trade_no":"1217752501201407033233368018","notify_url":"https://www.weixin.qq.com/wxpay/pay.php","amount":{"total":100,"currency":"CNY"},"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}}'
    const signature =
      'jnks4dlrPw3ZX+ozVvSK39oa0t7OMBsg83BHAwd8BRdUFiVaQNTLTvci+wURgP1OQBbKYhFGvt7iqYpDSTQkp7Uq1sltaQKyncCyrA1g88m5bsKERQfPyT0ahSwKTYJ1CAn9QiJuSJRq1QsQs07eehbU/k9BCS51jTyc1Jpsi2H77HF9f/BnjXAOP3/sPObg6V5Ee4EzwLox684hhuMuIwHo7D8KFk3LIHOKDcNI4It1aCXydFWNpNK+SG86VUDe5kwoDpw4Ulqfu9z8OFDGbDs9TCxEv8iqQzbpxOlEVoOe2kalSYM5kApQb3nZcxdUtoE0liJGW3RGUNE0t4v01A=='
    const text = Formatter.request('POST', '/v3/pay/transactions/jsapi', timestamp, nonce, body)
    expect(Rsa.verify(text, signature, docKey)).toBe(true)
  })

  test("the client's parameters are signed over app, time, nonce and prepay id", () => {
    const signature =
      'mI35pfNEQV6777ke/1T+LJLQDNTm7yeoUJH+j/adPGhmCCi0PbgkvYQTRcXH0uibcLVtvFLdGLpmoYO9FV6lBBsTAjuhh5YOvQi0e2g3e0yytitiNET9FEuqM0pjnKfRW4K6LIZDdbWJv9KhZUx3DrJa5TL7OJ7VdADVivxVySIlPVKjGwuCXzuXSJes0UcILgWQUMyha5/3nYofuHtS7r+KYyMuxD+oJ9VM1Qdxk4UIG59CP5Y3wtYIFybyF3bdu1caHTRRX+DLyMXyYA/IrTmiW01c4RPjpHBX5Dk1sZyY1zVsWNsvMHr2e1NTWtBxKJ+qk5N61J7caYoepHFaxw=='
    const pack = 'prepay_id=wx201410272009395522657a690389285100'
    const text = Formatter.joinedByLineFeed('wx2421b1c4370ec43b', timestamp, nonce, pack)
    expect(Rsa.verify(text, signature, docKey)).toBe(true)
  })

  test('a message of the platform is accepted within five minutes and not after, nor with one letter changed', () => {
    const key = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwXNI6sdlknHBnK8Fu2U6
Cwor9qY747jP8KAfeBMeveEt1TqaHkLfaSD07trZLhGpfs8/AHqjhgSMO1O10YQW
OrrJ4hjIWPKqxbgrYMkBQc+mwdiWp4W3ByCqxBRagCveCXRWCmuJYovl9H/bsDI0
iGbpVtEOghJtfciisYSgxcLufUDTRkvwxjIBK1pCRjk33jJ5YTBWTHMRtMAOcFLN
F6hdEYdX8SPsgHHeLZ5Lv2T/686w1xtgCHef/sd4uSfWmyzsalQdHG/e4IyYmrhx
+O3VBoNDzE3nx23bFeV/RVNCG7cV6VhmYokJNHa/erIPkEmEFID6A5wQOXuxUkmJ
WwIDAQAB
-----END PUBLIC KEY-----`
    const message = {
      headers: {
        'wechatpay-timestamp': '1722850421',
        'wechatpay-nonce': 'd824f2e086d3c1df967785d13fcd22ef',
        'wechatpay-serial': 'PUB_KEY_ID_1',
        'wechatpay-signature':
          'mfI1CPqvBrgcXfgXMFjdNIhBf27ACE2YyeWsWV9ZI7T7RU0vHvbQpu9Z32ogzc+k8ZC5n3kz7h70eWKjgqNdKQF0eRp8mVKlmfzMLBVHbssB9jEZEDXThOX1XFqX7s7ymia1hoHQxQagPGzkdWxtlZPZ4ZPvr1RiqkgAu6Is8MZgXXrRoBKqjmSdrP1N7uxzJ/cjfSiis9FiLjuADoqmQ1P7p2N876YPAol7Rn0+GswwAwxldbdLrmVSjfytfSBJFqTMHn4itojgxSWWN1byuckQt8hSTEv/Lg97QoeGniYP17T80pJeQyL3b+295FPHSO2AtvCgyIbKMZ0BALilAA==',
      },
      body: '{"code_url":"weixin://wxpay/bizpayurl?pr=JyC91EIz1"}',
    }
    const at = 1_722_850_421_000
    const check = (m: typeof message, now: number) => () => checkSignature(m, { PUB_KEY_ID_1: key }, now)
    expect(check(message, at + 299_000)).not.toThrow()
    expect(check(message, at + 301_000)).toThrow(ForgedNotification)
    expect(check(message, at - 301_000)).toThrow(ForgedNotification)
    expect(check({ ...message, body: message.body.replace('JyC9', 'JyC8') }, at)).toThrow(ForgedNotification)
    const otherKey = { ...message.headers, 'wechatpay-serial': 'constructor' }
    expect(check({ ...message, headers: otherKey }, at)).toThrow(ForgedNotification)
  })

  test('AEAD_AES_256_GCM opens what it should, in the argument order of the library', () => {
    const key = '0123456789abcdef0123456789abcdef'
    expect(Aes.AesGcm.decrypt('APoZlYpivU3HjbAiB4CvW1rAFr8J', key, '0123456789abcdef', 'world')).toBe('hello')
  })
})

test('JSAPI gives parameters that the merchant signed', async () => {
  const { payParams } = await wechat.create(intent())
  expect(payParams).toMatchObject({ appId: 'wx2421b1c4370ec43b', signType: 'RSA' })
  const { appId = '', timeStamp = '', nonceStr = '', package: pack = '', paySign = '' } = payParams ?? {}
  expect(Rsa.verify(Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, pack), paySign, merchantPublicKey)).toBe(
    true,
  )
})

test('H5 gives an address that leads back', async () => {
  const { jumpUrl } = await wechat.create(intent({ payType: 'WX_H5' }))
  expect(new URL(jumpUrl ?? '').searchParams.get('redirect_url')).toBe('https://gz.example.com/back?orderId=1')
})

test('unknown, waiting, paid and closed payments are told apart', async () => {
  expect(await look('nothing')).toEqual({ state: 'UNKNOWN' })
  const payment = intent()
  await wechat.create(payment)
  expect(await look(payment.outTradeNo)).toEqual({ state: 'WAITING' })
  stand.pay(payment.outTradeNo)
  expect(await look(payment.outTradeNo)).toMatchObject({ state: 'PAID', amountFen: 2900 })
  await expect(wechat.close(payment.outTradeNo)).rejects.toThrow(ProviderRejected)
  await expect(wechat.create(payment)).rejects.toMatchObject({ code: 'ORDERPAID' })
  const two = intent()
  await wechat.create(two)
  await wechat.close(two.outTradeNo)
  await wechat.close(two.outTradeNo)
  expect(await look(two.outTradeNo)).toEqual({ state: 'CLOSED' })
  await wechat.close('nothing')
})

test.each(['down', 'badSignature', 'oldTime', 'tampered', 'otherOrder'] as const)(
  'an answer that is %s proves nothing',
  async (fault) => {
    const payment = intent()
    await wechat.create(payment)
    stand.fault = fault
    await expect(look(payment.outTradeNo)).rejects.toThrow(ProviderUnavailable)
    // an error must not carry keys or signatures into the log
    const error = await look(payment.outTradeNo).catch((e: Error) => e)
    expect(JSON.stringify({ ...error, message: (error as Error).message })).not.toMatch(/signature="|PRIVATE/)
  },
)

test('requests are signed with the time that is handed in: WeChat Pay refuses those that are 31 hours off', async () => {
  const settings = payOf(wechatEnv(stand.url)).wechat as WechatSettings
  const ahead = createWechatPay(settings, () => Date.now() + 31 * 3_600_000)
  await expect(ahead.query({ outTradeNo: 'nothing', openid: null })).rejects.toThrow(ProviderUnavailable)
  wechat = createWechatPay(settings)
  expect(await look('nothing')).toEqual({ state: 'UNKNOWN' })
})

test('repeated refund requests result in one refund', async () => {
  const payment = intent()
  await wechat.create(payment)
  await expect(wechat.refund(order('R0', payment.outTradeNo))).rejects.toThrow(ProviderRejected)
  stand.pay(payment.outTradeNo)
  stand.refundStatus = 'PROCESSING'
  expect(await wechat.queryRefund(order('R1', payment.outTradeNo))).toEqual({ state: 'UNKNOWN' })
  expect(await wechat.refund(order('R1', payment.outTradeNo))).toEqual({ state: 'PROCESSING' })
  expect(await wechat.refund(order('R1', payment.outTradeNo))).toEqual({ state: 'PROCESSING' })
  expect(stand.refunds.size).toBe(1)
  const done = await wechat.parseNotification({ ...stand.refundNotice('R1'), query: {} })
  expect(done).toMatchObject({ kind: 'REFUND', refundNo: 'R1', refund: { state: 'DONE', refundId: '5030R1' } })
  expect(await wechat.queryRefund(order('R1', payment.outTradeNo))).toMatchObject({ state: 'DONE' })
})

test('a refund that cannot arrive is a failure with a reason', async () => {
  const payment = intent()
  await wechat.create(payment)
  stand.pay(payment.outTradeNo)
  stand.refundStatus = 'ABNORMAL'
  expect(await wechat.refund(order('R2', payment.outTradeNo))).toMatchObject({ state: 'FAILED' })
})

describe('messages', () => {
  let paid: PaymentRequest
  beforeAll(async () => {
    paid = intent()
    await wechat.create(paid)
    stand.pay(paid.outTradeNo)
  })
  const read = (change: Parameters<WechatStub['notice']>[1]) =>
    wechat.parseNotification({ ...stand.notice(paid.outTradeNo, change), query: {} })

  test('a good one is read', async () => {
    expect(await read({})).toMatchObject({
      kind: 'TRADE',
      outTradeNo: paid.outTradeNo,
      trade: { state: 'PAID', amountFen: 2900 },
    })
  })

  test.each([
    ['old', { skew: -301 }],
    ['from the future', { skew: 301 }],
    ["signed with a stranger's key", { foreignKey: true }],
    ['signed with an unknown key', { keyId: 'PUB_KEY_ID_2' }],
    ['for another merchant', { mchid: `${Number(MCHID) + 1}` }],
  ])('%s is forged', async (_, change) => {
    await expect(read(change)).rejects.toThrow(ForgedNotification)
  })

  test('one changed letter of the body is forged', async () => {
    const { headers, body } = stand.notice(paid.outTradeNo)
    const changed = body.replace(/"ciphertext":"(.)/, (_, c) => `"ciphertext":"${c === 'A' ? 'B' : 'A'}`)
    await expect(wechat.parseNotification({ headers, body: changed, query: {} })).rejects.toThrow(ForgedNotification)
  })
})
