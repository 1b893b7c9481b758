import { AlipaySdk } from 'alipay-sdk'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import { decimalYuan } from '@/contract/format'
import {
  chinaIso,
  ForgedNotification,
  fenOf,
  momentOf,
  type PaidTrade,
  type PaymentStart,
  type PayProvider,
  type ProviderNotification,
  ProviderRejected,
  ProviderUnavailable,
  type RefundOrder,
  type RefundResult,
  type Trade,
  unless,
} from './port'
import type { AlipaySettings } from './settings'

type Fields = Record<string, unknown>

const chinaTimeText = (at: number) => chinaIso(at).replace('T', ' ')

/** Error codes of Alipay's own failures, after which the outcome is unknown. All other codes are final responses. */
const passing = /^(ACQ\.SYSTEM_ERROR|aop\.|isp\.)/

/** Alipay has no such payment. */
const UNKNOWN = /^ACQ\.TRADE_NOT_EXIST:/

/** @param trade `at`: when it was paid; `refunded`: sum of all refunds; `isRefunded`: closed after it had been paid */
function tradeOf({ status, txn, total, at, refunded, isRefunded }: Fields): Trade {
  const isClosed = status === 'TRADE_CLOSED'
  if (isClosed && !isRefunded) return { state: 'CLOSED' }
  if (!isClosed && status !== 'TRADE_SUCCESS' && status !== 'TRADE_FINISHED') return { state: 'WAITING' }
  const trade: PaidTrade = { state: 'PAID', txn: String(txn), amountFen: fenOf(total), paidAt: momentOf(at) }
  const refundedFen = isClosed ? trade.amountFen : refunded ? fenOf(refunded) : 0
  return refundedFen > 0 ? { state: 'REFUNDED', refundId: trade.txn, paid: trade, refundedFen } : trade
}

/** Alipay on mobile pages (WAP). Responses and notifications are verified with Alipay's public key. */
export function createAlipay(settings: AlipaySettings, now: () => number = Date.now): PayProvider {
  const { appId, privateKey, publicKey, gateway } = settings
  const sdk = new AlipaySdk({
    appId,
    privateKey,
    keyType: 'PKCS8',
    alipayPublicKey: publicKey,
    gateway,
    timeout: NETWORK_TIMEOUT / 6,
  })

  // the SDK formats the time in the machine's zone, but Alipay reads it as China's
  const stamped = (params: Fields) => ({ ...params, timestamp: chinaTimeText(now()) })

  async function send(method: string, bizContent: Fields): Promise<Fields> {
    let response: Fields
    try {
      // without this option the SDK does not verify the response's signature
      response = await sdk.exec(method, stamped({ bizContent }), { validateSign: true })
    } catch (error) {
      throw new ProviderUnavailable(`alipay: ${String((error as Error).message).slice(0, 60)}`)
    }
    if (response.code === '10000') return response
    const code = String(response.subCode ?? response.code)
    if (response.code === '20000' || passing.test(code)) throw new ProviderUnavailable(`alipay: ${code}`)
    throw new ProviderRejected(code, String(response.subMsg ?? response.msg ?? ''))
  }

  async function query({ outTradeNo }: { outTradeNo: string }): Promise<Trade> {
    const response = await unless(UNKNOWN, send('alipay.trade.query', { outTradeNo }))
    if (!response) return { state: 'UNKNOWN' }
    if (response.outTradeNo !== outTradeNo)
      throw new ProviderUnavailable('alipay: the response is about another payment')
    return tradeOf({
      status: response.tradeStatus,
      txn: response.tradeNo,
      total: response.totalAmount,
      at: response.sendPayDate,
      isRefunded: Boolean(response.sendPayDate),
    })
  }

  async function queryRefund({
    refundNo,
    outTradeNo,
  }: Pick<RefundOrder, 'refundNo' | 'outTradeNo'>): Promise<RefundResult> {
    const response = await send('alipay.trade.fastpay.refund.query', { outTradeNo, outRequestNo: refundNo })
    if (response.refundStatus === 'REFUND_SUCCESS') return { state: 'DONE', refundId: `${response.tradeNo}` }
    return { state: response.outRequestNo === refundNo ? 'PROCESSING' : 'UNKNOWN' }
  }

  return {
    ack: { type: 'text/plain', body: 'success' },
    refusal: () => ({ type: 'text/plain', body: 'fail' }),
    query,
    queryRefund,
    async create(intent): Promise<PaymentStart> {
      const jumpUrl = sdk.pageExecute(
        'alipay.trade.wap.pay',
        'GET',
        stamped({
          returnUrl: intent.returnUrl,
          notifyUrl: `${intent.origin}/pay/notify/alipay`,
          bizContent: {
            outTradeNo: intent.outTradeNo,
            totalAmount: decimalYuan(intent.amountFen),
            subject: intent.title,
            productCode: 'QUICK_WAP_WAY',
            quitUrl: intent.returnUrl,
            timeExpire: chinaTimeText(intent.expireAt),
          },
        }),
      )
      return { jumpUrl }
    },
    async close(outTradeNo) {
      await unless(UNKNOWN, send('alipay.trade.close', { outTradeNo }))
    },
    async refund(order): Promise<RefundResult> {
      const response = await send('alipay.trade.refund', {
        outTradeNo: order.outTradeNo,
        outRequestNo: order.refundNo,
        refundAmount: decimalYuan(order.amountFen),
        refundReason: order.reason,
      })
      // N: a repeated request number, or the bank is still processing it
      return response.fundChange === 'Y' ? { state: 'DONE', refundId: String(response.tradeNo) } : queryRefund(order)
    },
    async parseNotification({ body }): Promise<ProviderNotification> {
      const fields = Object.fromEntries(new URLSearchParams(body))
      // an old notification may use a weaker signature algorithm
      const good = fields.sign_type === 'RSA2' && fields.app_id === appId && sdk.checkNotifySignV2(fields)
      if (!good || !fields.out_trade_no) throw new ForgedNotification('alipay: the signature does not fit')
      return {
        kind: 'TRADE',
        outTradeNo: fields.out_trade_no,
        trade: tradeOf({
          status: fields.trade_status,
          txn: fields.trade_no,
          total: fields.total_amount,
          at: fields.gmt_payment,
          refunded: fields.refund_fee,
          isRefunded: Boolean(fields.gmt_refund),
        }),
      }
    },
  }
}
