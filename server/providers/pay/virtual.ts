import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import { VIRTUAL_MIN_FEN } from './limits'
import {
  ForgedNotice,
  MalformedNotice,
  type PayProvider,
  ProviderDown,
  ProviderRefused,
  paid,
  REPLAY_WINDOW,
  type Trade,
} from './port'
import type { VirtualSettings } from './settings'

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest('hex')

/** `pay_sig`: proves the merchant, over address and exact body. */
export const paySig = (appKey: string, uri: string, body: string) => hmac(appKey, `${uri}&${body}`)
/** `signature`: proves the user's session, over the exact body. */
export const userSig = (sessionKey: string, body: string) => hmac(sessionKey, body)

const Push = Type.Object({
  Event: Type.Literal('xpay_goods_deliver_notify'),
  OutTradeNo: Type.String({ minLength: 1 }),
})

interface XpayOrder {
  order_id: string
  status: number
  order_fee: number
  wxpay_order_id?: string
  /** s */
  paid_time?: number
}

/** States of an order there: 2 paid, 3 and 4 delivering and delivered, 5 and 7 paid back or failing to, 6 closed. */
function tradeOf({ status, wxpay_order_id, order_fee, paid_time }: XpayOrder): Trade {
  if ([2, 3, 4, 5, 7].includes(status)) {
    if (!wxpay_order_id) throw new ProviderDown('virtual: a paid order without its number')
    return paid(wxpay_order_id, order_fee, paid_time ? paid_time * 1000 : undefined)
  }
  return { state: status === 6 ? 'CLOSED' : 'WAITING' }
}

function checkPush(query: Record<string, string>, token: string, now: number) {
  const { signature = '', timestamp = '', nonce = '' } = query
  const expected = createHash('sha1').update([token, timestamp, nonce].sort().join('')).digest()
  const given = Buffer.from(signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ForgedNotice('virtual: the signature does not fit')
  if (Math.abs(now / 1000 - Number(timestamp)) > REPLAY_WINDOW) throw new ForgedNotice('virtual: stale')
}

/**
 * Virtual payment of the mini-program, the only way on iOS: WeChat lets Apple take the money. The merchant can neither
 * close an order nor pay one back. The push is signed without its body, so it only makes us ask.
 */
export function createVirtualPay(settings: VirtualSettings, now: () => number = Date.now): PayProvider {
  const { offerId, appKey, env, products, appId, appSecret, pushToken, baseUrl } = settings
  let token: { text: string; until: number } | undefined

  async function post<T>(path: string, body: string): Promise<T> {
    let answer: T & { errcode?: number; errmsg?: string }
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(NETWORK_TIMEOUT / 6),
      })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      answer = (await response.json()) as typeof answer
    } catch (error) {
      // the address holds the token
      throw new ProviderDown(`virtual: ${(error as Error).name}`)
    }
    if (answer.errcode) throw new ProviderRefused(String(answer.errcode), String(answer.errmsg ?? ''))
    return answer
  }

  async function accessToken(): Promise<string> {
    if (token && token.until > now()) return token.text
    const body = JSON.stringify({ grant_type: 'client_credential', appid: appId, secret: appSecret })
    const answer = await post<{ access_token: string; expires_in: number }>('/cgi-bin/stable_token', body)
    token = { text: answer.access_token, until: now() + (answer.expires_in - 300) * 1000 }
    return token.text
  }

  return {
    ack: { type: 'application/json', body: '{"ErrCode":0,"ErrMsg":"success"}' },
    refusal: (message) => ({ type: 'application/json', body: JSON.stringify({ ErrCode: 1, ErrMsg: message }) }),
    async create({ outTradeNo, amountFen, sessionKey }) {
      const productId = products[amountFen]
      if (!productId || amountFen < VIRTUAL_MIN_FEN) throw new ProviderRefused('NO_PRODUCT', String(amountFen))
      if (!sessionKey) throw new ProviderRefused('NO_SESSION', 'the mini-program must log in first')
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
    async query({ outTradeNo, openid }) {
      const body = JSON.stringify({ openid, env, order_id: outTradeNo })
      const path = `/xpay/query_order?pay_sig=${paySig(appKey, '/xpay/query_order', body)}`
      const { order } = await post<{ order?: XpayOrder }>(`${path}&access_token=${await accessToken()}`, body)
      if (order?.order_id !== outTradeNo) throw new ProviderDown('virtual: the answer is about another payment')
      return tradeOf(order)
    },
    // there is no such call: an unpaid order ends by itself
    close: async () => undefined,
    refund: async () => ({ state: 'FAILED', reason: '通过苹果支付的订单，请在 Apple 的“报告问题”页面申请退款' }),
    queryRefund: async () => ({ state: 'UNKNOWN' }),
    greet(query) {
      try {
        checkPush(query, pushToken, now())
        return query.echostr
      } catch {
        return undefined
      }
    },
    async notice({ query, body }) {
      checkPush(query, pushToken, now())
      const push: unknown = JSON.parse(body)
      if (!Value.Check(Push, push)) throw new MalformedNotice('virtual: not about a payment')
      return { kind: 'LOOK', outTradeNo: push.OutTradeNo }
    },
  }
}
