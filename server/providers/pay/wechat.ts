import { createHash } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Aes, Decorator, Formatter, Rsa } from 'wechatpay-axios-plugin'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import {
  chinaIso,
  ForgedNotification,
  fenOf,
  MalformedNotification,
  momentOf,
  type PaidTrade,
  type PaymentRequest,
  type PaymentStart,
  type PayProvider,
  type ProviderNotification,
  ProviderRejected,
  ProviderUnavailable,
  REPLAY_WINDOW,
  type RefundNotification,
  type RefundOrder,
  type RefundResult,
  type Trade,
  unless,
} from './port'
import type { WechatSettings } from './settings'

/** Rows of a bill by the names of its first line; each value follows a backtick. The last two lines are totals. */
function rowsOfBill(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.slice(0, -2).map((line) => {
    const values = line.slice(1).split(',`')
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
  })
}

const NoticeBody = Type.Object({
  event_type: Type.String(),
  resource: Type.Object({
    ciphertext: Type.String(),
    nonce: Type.String(),
    associated_data: Type.Optional(Type.String()),
  }),
})
const Transaction = Type.Object({
  mchid: Type.String(),
  out_trade_no: Type.String(),
  trade_state: Type.String(),
  transaction_id: Type.Optional(Type.String()),
  amount: Type.Optional(Type.Object({ total: Type.Integer({ minimum: 0 }), currency: Type.Optional(Type.String()) })),
  success_time: Type.Optional(Type.String()),
})
type Transaction = Static<typeof Transaction>
const RefundNotice = Type.Object({
  mchid: Type.String(),
  out_trade_no: Type.String(),
  transaction_id: Type.String(),
  amount: Type.Object({ total: Type.Integer({ minimum: 0 }), refund: Type.Integer({ minimum: 0 }) }),
  out_refund_no: Type.String(),
  refund_id: Type.String(),
  refund_status: Type.String(),
})
/** A refund in a response, whose status has another name than in a notification. */
type Refund = Pick<Static<typeof RefundNotice>, 'out_refund_no' | 'refund_id'> & { status: string }

/** The content of a signed message, validated against a schema. @throws MalformedNotification */
function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!Value.Check(schema, value)) throw new MalformedNotification('wechat: a signed message of another shape')
  return value as Static<S>
}

interface Failure {
  code?: string
  message?: string
  response?: { status: number; data?: { code?: string; message?: string } }
}

/** Status codes of final responses, which a retry would not change. */
const isFinalStatus = (status: number) => status >= 400 && status < 500 && status !== 401 && status !== 429

/** Errors of the HTTP library contain the whole request; this one has only what may be logged. */
function failure(error: unknown): Error {
  const { response, code, message } = error as Failure
  if (response && isFinalStatus(response.status) && response.data?.code)
    return new ProviderRejected(response.data.code, response.data.message ?? '')
  return new ProviderUnavailable(
    `wechat: ${response?.data?.code ?? code ?? ''} ${response?.status ?? message ?? ''}`.trim(),
  )
}

/** Parameters of `WeixinJSBridge` and `wx.requestPayment`, signed with the merchant's key. */
export function clientParams(appId: string, privateKey: string, prepayId: string): Record<string, string> {
  const timeStamp = String(Formatter.timestamp())
  const nonceStr = Formatter.nonce()
  const pack = `prepay_id=${prepayId}`
  const paySign = Rsa.sign(Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, pack), privateKey)
  return { appId, timeStamp, nonceStr, package: pack, signType: 'RSA', paySign }
}

function tradeOf(t: Transaction): Trade {
  if (t.trade_state === 'SUCCESS' || t.trade_state === 'REFUND') {
    if (!t.transaction_id || !t.amount || (t.amount.currency ?? 'CNY') !== 'CNY')
      throw new ProviderUnavailable('wechat: a paid transaction without its number or amount')
    const [txn, amountFen] = [t.transaction_id, t.amount.total]
    const trade: PaidTrade = { state: 'PAID', txn, amountFen, paidAt: momentOf(t.success_time) }
    // paid, and all or some of it refunded since: the response does not say how much
    return t.trade_state === 'REFUND' ? { state: 'REFUNDED', refundId: trade.txn, paid: trade } : trade
  }
  if (t.trade_state === 'CLOSED' || t.trade_state === 'REVOKED') return { state: 'CLOSED' }
  return { state: t.trade_state === 'PAYERROR' ? 'FAILED' : 'WAITING' }
}

function refundOf({ refund_id, status }: Omit<Refund, 'out_refund_no'>): RefundResult {
  if (status === 'SUCCESS') return { state: 'DONE', refundId: refund_id }
  if (status === 'CLOSED') return { state: 'FAILED', reason: '微信支付关闭了退款' }
  if (status === 'ABNORMAL') return { state: 'FAILED', reason: '原支付账户无法收款，客服会与您联系' }
  return { state: 'PROCESSING' }
}

/**
 * Verifies a message of WeChat Pay: known key, recent timestamp, valid signature of exactly this text. @throws
 * ForgedNotification
 */
export function checkSignature(
  { headers, body }: { headers: Record<string, string | string[] | undefined>; body: string },
  keys: Readonly<Record<string, string>>,
  now: number,
): void {
  const [timestamp, nonce, serial, signature] = ['timestamp', 'nonce', 'serial', 'signature'].map((name) =>
    String(headers[`wechatpay-${name}`] ?? ''),
  ) as [string, string, string, string]
  if (!/^\d{10}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > REPLAY_WINDOW)
    throw new ForgedNotification('wechat: stale or without a time')
  const key = Object.hasOwn(keys, serial) ? keys[serial] : undefined
  if (!key) throw new ForgedNotification('wechat: signed with an unknown key')
  if (!Rsa.verify(Formatter.response(timestamp, nonce, body), signature, key))
    throw new ForgedNotification('wechat: the signature does not fit')
}

/**
 * WeChat Pay v3: JSAPI, H5 and mini-program. The library verifies responses, this module notifications.
 * @param now real time in ms, also used for signing: WeChat Pay rejects requests that are off by five minutes, and the
 * machine's clock may be. The library has no option for it except one static function
 */
export function createWechatPay(settings: WechatSettings, now: () => number = Date.now): PayProvider {
  const { mchid, serial, privateKey, v3Key, platformKeys, baseUrl } = settings
  Formatter.timestamp = () => Math.floor(now() / 1000)
  const client = new Decorator({
    mchid,
    serial,
    privateKey,
    certs: { ...platformKeys },
    baseURL: `${baseUrl}/`,
    timeout: NETWORK_TIMEOUT / 6,
    // payment traffic must not go through a proxy set in the environment
    proxy: false,
    // the key with which WeChat Pay should sign its response
    headers: { 'Wechatpay-Serial': Object.keys(platformKeys)[0] ?? '' },
  })

  async function send<T>(method: 'get' | 'post', path: string, data?: object, options?: object): Promise<T> {
    try {
      return (await client.request<T>(`v3/${path}`, method, data, options)).data
    } catch (error) {
      throw failure(error)
    }
  }

  function common(intent: PaymentRequest, appid: string) {
    return {
      appid,
      mchid,
      description: intent.title,
      out_trade_no: intent.outTradeNo,
      time_expire: `${chinaIso(intent.expireAt)}+08:00`,
      notify_url: `${intent.origin}/pay/notify/wechat`,
      amount: { total: intent.amountFen, currency: 'CNY' },
    }
  }

  async function create(intent: PaymentRequest): Promise<PaymentStart> {
    const { payType, openid, returnUrl, ip } = intent
    const appid = payType === 'WX_MINI' ? settings.miniAppId : settings.mpAppId
    if (!appid) throw new ProviderRejected('NO_APPID', payType)
    if (payType === 'WX_H5') {
      const scene = { payer_client_ip: ip, h5_info: { type: 'Wap' } }
      const { h5_url } = await send<{ h5_url: string }>('post', 'pay/transactions/h5', {
        ...common(intent, appid),
        scene_info: scene,
      })
      return { jumpUrl: `${h5_url}&redirect_url=${encodeURIComponent(returnUrl)}` }
    }
    if (!openid) throw new ProviderRejected('NO_OPENID', payType)
    const { prepay_id } = await send<{ prepay_id: string }>('post', 'pay/transactions/jsapi', {
      ...common(intent, appid),
      payer: { openid },
    })
    return { payParams: clientParams(appid, privateKey, prepay_id) }
  }

  async function query({ outTradeNo }: { outTradeNo: string }): Promise<Trade> {
    const path = `pay/transactions/out-trade-no/${outTradeNo}?mchid=${mchid}`
    const t = await unless(/^\w*NOT_?EXIST/, send<Transaction>('get', path))
    if (!t) return { state: 'UNKNOWN' }
    if (t.mchid !== mchid || t.out_trade_no !== outTradeNo)
      throw new ProviderUnavailable('wechat: the response is about another payment')
    return tradeOf(t)
  }

  async function close(outTradeNo: string): Promise<void> {
    const path = `pay/transactions/out-trade-no/${outTradeNo}/close`
    await unless(/^\w*(NOT_?EXIST|CLOSED)/, send('post', path, { mchid }))
  }

  async function refund({ refundNo, outTradeNo, amountFen, reason, origin }: RefundOrder): Promise<RefundResult> {
    const response = await send<Refund>('post', 'refund/domestic/refunds', {
      out_trade_no: outTradeNo,
      out_refund_no: refundNo,
      reason: reason.slice(0, 80),
      notify_url: `${origin}/pay/notify/wechat`,
      // refunds are always for the full amount
      amount: { refund: amountFen, total: amountFen, currency: 'CNY' },
    })
    if (response.out_refund_no !== refundNo)
      throw new ProviderUnavailable('wechat: the response is about another refund')
    return refundOf(response)
  }

  async function queryRefund({ refundNo }: Pick<RefundOrder, 'refundNo'>): Promise<RefundResult> {
    const found = await unless(/^\w*NOT_?EXIST/, send<Refund>('get', `refund/domestic/refunds/${refundNo}`))
    return found ? refundOf(found) : { state: 'UNKNOWN' }
  }

  /** Text of the bill of the refunds of a day; its download is not signed, but has the hash that the signed response names. */
  async function refundBill(day: number): Promise<string> {
    const date = chinaIso(day).slice(0, 10)
    const path = `bill/tradebill?bill_date=${date}&bill_type=REFUND`
    const { download_url, hash_value: sha1 } = await send<{ download_url: string; hash_value: string }>('get', path)
    const token = new URL(download_url).search
    const raw = { responseType: 'arraybuffer', transformResponse: [] }
    const file = await send<Buffer>('get', `billdownload/file${token}`, undefined, raw)
    if (createHash('sha1').update(file).digest('hex') !== sha1.toLowerCase())
      throw new ProviderUnavailable('wechat: a bill with another hash')
    return new TextDecoder().decode(file)
  }

  async function refundsOn(day: number): Promise<RefundNotification[]> {
    const bill = await unless(/^NO_STATEMENT_EXIST/, refundBill(day))
    const found: RefundNotification[] = []
    for (const row of bill === undefined ? [] : rowsOfBill(bill)) {
      const { 商户订单号: outTradeNo = '', 商户退款单号: refundNo = '', 微信退款单号: refundId = '' } = row
      // paying back to a bank card takes days, of which the bill knows the first
      const isDone = row.退款状态 === 'SUCCESS' || (await queryRefund({ refundNo })).state === 'DONE'
      const trade: Trade = { state: 'REFUNDED', refundId, refundedFen: fenOf(row.申请退款金额) }
      if (isDone)
        found.push({ kind: 'REFUND', refundNo, refund: { state: 'DONE', refundId }, trade: { outTradeNo, trade } })
    }
    return found
  }

  /** Decrypts the content of a notification with the key shared by merchant and WeChat Pay. */
  function decrypt({ resource }: Static<typeof NoticeBody>): unknown {
    try {
      const { ciphertext, nonce, associated_data: aad } = resource
      return JSON.parse(Aes.AesGcm.decrypt(ciphertext, v3Key, nonce, aad ?? ''))
    } catch {
      throw new ForgedNotification('wechat: the content cannot be opened')
    }
  }

  return {
    ack: { type: 'application/json', body: '{"code":"SUCCESS","message":"成功"}' },
    refusal: (message) => ({ type: 'application/json', body: JSON.stringify({ code: 'FAIL', message }) }),
    create,
    query,
    close,
    refund,
    queryRefund,
    refundsOn,
    async parseNotification(raw): Promise<ProviderNotification> {
      checkSignature(raw, platformKeys, now())
      const body = checked(NoticeBody, JSON.parse(raw.body))
      const isRefund = body.event_type.startsWith('REFUND.')
      const inside = checked(isRefund ? RefundNotice : Transaction, decrypt(body))
      if (inside.mchid !== mchid) throw new ForgedNotification('wechat: for another merchant')
      const { out_trade_no: outTradeNo } = inside
      if ('trade_state' in inside) return { kind: 'TRADE', outTradeNo, trade: tradeOf(inside) }
      const { transaction_id: txn, amount, refund_id: refundId, refund_status: status } = inside
      const payment = { state: 'PAID', txn, amountFen: amount.total } as const
      const trade: Trade = { state: 'REFUNDED', refundId, paid: payment, refundedFen: amount.refund }
      const refund = refundOf({ refund_id: refundId, status })
      return { kind: 'REFUND', refundNo: inside.out_refund_no, refund, trade: { outTradeNo, trade } }
    },
  }
}
