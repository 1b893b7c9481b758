import { createHash, createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isEqualInConstantTime } from '../../core/constant-time'
import { postJson } from '../http'
import { createAccessToken } from '../wechat/token'
import {
  ForgedNotification,
  MalformedNotification,
  type PayProvider,
  type ProviderNotification,
  ProviderRejected,
  ProviderUnavailable,
  REPLAY_WINDOW,
  type RefundOrder,
  type RefundResult,
  type Trade,
  unless,
  VIRTUAL_MIN_FEN,
} from './port'
import type { VirtualSettings } from './settings'

const APPLE_REFUNDS = '通过苹果支付的订单，请在 Apple 的“报告问题”页面申请退款'

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest('hex')

/** `pay_sig`: authenticates the merchant; over path and exact body. */
export const paySig = (appKey: string, uri: string, body: string) => hmac(appKey, `${uri}&${body}`)
/** `signature`: authenticates the user's session; over the exact body. */
export const userSig = (sessionKey: string, body: string) => hmac(sessionKey, body)

const Paid = Type.Object({
  Event: Type.Literal('xpay_goods_deliver_notify'),
  OutTradeNo: Type.String({ minLength: 1 }),
})
/** `RetCode` 0: refunded, by us, or by Apple or WeChat at the payer's request. `CreateTime` in s, the same when sent again. */
const Refunded = Type.Object({
  Event: Type.Literal('xpay_refund_notify'),
  MchOrderId: Type.String({ minLength: 1 }),
  RetCode: Type.Union([Type.Integer(), Type.String()]),
  CreateTime: Type.Optional(Type.Integer()),
})
/** Asked before Apple decides; unanswered after 3 s it counts as undecided. */
const Inquiry = Type.Object({
  Event: Type.Literal('xpay_subscribe_ios_refund_query_notify'),
  pay_order_id: Type.String({ minLength: 1 }),
})

function eventOf(push: unknown): ProviderNotification {
  if (Value.Check(Paid, push)) return { kind: 'QUERY', outTradeNo: push.OutTradeNo }
  if (Value.Check(Inquiry, push)) return { kind: 'INQUIRY', outTradeNo: push.pay_order_id }
  if (Value.Check(Refunded, push)) {
    const { MchOrderId: outTradeNo, RetCode, CreateTime = 0 } = push
    return { kind: 'QUERY', outTradeNo, ...(Number(RetCode) === 0 && { refundedAt: CreateTime * 1000 }) }
  }
  throw new MalformedNotification('virtual: not about a payment')
}

interface XpayOrder {
  order_id: string
  status: number
  order_fee: number
  wxpay_order_id?: string
  /** s */
  paid_time?: number
}

const isRefunded = (status: number) => status === 5 || status === 8

/** Order states at WeChat: 2 paid, 3 delivering, 4 delivered, 5 and 8 refunded, 7 refund failed, 6 closed. */
function tradeOf({ status, order_id, wxpay_order_id, order_fee, paid_time }: XpayOrder): Trade {
  if (isRefunded(status)) return { state: 'REFUNDED', refundId: wxpay_order_id ?? order_id }
  if ([2, 3, 4, 7].includes(status)) {
    if (!wxpay_order_id) throw new ProviderUnavailable('virtual: a paid order without its number')
    const paidAt = paid_time ? paid_time * 1000 : undefined
    return { state: 'PAID', txn: wxpay_order_id, amountFen: order_fee, paidAt }
  }
  return { state: status === 6 ? 'CLOSED' : 'WAITING' }
}

/** State of a refund. UNKNOWN: paid, without any sign of a refund. Refunds are always for the full amount. */
function refundOf({ status, order_id, wxpay_order_id }: XpayOrder): RefundResult {
  if (isRefunded(status)) return { state: 'DONE', refundId: wxpay_order_id ?? order_id }
  if (status === 7) return { state: 'FAILED', reason: '微信未能退款，客服会与您联系' }
  return { state: 'UNKNOWN' }
}

/** The refund was requested before. */
const REPEATED = /^268490004:/

/** WeChat creates an order when the payment sheet opens. The code alone also means a malformed request. */
const UNKNOWN = /^268490002: .*数据不存在/s

function checkPush(query: Record<string, string>, token: string, now: number) {
  const { signature = '', timestamp = '', nonce = '' } = query
  const expected = createHash('sha1').update([token, timestamp, nonce].sort().join('')).digest()
  if (!isEqualInConstantTime(Buffer.from(signature, 'hex'), expected))
    throw new ForgedNotification('virtual: the signature does not fit')
  if (Math.abs(now / 1000 - Number(timestamp)) > REPLAY_WINDOW) throw new ForgedNotification('virtual: stale')
}

/**
 * Virtual payment of the mini-program: on iOS through Apple, elsewhere through WeChat. The merchant cannot close an
 * order. Push messages are signed without their body, so they only trigger a query.
 * @param by `apple`: on iOS Apple collects the money, and only Apple can refund it
 */
export function createVirtualPay(settings: VirtualSettings, by: { apple: boolean; now?: () => number }): PayProvider {
  const { apple, now = Date.now } = by
  const { offerId, appKey, env, products, app, pushToken, baseUrl } = settings

  async function post<T>(path: string, body: string): Promise<T> {
    const service = { name: 'virtual', Unavailable: ProviderUnavailable }
    const answer = await postJson<T & { errcode?: number; errmsg?: string }>(service, baseUrl + path, body)
    if (answer.errcode) throw new ProviderRejected(String(answer.errcode), String(answer.errmsg ?? ''))
    return answer
  }

  const accessToken = createAccessToken(app, (path, body) => post(path, JSON.stringify(body)))

  async function call<T>(path: string, payload: object): Promise<T> {
    const body = JSON.stringify(payload)
    return post<T>(`${path}?pay_sig=${paySig(appKey, path, body)}&access_token=${await accessToken()}`, body)
  }

  async function orderOf({ outTradeNo, openid }: { outTradeNo: string; openid: string | null }): Promise<XpayOrder> {
    const { order } = await call<{ order?: XpayOrder }>('/xpay/query_order', { openid, env, order_id: outTradeNo })
    if (order?.order_id !== outTradeNo) throw new ProviderUnavailable('virtual: the response is about another payment')
    return order
  }

  async function refund({ refundNo, outTradeNo, amountFen, openid }: RefundOrder): Promise<RefundResult> {
    const payload = {
      openid,
      order_id: outTradeNo,
      refund_order_id: refundNo,
      left_fee: amountFen,
      refund_fee: amountFen,
      biz_meta: '',
      // reason 5: other; source 3: neither customer service nor the payer
      refund_reason: '5',
      req_from: '3',
      env,
    }
    await unless(REPEATED, call('/xpay/refund_order', payload))
    return { state: 'PROCESSING' }
  }

  /** WeChat records a refund in the order with a delay; repeating the request with the same number is idempotent. */
  const queryRefund = async (order: RefundOrder) => refundOf(await orderOf(order))

  return {
    ack: { type: 'application/json', body: '{"ErrCode":0,"ErrMsg":"success"}' },
    refusal: (message) => ({ type: 'application/json', body: JSON.stringify({ ErrCode: 1, ErrMsg: message }) }),
    async create({ outTradeNo, amountFen, sessionKey }) {
      const productId = products[amountFen]
      if (!productId || amountFen < VIRTUAL_MIN_FEN) throw new ProviderRejected('NO_PRODUCT', String(amountFen))
      if (!sessionKey) throw new ProviderRejected('NO_SESSION', 'the mini-program must log in first')
      const signData = JSON.stringify({
        offerId,
        buyQuantity: 1,
        env,
        currencyType: 'CNY',
        productId,
        goodsPrice: amountFen,
        outTradeNo,
        attach: '',
      })
      return {
        payParams: {
          mode: 'short_series_goods',
          signData,
          paySig: paySig(appKey, 'requestVirtualPayment', signData),
          signature: userSig(sessionKey, signData),
        },
      }
    },
    async query(attempt) {
      const order = await unless(UNKNOWN, orderOf(attempt))
      return order ? tradeOf(order) : { state: 'UNKNOWN' }
    },
    // WeChat has no such call: unpaid orders expire
    close: async () => undefined,
    refund: apple ? async () => ({ state: 'FAILED', reason: APPLE_REFUNDS }) : refund,
    queryRefund: apple ? async () => ({ state: 'UNKNOWN' }) : queryRefund,
    verifyEndpoint(query) {
      try {
        checkPush(query, pushToken, now())
        return query.echostr
      } catch {
        return undefined
      }
    },
    async parseNotification({ query, body }) {
      checkPush(query, pushToken, now())
      return eventOf(JSON.parse(body))
    },
    // 0: in favour of the refund, 1: against it; the evidence is required
    refundAdvice: (delivered) => ({
      type: 'application/json',
      body: JSON.stringify(
        delivered
          ? { result_code: 1, result_info: '已交付，建议拒绝', evidence: '所购报告已交付给用户' }
          : { result_code: 0, result_info: '未交付，建议退款', evidence: '所购报告尚未交付给用户' },
      ),
    }),
  }
}
