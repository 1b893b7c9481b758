/** Shared by the tests of payments: a server with a stub of WeChat Pay, two buyers, and the steps of a payment. */
import type { FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { checkLedger } from '../../domains/payments/accounting/check'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from '../harness'
import { configOf, advance as passTime } from '../orders'
import { adultId, manualOrderRequest } from './requests'
import { startWechatStub, type WechatStub, wechatEnv } from './wechat-stub'

/** fen; the standard service */
export const PRICE = 1990
export const OPENID = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o'

type User = { token: string; userId: string }
type Change = Partial<Req<'pay', 'payment'>>
export const OK = [200, 'SUCCESS']

/** A server and a stub of WeChat Pay for the tests of a file; unpaid orders are closed after each. */
export function setupWechatPayments() {
  const [stand, server, config] = [{} as WechatStub, {} as TestServer, {} as FormConfig]
  const [me, other] = [{} as User, {} as User]
  const log: string[] = []
  /** orders of the current test; a user may have ten unpaid ones */
  const open: string[] = []
  let testDatabase: TestDatabase | undefined
  const db = () => server.database.db
  beforeAll(async () => {
    testDatabase = await createTestDatabase('market')
    await startWechatStub(stand)
    const [env, onLog] = [wechatEnv(stand.url), (line: string) => log.push(line)]
    Object.assign(server, await startServer({ testDatabase, games: ['val'], env, onLog }))
    Object.assign(config, await configOf(server, 'val'))
    for (const [n, user] of [me, other].entries()) {
      Object.assign(user, await server.login(`1380013800${n}`))
      const name = { name: '张三', idNo: adultId(n + 1), consent: true as const }
      await server.call('user', 'realNameAuth', name, { token: user.token })
    }
  })
  beforeEach(() => {
    log.length = 0
  })
  afterEach(async () => {
    Object.assign(stand, { fault: 'none', refundStatus: 'SUCCESS' })
    for (const orderId of open.splice(0)) await close(orderId)
  })
  afterAll(async () => {
    await server.close()
    await stand.close()
    testDatabase?.remove()
  })

  const order = async () => {
    const made = await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token: me.token })
    if (!made.body.success) throw new Error(made.body.msg)
    open.push(made.body.data.orderId)
    return made.body.data.orderId
  }
  const close = (orderId: string) => server.call('pay', 'closeOrder', { orderId }, { token: me.token })
  const pay = (orderId: string, change: Change = {}, headers: Record<string, string> = {}) => {
    const request = { orderId, payType: 'WX_JSAPI' as const, consent: true as const, openid: OPENID, ...change }
    return server.call('pay', 'payment', request, { token: me.token, headers })
  }
  const attempts = (orderId: string) =>
    db().selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute()
  /** Begins to pay. @returns the payment's number at WeChat */
  const begin = async (orderId: string, change: Change = {}) => {
    const answer = await pay(orderId, change)
    if (!answer.body.success) throw new Error(answer.body.msg)
    return (await attempts(orderId)).at(-1)?.id ?? ''
  }
  const deliver = async (message: { headers: Record<string, string>; body: string }, remoteAddress = '127.0.0.1') => {
    const { headers, body: payload } = message
    const sent = { method: 'POST', url: '/pay/notify/wechat', headers, payload, remoteAddress } as const
    const answer = await server.app.inject(sent)
    return [answer.statusCode, answer.json().code]
  }
  /** The user pays at WeChat, which tells it. */
  const payThere = async (id: string) => {
    stand.pay(id)
    expect(await deliver(stand.notice(id))).toEqual(OK)
  }
  const begun = async () => {
    const orderId = await order()
    return { orderId, id: await begin(orderId) }
  }
  const paidOrder = async () => {
    const made = await begun()
    await payThere(made.id)
    return made
  }
  const cancel = async (orderId: string) =>
    (await server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了' }, { token: me.token })).body.data
  const result = async (orderId: string) =>
    (await server.call('pay', 'payResult', { orderId }, { token: me.token })).body.data.status
  const info = async (orderId: string) =>
    (await server.call('pay', 'getInfo', { orderId }, { token: me.token })).body.data
  /** Status of the order and of its payment. */
  const standing = async (orderId: string) => {
    const { status, payStatus } = await info(orderId)
    return [status, payStatus]
  }
  /** The order's entries in the ledger, as `KIND fen`. */
  const booked = async (orderId: string) => {
    const entries = db().selectFrom('ledger').select(['kind', 'amount_fen']).where('order_id', '=', orderId)
    return (await entries.orderBy('id').execute()).map((entry) => `${entry.kind} ${entry.amount_fen}`)
  }
  /** What the ledger check finds of an order. */
  const differences = async (orderId: string) =>
    (await checkLedger(db())).differences.flatMap((difference) =>
      difference.orderId === orderId ? [difference.kind] : [],
    )
  const messagesOf = (orderId: string) =>
    db().selectFrom('messages').select(['type', 'title', 'summary']).where('biz_id', '=', orderId).execute()
  /** Alarms of the current test. */
  const alarms = () => log.map((line) => JSON.parse(line)).flatMap(({ alarm, msg }) => (alarm === true ? [msg] : []))
  const runJobs = () => server.lifecycle.jobRunner?.runAll()
  const advance = (ms: number) => passTime(server, ms)

  return {
    ...{ stand, server, me, other, log, db, order, close, pay, attempts, begin, deliver, payThere, begun, paidOrder },
    ...{ cancel, result, info, standing, booked, differences, messagesOf, alarms, runJobs, advance },
  }
}
