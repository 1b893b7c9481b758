/** Orders in every state of their payment, for the tests of the ledger check. */
import type { Req } from '@/contract/types'
import { unlockReport } from '../domains/orders/unlock-report'
import { someAnswers, type TestServer } from './harness'
import { adult, configOf, manualRequest, paid } from './orders'

export interface Made {
  orderId: string
  userId: string
  token: string
}

/** @param server with the game naraka */
export function ledgerOrders(server: TestServer) {
  let numbers = 0
  const db = () => server.database.db
  async function buyer() {
    // the number of SMS codes per network and day is limited
    await db().deleteFrom('sms_codes').execute()
    return adult(server, `1360000${String(++numbers).padStart(4, '0')}`)
  }
  const pay = async ({ orderId, token }: Made, change: Partial<Req<'pay', 'payment'>> = { couponId: '' }) => {
    const request = { orderId, payType: 'ALI_WAP' as const, consent: true as const, ...change }
    expect((await server.call('pay', 'payment', request, { token })).body.code).toBe('OK')
  }
  const settle = async (made: Made) => {
    expect((await paid(server, made.orderId)).statusCode).toBe(200)
    return made
  }
  const cancel = async (made: Made, reason: string) => {
    await server.call('evaluation', 'applyCancel', { orderId: made.orderId, reason }, { token: made.token })
    return made
  }

  /** An order whose payment has begun. */
  async function begun({ coupon = false } = {}): Promise<Made> {
    const user = await buyer()
    const { token } = user
    if (coupon) await server.call('coupon', 'receive', { templateId: 'manual-3' }, { token })
    const request = manualRequest(await configOf(server, 'naraka'))
    const { orderId } = (await server.call('evaluation', 'submitManual', request, { token })).body.data
    await pay({ ...user, orderId }, coupon ? {} : { couponId: '' })
    return { ...user, orderId }
  }
  const bought = async (options = {}) => settle(await begun(options))
  /** An AI order with a locked report. */
  async function locked(): Promise<Made> {
    const user = await buyer()
    const config = await configOf(server, 'naraka')
    const { gameId, schemaVersion } = config
    const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
    const { orderId } = (await server.call('evaluation', 'submitAi', request, { token: user.token })).body.data
    return { ...user, orderId }
  }
  async function unlocked() {
    const made = await locked()
    await pay(made)
    return settle(made)
  }
  /** Unlocks a report as by an ad. */
  const watch = async (made: Made) => {
    const unlock = { orderId: made.orderId, by: 'AD', now: server.clock.now() } as const
    await db()
      .transaction()
      .execute((tx) => unlockReport(tx, unlock))
    return made
  }
  const watched = async () => watch(await locked())
  /** Cancelled after payment; the refund is approved but not yet executed. */
  const refunding = async () => cancel(await bought(), '等太久')
  async function refunded() {
    const made = await refunding()
    await server.lifecycle.jobRunner?.runAll()
    return made
  }
  /** A request for a refund that waits for its review. */
  const reviewed = async () => cancel(await unlocked(), '价格不合适')
  /** Paid after it was closed. */
  async function surplus() {
    const made = await begun()
    await server.call('pay', 'closeOrder', { orderId: made.orderId }, { token: made.token })
    return settle(made)
  }
  return { pay, begun, bought, locked, unlocked, watch, watched, refunding, refunded, reviewed, surplus }
}
