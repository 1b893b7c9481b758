/** Shared by the test files about orders: a server with one game, users who may order, and the steps of an order. */
import type { FormConfig } from '@/contract/form/types'
import type { Order } from '@/contract/types'
import { takeOrder } from '../domains/orders/appraising/appraiser-actions'
import { demoAppraiser } from '../domains/staff/demo-appraiser'
import { setupServer } from './harness'
import { adult, configOf, manualRequest, paid } from './orders'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** 2026-11-23 10:00 in China: appraisers work */
export const START = Date.UTC(2026, 10, 23, 2)

/** A server for the tests of a file. Each test begins at ten in the morning of a later day. */
export function setupOrders() {
  const server = setupServer({ games: ['naraka'] })
  const config = {} as FormConfig
  beforeAll(async () => {
    Object.assign(config, await configOf(server, 'naraka'))
  })
  beforeEach(() => {
    const now = server.clock.now()
    const morning = START + Math.ceil((now - START) / DAY + 1) * DAY
    server.clock.advance(morning - now)
  })

  const near = (at: number | undefined, ms: number) => Math.abs((at ?? 0) - server.clock.now() - ms) < MINUTE
  let numbers = 0
  const newUser = async () => {
    numbers += 1
    const mobile = `1370000${String(numbers).padStart(4, '0')}`
    return { ...(await adult(server, mobile)), mobile }
  }
  async function submitted(token: string, skip = 0) {
    const { body } = await server.call('evaluation', 'submitManual', manualRequest(config, skip), { token })
    expect(body.code).toBe('OK')
    return body.data
  }
  const info = async (token: string, orderId: string): Promise<Order> =>
    (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  const begin = (token: string, orderId: string, couponId = '') =>
    server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId }, { token })
  async function paidOrder(token: string, couponId = '') {
    const { orderId } = await submitted(token)
    expect((await begin(token, orderId, couponId)).body.code).toBe('OK')
    expect((await paid(server, orderId)).statusCode).toBe(200)
    return orderId
  }
  const cancel = (token: string, orderId: string, reason = '不想估了', remark?: string) =>
    server.call('evaluation', 'applyCancel', { orderId, reason, ...(remark !== undefined && { remark }) }, { token })
  const receive = async (token: string, templateId: string) =>
    (await server.call('coupon', 'receive', { templateId }, { token })).body
  const couponsBy = async (token: string, status: 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED') =>
    (await server.call('coupon', 'getByStatus', { status }, { token })).body.data.list
  const take = (orderId: string) =>
    server.database.db.transaction().execute((tx) => takeOrder(tx, orderId, demoAppraiser, server.clock.now()))
  const titles = async (userId: string) =>
    (await server.database.db.selectFrom('messages').select('title').where('user_id', '=', userId).execute()).map(
      (m) => m.title,
    )

  return {
    ...{ server, config, near, newUser, submitted, info, begin, paidOrder },
    ...{ cancel, receive, couponsBy, take, titles },
  }
}
