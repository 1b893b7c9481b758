import type { Order } from '@/contract/types'
import { RecordsScreen } from '@/features/orders/RecordsScreen'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleOrder } from '@/samples/order'
import { dispatch, startSession } from '@/session/store'
import { navigations } from './navigation'
import { openPage } from './taro'

jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

export const copied: string[] = []

jest.mock('@/platform/clipboard', () => ({ clipboard: { copy: async (text: string) => copied.push(text) } }))

export const order = (n: number, over: Partial<Order> = {}) =>
  sampleOrder({ orderId: `o${n}`, orderNo: `E2026112114490${n}`, title: `账号${n}`, ...over })

export const pageOf = (list: Order[], total: number, pageNo = 1) => ({ list, total, pageNo, pageSize: 10 })

export const records = (tab = '', orderId = '') =>
  openPage(page('mineEvaluationRecords', RecordsScreen), '/pagesA/pages/mine/evaluation/records', {
    ...(tab && { tab }),
    ...(orderId && { orderId }),
  })

export const NORMAL = { pay: 'NORMAL', help: true, ad: false, manual: true } as const

export const manual = (over: Partial<Order> = {}): Order =>
  order(1, {
    mode: 'MANUAL',
    status: 'UNPAID',
    statusText: '待支付',
    originFen: 1990,
    payFen: 1490,
    predictFen: undefined,
    actions: ['CANCEL', 'PAY'],
    payExpireAt: Date.now() + 872_000,
    ...over,
  })

/** A signed-in user before each test. */
export function setUpRecords() {
  beforeEach(() => {
    navigations.length = 0
    copied.length = 0
    startSession(fakeStorage())
    dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  })
}
