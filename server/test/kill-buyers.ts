/** What buyers do while servers are killed: order, pay, change their minds, supply, ask, rate and cancel. */

import { someAnswers } from './harness'
import { pay } from './kill-payments'
import { type Account, accounts, type Buyer, chance, config, modelled, pick, servers, told } from './kill-world'
import { manualOrderRequest } from './pay/requests'

const { call } = servers
/** as many as a user may have in a day */
const VALUATIONS_EACH = 30

/** A manual request for the account, which need not have a model. */
const manualRequestFor = (account?: Account) => ({ ...manualOrderRequest(config), ...account })

/** Supplies what an appraiser asked for, of one of the buyer's orders. */
async function supply({ token, orders }: Buyer) {
  const orderId = pick(orders)
  if (!orderId) return
  const order = (await call('pay', 'getInfo', { orderId }, token)).data
  if (order?.status !== 'WAIT_INFO') return
  const more = { ...manualRequestFor(accounts.get(orderId)), answers: {}, orderId, remark: '补充：没有绑定' }
  await call('evaluation', 'submitManual', more, token)
}

/** Something that one of the buyer's delivered orders allows: a question, the revaluation, a rating. */
async function afterwards(buyer: Buyer) {
  const orderId = pick(buyer.orders.filter((id) => told.delivered.has(id)))
  if (!orderId) return
  const { token } = buyer
  const order = (await call('pay', 'getInfo', { orderId }, token)).data
  if (!order?.actions.includes('ASK')) return
  const clientId = `kill-${orderId}`
  if (chance(0.5)) {
    const question = { clientId, type: 'TEXT' as const, content: '为什么？', orderId }
    if ((await call('chat', 'send', question, token)).success) told.questioned.add(orderId)
  }
  const again = { ...manualRequestFor(accounts.get(orderId)), answers: {}, orderId, remark: '价格偏低' }
  if (chance(0.5) && order.actions.includes('REVALUE')) await call('evaluation', 'submitManual', again, token)
  const said = { orderId, score: chance(0.3) ? 1 : 5, accuracy: 'LOW' as const, content: '价格偏低' }
  if (chance(0.3)) await call('evaluation', 'saveEvaluation', said, token)
}

const cancel = ({ token }: Buyer, orderId: string) =>
  call('evaluation', 'applyCancel', { orderId, reason: '不想估了', remark: '' }, token)

/**
 * Has the model value an account; buys its report, perhaps while the appraisers value the same account, or keeps it locked.
 * @returns the account, and its order if nobody has begun to pay
 */
async function valueByModel(buyer: Buyer): Promise<{ account: Account; locked?: string } | undefined> {
  const { gameId, schemaVersion } = modelled
  if (buyer.valued === VALUATIONS_EACH) return undefined
  const account = { gameId, schemaVersion, answers: someAnswers(modelled, buyer.valued) }
  buyer.valued += 1
  const request = { ...account, source: 'TYPED' as const, requestId: `kill-${buyer.valued}` }
  const made = await call('evaluation', 'submitAi', request, buyer.token)
  if (!made.success) throw new Error(made.msg)
  const { orderId } = made.data
  told.reportOrders.push(orderId)
  if (chance(0.5)) return { account, locked: orderId }
  await pay(buyer, orderId)
  if (chance(0.1)) await cancel(buyer, orderId)
  return { account }
}

/** One person's whole story with one account. */
export async function story(buyer: Buyer) {
  const valued = chance(0.4) ? await valueByModel(buyer) : undefined
  const account = chance(0.7) ? valued?.account : undefined
  const request = { ...manualRequestFor(account), level: pick(['STD', 'PRO'] as const) ?? 'STD' }
  const made = await call('evaluation', 'submitManual', request, buyer.token)
  // too many that wait for their payment: give one up, perhaps while it is being paid
  if (!made.success) {
    const old = buyer.orders.shift()
    if (old) await call('pay', 'closeOrder', { orderId: old }, buyer.token)
    return
  }
  const { orderId } = made.data
  buyer.orders.push(orderId)
  if (account) accounts.set(orderId, account)
  if (account && valued?.locked) told.included.set(orderId, valued.locked)
  await pay(buyer, orderId, async () => chance(0.15) && call('pay', 'closeOrder', { orderId }, buyer.token))
  await supply(buyer)
  await afterwards(buyer)
  if (chance(0.15)) await cancel(buyer, orderId)
}
