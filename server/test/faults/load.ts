/** Users who repeatedly order, pay and cancel. */

import { manualOrderRequest } from '../pay/requests'
import type { WechatStub } from '../pay/wechat-stub'
import { type Client, pause } from './client'
import type { Buyer, Fixture } from './fixture'
import type { Payments } from './payments'

const OPENID = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o'

export interface Load {
  /** Lets every user finish the current sequence. */
  stop(): Promise<void>
}

interface Parties {
  fixture: Fixture
  client: Client
  stand: WechatStub
  payments: Payments
}

const chance = (p: number) => Math.random() < p
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

function attemptOf(stand: WechatStub, prepay: string | undefined) {
  const id = prepay?.replace('prepay_id=', '')
  return [...stand.trades.keys()].find((outTradeNo) => stand.prepayOf(outTradeNo) === id)
}

async function beginPayment({ client, stand }: Parties, buyer: Buyer, orderId: string) {
  const couponId = chance(0.5) ? '' : (pick(buyer.coupons) ?? '')
  const base = { orderId, couponId, returnUrl: '/' }
  const jsapi = { ...base, payType: 'WX_JSAPI' as const, consent: true as const, openid: OPENID }
  const request = chance(0.8) ? jsapi : { ...base, payType: 'WX_H5' as const, consent: true as const }
  const answer = await client.persist('pay', 'payment', request, buyer.token)
  const { payParams, jumpUrl } = answer.data ?? {}
  return attemptOf(
    stand,
    payParams?.package ?? new URL(jumpUrl ?? 'http://x').searchParams.get('prepay_id') ?? undefined,
  )
}

/** One user's complete sequence with one order. */
async function story(parties: Parties, buyer: Buyer) {
  const { client, stand, payments, fixture } = parties
  const { token } = buyer
  const made = await client.persist('evaluation', 'submitManual', manualOrderRequest(fixture.config), token)
  // too many unpaid orders: cancel one, possibly while it is being paid
  if (!made.success) {
    const old = buyer.orders.shift()
    if (old) await client.persist('pay', 'closeOrder', { orderId: old }, token)
    return
  }
  const { orderId } = made.data
  buyer.orders.push(orderId)
  const attempts: string[] = []
  for (let tries = chance(0.3) ? 2 : 1; tries > 0; tries -= 1) {
    const attempt = await beginPayment(parties, buyer, orderId)
    if (attempt) attempts.push(attempt)
  }
  if (chance(0.15)) await client.persist('pay', 'closeOrder', { orderId }, token)
  for (const attempt of attempts) if (chance(0.85) && stand.pay(attempt)) payments.announce(attempt)
  if (chance(0.5)) {
    const { data } = await client.persist('pay', 'payResult', { orderId }, token)
    if (data?.status === 'PAID') payments.toldPaid.add(orderId)
  }
  const reason = { orderId, reason: '不想估了', remark: '' }
  if (chance(0.15)) await client.persist('evaluation', 'applyCancel', reason, token)
}

/** @returns at once; the sequences continue until `stop` */
export function startLoad(parties: Parties): Load {
  let stopped = false
  const all = Promise.all(
    parties.fixture.buyers.map(async (buyer) => {
      while (!stopped) {
        await story(parties, buyer)
        await pause(Math.random() * 40)
      }
    }),
  )
  // stop() awaits it; until then an unhandled rejection would end the test process
  all.catch(() => undefined)
  return {
    async stop() {
      stopped = true
      await all
    },
  }
}
