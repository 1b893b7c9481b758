import type { FormConfig } from '@/contract/form/types'
import { chinaDateTime, DAY_MS } from '@/contract/time'
import { appraiserStatistics } from '../domains/content/appraiser-statistics'
import type { DeskRole } from '../domains/staff/accounts'
import { atDesk, deliver } from './desk-session'
import { setupServer } from './harness'
import { adult, configOf, manualRequest, paid } from './orders'

const [FIRST, SECOND] = [1000, 600]
/** the gap between the first price and a sale at the second */
const GAP = '66.7%'
const SALE = SECOND * 100
const comment = '按近期成交，仓库齐全，没有风险'

let config: FormConfig
let numbers = 0
const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } })
const db = () => server.database.db
beforeAll(async () => {
  config = await configOf(server, 'naraka')
  // ten in the morning in China, within working hours
  server.clock.advance(DAY_MS - (server.clock.now() % DAY_MS) + DAY_MS / 12)
})
beforeEach(() => server.clock.advance(60_000))

async function staff(role: DeskRole, nick = '小林') {
  const { staffId, see, send } = await atDesk(server, { name: `staff${++numbers}`, role, nick })
  return {
    staffId,
    see: async (url: string) => (await see(url)).body,
    async send(url: string, fields?: Record<string, string>) {
      server.clock.advance(1000)
      return send(url, fields)
    },
    deliver(orderId: string, price: number, more?: Record<string, string>) {
      server.clock.advance(1000)
      return deliver({ see, send }, `/desk/orders/${orderId}`, { price: String(price), comment, ...more })
    },
  }
}
type Appraiser = Awaited<ReturnType<typeof staff>>

/** A paid order that the appraiser has delivered at the first price. */
async function delivered(by: Appraiser) {
  await db().deleteFrom('sms_codes').execute()
  const { token } = await adult(server, `1360000${String(++numbers).padStart(4, '0')}`)
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: '' }, { token })
  await paid(server, orderId)
  await by.send(`/desk/orders/${orderId}/take`)
  await by.deliver(orderId, FIRST)
  return { orderId, token }
}
type Order = Awaited<ReturnType<typeof delivered>>

/** Valued again at the price of the sale. */
const again = (by: Appraiser, { orderId }: Order) => by.deliver(orderId, SECOND)
const askAgain = ({ orderId, token }: Order) =>
  server.call('evaluation', 'submitManual', { ...manualRequest(config), orderId, remark: '价格偏高' }, { token })
async function rate({ orderId, token }: Order, sale: { score: number; soldAt?: number }) {
  const rating = { orderId, accuracy: 'HIGH' as const, content: '价格偏高', soldFen: SALE, ...sale }
  const { body } = await server.call('evaluation', 'saveEvaluation', rating, { token })
  expect(body).toMatchObject({ success: true })
}
const pricesOf = async ({ orderId }: Order) =>
  (
    await db().selectFrom('reports').select('predict_fen').where('order_id', '=', orderId).orderBy('version').execute()
  ).map(({ predict_fen }) => predict_fen / 100)

/** Deliveries, sales and median gap. */
async function figuresOf({ staffId }: Appraiser) {
  const own = (await appraiserStatistics(db())).find((each) => each.staffId === staffId)
  const gap = own?.medianGap == null ? '—' : `${(100 * own.medianGap).toFixed(1)}%`
  return [String(own?.delivered), String(own?.sales), gap]
}

test('a revaluation delivered after the sale was reported does not change the published accuracy', async () => {
  const mine = await staff('APPRAISER', '小准')
  const orders: Order[] = []
  for (let i = 0; i < 3; i += 1) orders.push(await delivered(mine))
  for (const order of orders) await rate(order, { score: 1, soldAt: server.clock.now() })
  const [{ orderId, token }] = orders as [Order]
  const published = async () => {
    const { appraiser } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
    const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
    return [
      [appraiser?.sales, appraiser?.medianGap?.toFixed(3)],
      /小准.*?与成交价的差距中位数 ([\d.%]+)（3 笔）/s.exec(html)?.[1],
    ]
  }
  const before = await published()
  expect(before).toEqual([[3, '0.667'], GAP])
  for (const order of orders) await again(mine, order)
  for (const order of orders) expect(await pricesOf(order)).toEqual([FIRST, SECOND])
  expect(await published()).toEqual(before)
})

/** Each order ends with two versions of its report and a known sale. */
const cases: [string, string, (by: Appraiser, order: Order, admin: Appraiser) => Promise<unknown>][] = [
  [
    'the second, valid when its owner reported the sale',
    '0.0%',
    async (by, order) => {
      await askAgain(order)
      await again(by, order)
      await rate(order, { score: 5 })
    },
  ],
  [
    'the first, if the account was sold before the second although that was reported later',
    GAP,
    async (by, order) => {
      const soldAt = server.clock.now()
      await askAgain(order)
      await again(by, order)
      await rate(order, { score: 5, soldAt })
    },
  ],
  [
    'the first, if staff recorded the sale before the second although its owner reported it later',
    GAP,
    async (by, order, admin) => {
      await admin.send(`/desk/orders/${order.orderId}/sold`, { soldPrice: String(SECOND), soldDay: '' })
      await askAgain(order)
      await again(by, order)
      await rate(order, { score: 5 })
    },
  ],
]
test.each(cases)('a sale is compared with the version in force: %s', async (_, gap, happens) => {
  const [mine, admin] = [await staff('APPRAISER'), await staff('ADMIN')]
  const order = await delivered(mine)
  await happens(mine, order, admin)
  expect(await pricesOf(order)).toEqual([FIRST, SECOND])
  expect(await figuresOf(mine)).toEqual(['1', '1', gap])
})

test.each([
  ['owner', 13 * 60_000],
  ['staff', DAY_MS],
] as const)('a sale that the %s dates before the first report counts for nobody', async (teller, before) => {
  const [mine, admin] = [await staff('APPRAISER'), await staff('ADMIN')]
  const order = await delivered(mine)
  const soldAt = server.clock.now() - before
  // paid the day before, so that the sale is later than the order
  await db()
    .updateTable('orders')
    .set({ created_at: soldAt - DAY_MS })
    .where('id', '=', order.orderId)
    .execute()
  if (teller === 'owner') await rate(order, { score: 5, soldAt })
  else
    await admin.send(`/desk/orders/${order.orderId}/sold`, {
      ...{ soldPrice: String(SECOND), soldDay: chinaDateTime(soldAt).day },
    })
  const known = db().selectFrom('orders').leftJoin('reviews as v', 'v.order_id', 'orders.id')
  const { sold } = await known
    .select((e) => e.fn.coalesce('v.sold_fen', 'orders.sold_fen').as('sold'))
    .where('orders.id', '=', order.orderId)
    .executeTakeFirstOrThrow()
  expect(sold).toBe(SALE)
  expect(await figuresOf(mine)).toEqual(['1', '0', '—'])
})

test('who values an account again after its sale has no sale to be compared with', async () => {
  const [mine, other] = [await staff('APPRAISER'), await staff('APPRAISER')]
  const order = await delivered(mine)
  await rate(order, { score: 1 })
  await db().updateTable('orders').set({ appraiser_id: null }).where('id', '=', order.orderId).execute()
  await other.send(`/desk/orders/${order.orderId}/take`)
  await again(other, order)
  expect(await pricesOf(order)).toEqual([FIRST, SECOND])
  expect([await figuresOf(mine), await figuresOf(other)]).toEqual([
    ['1', '1', GAP],
    ['1', '0', '—'],
  ])
})
