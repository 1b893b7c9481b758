/** Payments while servers are killed: attempts at the provider, and its messages, which come twice, late or never. */

import { type Buyer, chance, config, pick, servers, stand, told, world } from './kill-world'
import { moment, until } from './killed-servers'
import { manualOrderRequest } from './pay/requests'

const { call } = servers
/** messages the provider still wants to deliver */
const mail: string[] = []

export const takenTrades = () => [...stand.trades.values()].filter((t) => t.state === 'SUCCESS')

const attemptOf = (prepay: string | undefined) => {
  const id = prepay?.replace('prepay_id=', '')
  return [...stand.trades.keys()].find((outTradeNo) => stand.prepayOf(outTradeNo) === id)
}

async function beginPayment(buyer: Buyer, orderId: string) {
  const couponId = chance(0.5) ? '' : (pick(buyer.coupons) ?? '')
  const request = { orderId, couponId, returnUrl: '/' }
  const jsapi = {
    ...request,
    payType: 'WX_JSAPI' as const,
    consent: true as const,
    openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
  }
  const answer = await call(
    'pay',
    'payment',
    chance(0.8) ? jsapi : { ...request, payType: 'WX_H5' as const, consent: true as const },
    buyer.token,
  )
  const { payParams, jumpUrl } = answer.data ?? {}
  if (answer.success && !payParams && !jumpUrl) told.free.add(orderId)
  return attemptOf(payParams?.package ?? new URL(jumpUrl ?? 'http://x').searchParams.get('prepay_id') ?? undefined)
}

/** Once, twice, later or never. */
function post(outTradeNo: string) {
  if (chance(0.25)) return
  for (let copies = chance(0.4) ? 3 : 1; copies > 0; copies -= 1)
    mail.splice(Math.floor(Math.random() * (mail.length + 1)), 0, outTradeNo)
}

/** Pays once or twice, now or later, or gives up. @param meanwhile happens between the attempts and their payment */
export async function pay(buyer: Buyer, orderId: string, meanwhile?: () => Promise<unknown>) {
  const attempts: string[] = []
  for (let tries = chance(0.3) ? 2 : 1; tries > 0; tries -= 1) {
    const attempt = await beginPayment(buyer, orderId)
    if (attempt) attempts.push(attempt)
  }
  await meanwhile?.()
  for (const attempt of attempts) if (chance(0.85) && stand.pay(attempt)) post(attempt)
  if (chance(0.5)) await call('pay', 'payResult', { orderId }, buyer.token)
}

/** The provider sends a message to every server at once; what is not acknowledged is sent again. */
async function deliver(outTradeNo: string) {
  const { headers, body } = stand.notice(outTradeNo)
  const answers = await Promise.allSettled(
    servers.urls().map((url) => fetch(`${url}/pay/notify/wechat`, { method: 'POST', headers, body })),
  )
  const taken = answers.some((a) => a.status === 'fulfilled' && a.value.status === 200)
  if (!taken) mail.push(outTradeNo)
}

export const postman = () =>
  until(
    () => world.calm && mail.length === 0,
    async () => {
      const next = mail.shift()
      await moment(30)
      if (next) await deliver(next)
    },
  )

/** An order for which the buyer pays, whatever it takes. @returns its id */
export async function paidOrder(buyer: Buyer): Promise<string> {
  const made = await call('evaluation', 'submitManual', manualOrderRequest(config), buyer.token)
  if (!made.success) throw new Error(made.msg)
  const { orderId } = made.data
  const isPaid = async () => (await call('pay', 'getInfo', { orderId }, buyer.token)).data.status === 'PAID'
  await until(isPaid, async () => {
    const attempt = await beginPayment(buyer, orderId)
    if (attempt && stand.pay(attempt)) await deliver(attempt)
  })
  return orderId
}
