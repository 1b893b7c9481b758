import { createHmac, randomBytes } from 'node:crypto'
import { isEqualInConstantTime } from '../../core/constant-time'
import {
  ForgedNotification,
  type PayProvider,
  type ProviderNotification,
  type RawNotification,
  type Trade,
} from './port'

export type SandboxResult = 'SUCCESS' | 'FAIL' | 'DUPLICATE'

/** A simulated provider. Its buttons produce messages like those of a real one. */
interface SandboxPay extends PayProvider {
  /** The signed messages a real provider would send in this case, in order. */
  act(attempt: { outTradeNo: string; amountFen: number }, result: SandboxResult): RawNotification[]
}

/** Parameters in WeChat's format; real WeChat rejects them, only the test harness accepts them. */
const miniParams = (outTradeNo: string) => ({
  timeStamp: String(Math.floor(Date.now() / 1000)),
  nonceStr: randomBytes(16).toString('hex'),
  package: `prepay_id=${outTradeNo}`,
  signType: 'RSA',
  paySign: 'sandbox',
})

/** The key is generated at each start, so nobody outside this process can sign. */
export function createSandboxPay(): SandboxPay {
  const key = randomBytes(32)
  const trades = new Map<string, Trade>()
  const sign = (body: string) => createHmac('sha256', key).update(body).digest('hex')

  return {
    ack: { type: 'application/json', body: '{}' },
    refusal: () => ({ type: 'application/json', body: '{}' }),
    // a mini-program cannot open an address: it gets the parameters of WeChat's payment call
    create: async ({ origin, outTradeNo, payType }) => {
      if (payType === 'WX_MINI') return { payParams: miniParams(outTradeNo) }
      const jumpUrl = `${origin}/sandbox/cashier/${outTradeNo}`
      // an iOS app with in-app purchase passes these to Apple; without one the sandbox page replaces Apple
      return payType === 'APPLE' ? { payParams: { appAccountToken: outTradeNo }, jumpUrl } : { jumpUrl }
    },
    query: async ({ outTradeNo }) => trades.get(outTradeNo) ?? { state: 'WAITING' },
    close: async () => undefined,
    async refund({ refundNo, outTradeNo, amountFen }) {
      const refundId = `SR${refundNo}`
      const trade = trades.get(outTradeNo)
      if (trade?.state === 'PAID')
        trades.set(outTradeNo, { state: 'REFUNDED', refundId, paid: trade, refundedFen: amountFen })
      return { state: 'DONE', refundId }
    },
    queryRefund: async ({ refundNo }) => ({ state: 'DONE', refundId: `SR${refundNo}` }),
    act({ outTradeNo, amountFen }, result) {
      const trade: Trade =
        result === 'FAIL' ? { state: 'FAILED' } : { state: 'PAID', txn: `SBX${outTradeNo}`, amountFen }
      trades.set(outTradeNo, trade)
      const body = JSON.stringify({ kind: 'TRADE', outTradeNo, trade } satisfies ProviderNotification)
      const message = { headers: { 'x-sandbox-sign': sign(body) }, query: {}, body }
      return result === 'DUPLICATE' ? [message, message] : [message]
    },
    async parseNotification({ headers, body }) {
      if (!isEqualInConstantTime(String(headers['x-sandbox-sign'] ?? ''), sign(body)))
        throw new ForgedNotification('sandbox: the signature does not fit')
      return JSON.parse(body) as ProviderNotification
    },
  }
}
