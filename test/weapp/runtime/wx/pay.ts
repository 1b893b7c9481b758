/**
 * WeChat's own cashier. Results reach the merchant's server directly, not through the app; the app
 * only receives one of three results, as on a device: ok, cancelled, failed.
 */
import { during, phone } from '../state'
import { type Api, calls, Refused } from './call'
import { choice } from './ui'

interface Params {
  timeStamp: string
  nonceStr: string
  package: string
  signType: string
  paySign: string
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Notifies the sandbox of the result, as WeChat's servers notify the merchant's. */
async function reportResult(prepayId: string, result: 'SUCCESS' | 'FAIL') {
  const url = `${phone.domains[0]}/sandbox/cashier/${prepayId}`
  const answer = await window.hostHttp({
    id: -Date.now(),
    timeoutMs: 10_000,
    url,
    method: 'POST',
    headers: FORM,
    body: `result=${result}`,
  })
  if (!answer.ok || answer.status >= 400) throw new Error(`the sandbox does not take ${result}`)
}

async function requestPayment(given: Params) {
  for (const name of ['timeStamp', 'nonceStr', 'package', 'signType', 'paySign'] as const)
    if (typeof given[name] !== 'string' || given[name] === '') throw new Refused(`parameter error: ${name}`)
  const [, prepayId] = /^prepay_id=([\w-]+)$/.exec(given.package) ?? []
  if (!prepayId) throw new Refused('parameter error: package')
  const end = await choice(['支付', '取消支付', '余额不足'])
  if (end === '取消支付') throw new Refused('cancel')
  await during(reportResult(prepayId, end === '支付' ? 'SUCCESS' : 'FAIL'))
  if (end === '余额不足') throw new Refused('-1 余额不足')
}

interface Virtual {
  mode: string
  signData: string
  paySig: string
  signature: string
}

const refused = (reason: string, errCode: number) => new Refused(reason, undefined, errCode)

/** Apple's sheet. The purchase is sent to the URL the test has set, which verifies the signatures, as WeChat's servers do. */
async function requestVirtualPayment({ mode, signData, paySig, signature }: Virtual) {
  if (mode !== 'short_series_goods') throw refused(`parameter error: mode ${mode}`, -15001)
  const goods = parsed(signData)
  for (const name of ['offerId', 'buyQuantity', 'currencyType', 'productId', 'goodsPrice', 'outTradeNo'])
    if (goods[name] === undefined || goods[name] === '') throw refused(`parameter error: signData.${name}`, -15001)
  if (!phone.apple) throw refused('no permission', -15003)
  if ((await choice(['确认购买', '取消'])) === '取消') throw refused('cancel', -2)
  const body = JSON.stringify({ signData, paySig, signature })
  const headers = { 'content-type': 'application/json' }
  const sold = during(
    window.hostHttp({ id: -Date.now(), timeoutMs: 10_000, url: phone.apple, method: 'POST', headers, body }),
  )
  const answer = await sold
  if (!answer.ok || answer.status >= 400) throw refused('signature error', -15005)
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw refused('parameter error: signData', -15001)
  }
}

export const payApi: Record<string, Api> = calls({ requestPayment, requestVirtualPayment })
