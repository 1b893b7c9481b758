import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin'

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const merchant = pair()
const platform = pair()

export const MCHID = '1900007291'
export const KEY_ID = 'PUB_KEY_ID_0119000072912024'
const V3_KEY = '0123456789abcdef0123456789abcdef'
const SERIAL = '408B07E79B8269FEC3D5D3E6AB8ED163A6A380DB'

/** Settings with which a server uses this stand-in for WeChat Pay. */
export const wechatEnv = (baseUrl: string) => ({
  PUBLIC_URL: 'https://gz.example.com',
  WECHAT_PAY_MCHID: MCHID,
  WECHAT_PAY_SERIAL: SERIAL,
  WECHAT_PAY_PRIVATE_KEY: merchant.privateKey,
  WECHAT_PAY_V3_KEY: V3_KEY,
  WECHAT_PAY_PLATFORM_KEYS: `${KEY_ID}=${platform.publicKey}`,
  WECHAT_MP_APPID: 'wx2421b1c4370ec43b',
  WECHAT_PAY_BASE_URL: baseUrl,
})

export const merchantPublicKey = merchant.publicKey

interface Trade {
  outTradeNo: string
  total: number
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND'
  txn: string | undefined
  paidAt: string | undefined
}
interface Refund {
  refundNo: string
  outTradeNo: string
  amount: number
  status: string
}

export interface BilledRefund {
  outTradeNo: string
  refundNo: string
  fen: number
  status?: string
}

export interface WechatStub {
  /** refunds in the bill of a day (YYYY-MM-DD); a day without any has no bill */
  bills: Map<string, BilledRefund[]>
  url: string
  trades: Map<string, Trade>
  refunds: Map<string, Refund>
  /** every request as `METHOD path` */
  requests: string[]
  /** faults of the next answers */
  fault: 'none' | 'billChanged' | 'down' | 'badSignature' | 'oldTime' | 'tampered' | 'otherOrder' | 'hang'
  /** status a new refund gets */
  refundStatus: string
  /** WeChat's id of an attempt, passed to the client */
  prepayOf(outTradeNo: string): string
  /** The user pays at WeChat. @returns false if WeChat would refuse it */
  pay(outTradeNo: string): boolean
  /** A notification as WeChat Pay would send it. */
  notice(outTradeNo: string, change?: NoticeChange): { headers: Record<string, string>; body: string }
  /** Aborts hanging requests. */
  drop(): void
  /** `of`: a refund made at the console */
  refundNotice(
    refundNo: string,
    status?: string,
    of?: { outTradeNo: string; refund: number },
  ): { headers: Record<string, string>; body: string }
  close(): Promise<void>
}

export interface NoticeChange {
  total?: number
  txn?: string
  mchid?: string
  state?: 'SUCCESS'
  /** s by which its time differs from the real time */
  skew?: number
  /** signed with another key */
  foreignKey?: boolean
  keyId?: string
}

const stranger = pair()

export function signed(body: string, { skew = 0, foreignKey = false, keyId = KEY_ID }: NoticeChange = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) + skew)
  const nonce = Formatter.nonce()
  const key = foreignKey ? stranger.privateKey : platform.privateKey
  return {
    'content-type': 'application/json',
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': keyId,
    'wechatpay-signature': Rsa.sign(Formatter.response(timestamp, nonce, body), key),
  }
}

export function message(type: string, inside: unknown, change: NoticeChange = {}) {
  const nonce = randomBytes(6).toString('hex')
  const aad = type.startsWith('REFUND') ? 'refund' : 'transaction'
  const body = JSON.stringify({
    id: randomBytes(16).toString('hex'),
    create_time: new Date().toISOString(),
    event_type: type,
    resource_type: 'encrypt-resource',
    resource: {
      algorithm: 'AEAD_AES_256_GCM',
      original_type: aad,
      associated_data: aad,
      nonce,
      ciphertext: Aes.AesGcm.encrypt(JSON.stringify(inside), V3_KEY, nonce, aad),
    },
  })
  return { headers: signed(body, change), body }
}

const prepayOf = (outTradeNo: string) => createHash('md5').update(outTradeNo).digest('hex')

const text = async (req: IncomingMessage) => {
  let all = ''
  for await (const part of req) all += part
  return all
}

/** s by which the time of a request may differ, as at WeChat Pay */
const CLOCK_OFFSET = 300

/** Whether a request has the merchant's signature over method, address, time and body, and a current time. */
function fromMerchant(req: IncomingMessage, body: string): boolean {
  const auth = req.headers.authorization ?? ''
  const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(auth)?.[1] ?? ''
  const signedText = Formatter.request(req.method ?? '', req.url ?? '', of('timestamp'), of('nonce_str'), body)
  return (
    auth.startsWith('WECHATPAY2-SHA256-RSA2048 ') &&
    of('mchid') === MCHID &&
    of('serial_no') === SERIAL &&
    Math.abs(Date.now() / 1000 - Number(of('timestamp'))) <= CLOCK_OFFSET &&
    Rsa.verify(signedText, of('signature'), merchant.publicKey)
  )
}

const BILL_NAMES =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,退款申请时间,退款成功时间,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'

/** The bill of refunds in WeChat's format, as its documentation shows it. */
function billText(refunds: readonly BilledRefund[]): string {
  const rows = refunds.map(({ outTradeNo, refundNo, fen, status = 'SUCCESS' }) => {
    const yuan = (fen / 100).toFixed(2)
    const trade = [
      '2026-11-20 20:53:36',
      'wx1',
      MCHID,
      '0',
      '',
      '4200',
      outTradeNo,
      'o1',
      'JSAPI',
      'REFUND',
      'CFT',
      'CNY',
    ]
    const refund = [
      '0.00',
      '0.00',
      '2026-11-20 20:53:36',
      '',
      `5030${refundNo}`,
      refundNo,
      yuan,
      '0.00',
      'ORIGINAL',
      status,
    ]
    return [...trade, ...refund, '人工估价，标准', '', '0.00000', '0.60%', '0.00', yuan, '']
      .map((cell) => `\`${cell}`)
      .join()
  })
  const totals = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
  return `\ufeff${[BILL_NAMES, ...rows, totals, '`1,`0.00,`0.01,`0.00,`0.00000,`0.00,`0.01'].join('\r\n')}\r\n`
}

/** A stub of WeChat Pay v3 over real HTTP: verifies signatures, signs answers, stores payments. `stand` becomes it. */
export async function startWechatStub(stand = {} as WechatStub): Promise<WechatStub> {
  const trades = new Map<string, Trade>()
  const refunds = new Map<string, Refund>()
  const bills = new Map<string, BilledRefund[]>()
  const requests: string[] = []
  const hanging: ServerResponse[] = []

  const view = (t: Trade) => ({
    mchid: MCHID,
    appid: 'wx2421b1c4370ec43b',
    out_trade_no: t.outTradeNo,
    trade_state: t.state,
    ...(t.txn && {
      transaction_id: t.txn,
      success_time: t.paidAt,
      amount: { total: t.total, payer_total: t.total, currency: 'CNY' },
    }),
  })

  const refundView = ({ refundNo, status }: Refund) => ({
    out_refund_no: refundNo,
    refund_id: `5030${refundNo}`,
    status,
  })

  const routes: [RegExp, (id: string, body: unknown) => [number, unknown]][] = [
    [
      /^POST \/v3\/pay\/transactions\/(jsapi|h5)$/,
      (kind, body) => {
        const { out_trade_no: outTradeNo, amount } = body as { out_trade_no: string; amount: { total: number } }
        const known = trades.get(outTradeNo)
        if (known?.state === 'SUCCESS') return [400, { code: 'ORDERPAID', message: '该订单已支付' }]
        if (known && known.total !== amount.total) return [400, { code: 'OUT_TRADE_NO_USED', message: '订单号重复' }]
        if (!known)
          trades.set(outTradeNo, {
            outTradeNo,
            total: amount.total,
            state: 'NOTPAY',
            txn: undefined,
            paidAt: undefined,
          })
        const prepay = prepayOf(outTradeNo)
        return [200, kind === 'h5' ? { h5_url: `https://wx.tenpay.com/x?prepay_id=${prepay}` } : { prepay_id: prepay }]
      },
    ],
    [
      /^GET \/v3\/pay\/transactions\/out-trade-no\/([\w-]+)\?mchid=/,
      (id) => {
        const trade = trades.get(id)
        return trade ? [200, view(trade)] : [404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' }]
      },
    ],
    [
      /^POST \/v3\/pay\/transactions\/out-trade-no\/([\w-]+)\/close$/,
      (id) => {
        const trade = trades.get(id)
        if (!trade) return [404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' }]
        if (trade.state === 'SUCCESS') return [400, { code: 'ORDERPAID', message: '该订单已支付' }]
        trade.state = 'CLOSED'
        return [204, undefined]
      },
    ],
    [
      /^POST \/v3\/refund\/domestic\/(refunds)$/,
      (_, body) => {
        const {
          out_refund_no: refundNo,
          out_trade_no: outTradeNo,
          amount,
        } = body as {
          out_refund_no: string
          out_trade_no: string
          amount: { refund: number }
        }
        const known = refunds.get(refundNo)
        if (known) return [200, refundView(known)]
        const trade = trades.get(outTradeNo)
        const before = [...refunds.values()].filter((r) => r.outTradeNo === outTradeNo && r.status !== 'CLOSED')
        const sum = before.reduce((all, r) => all + r.amount, 0)
        if (trade?.state !== 'SUCCESS' || sum + amount.refund > trade.total)
          return [403, { code: 'INVALID_REQUEST', message: '可退款金额不足' }]
        const refund = { refundNo, outTradeNo, amount: amount.refund, status: stand.refundStatus }
        refunds.set(refundNo, refund)
        return [200, refundView(refund)]
      },
    ],
    [
      /^GET \/v3\/refund\/domestic\/refunds\/([\w-]+)$/,
      (id) => {
        const refund = refunds.get(id)
        return refund ? [200, refundView(refund)] : [404, { code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' }]
      },
    ],
    [
      /^GET \/v3\/bill\/tradebill\?bill_date=([\d-]+)&bill_type=REFUND$/,
      (date) => {
        const bill = bills.get(date)
        if (!bill) return [400, { code: 'NO_STATEMENT_EXIST', message: '账单文件不存在' }]
        const download_url = `https://api.mch.weixin.qq.com/v3/billdownload/file?token=${date}`
        const hash_value = createHash('sha1').update(billText(bill)).digest('hex')
        return [200, { hash_type: 'SHA1', hash_value, download_url }]
      },
    ],
  ]

  function answer(res: ServerResponse, status: number, value: unknown) {
    let body = value === undefined ? '' : JSON.stringify(value)
    const skew = stand.fault === 'oldTime' ? -900 : 0
    const headers = signed(body, { skew, foreignKey: stand.fault === 'badSignature' })
    if (stand.fault === 'tampered') body = body.replace(/NOTPAY/, 'SUCCESS').replace(/prepay_id":"/, 'prepay_id":"x')
    res.writeHead(status, headers).end(body)
  }

  async function serve(req: IncomingMessage, res: ServerResponse) {
    const body = await text(req)
    const line = `${req.method} ${req.url}`
    requests.push(line)
    if (stand.fault === 'hang') {
      hanging.push(res)
      return
    }
    if (stand.fault === 'down') return res.writeHead(500).end('{"code":"SYSTEM_ERROR","message":"系统异常"}')
    if (!fromMerchant(req, body)) return answer(res, 401, { code: 'SIGN_ERROR', message: '签名错误' })
    // without a signature of the response, as at WeChat
    const billed = bills.get(/^GET \/v3\/billdownload\/file\?token=([\d-]+)$/.exec(line)?.[1] ?? '')
    if (billed) return res.end(billText(billed) + (stand.fault === 'billChanged' ? '\n' : ''))
    for (const [pattern, handle] of routes) {
      const found = pattern.exec(line)
      if (!found) continue
      const [status, value] = handle(found[1] ?? '', body ? JSON.parse(body) : {})
      const other = stand.fault === 'otherOrder' ? { out_trade_no: 'another', out_refund_no: 'another' } : {}
      return answer(res, status, value === undefined ? undefined : { ...(value as object), ...other })
    }
    return answer(res, 404, { code: 'NOT_FOUND', message: '' })
  }

  const server: Server = createServer((req, res) => void serve(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return Object.assign(stand, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trades,
    refunds,
    bills,
    requests,
    fault: 'none',
    refundStatus: 'SUCCESS',
    prepayOf,
    pay(outTradeNo) {
      const trade = trades.get(outTradeNo)
      if (trade?.state !== 'NOTPAY') return false
      trade.state = 'SUCCESS'
      trade.txn = `4200${createHash('md5').update(outTradeNo).digest('hex').slice(0, 24)}`
      trade.paidAt = new Date().toISOString()
      return true
    },
    notice(outTradeNo, change = {}) {
      const trade = trades.get(outTradeNo)
      const seen = view(
        trade ?? {
          outTradeNo,
          total: change.total ?? 1,
          state: 'SUCCESS',
          txn: change.txn ?? 'x',
          paidAt: new Date().toISOString(),
        },
      )
      const inside = {
        ...seen,
        ...(change.state && { trade_state: change.state, success_time: new Date().toISOString() }),
        ...(change.mchid && { mchid: change.mchid }),
        ...(change.txn && { transaction_id: change.txn }),
        ...(change.total !== undefined && { amount: { total: change.total, currency: 'CNY' } }),
      }
      return message('TRANSACTION.SUCCESS', inside, change)
    },
    refundNotice(refundNo, status = 'SUCCESS', of) {
      const refund = refunds.get(refundNo)
      if (refund) refund.status = status
      const outTradeNo = refund?.outTradeNo ?? of?.outTradeNo ?? ''
      const { txn = '', total = 0 } = trades.get(outTradeNo) ?? {}
      const inside = {
        mchid: MCHID,
        out_refund_no: refundNo,
        out_trade_no: outTradeNo,
        transaction_id: txn,
        amount: { total, refund: of?.refund ?? total },
        refund_id: `5030${refundNo}`,
        refund_status: status,
      }
      return message(`REFUND.${status}`, inside, {})
    },
    drop() {
      stand.fault = 'none'
      for (const res of hanging.splice(0)) res.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  } satisfies WechatStub)
}
