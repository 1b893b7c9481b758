import { serviceAdviceFor } from '@/contract/serviceAdvice'
import { insertGames } from './games'
import { configOf, manualRequest } from './orders'
import { setupOrders } from './orders-fixture'

const { begin, config, info, newUser, server, submitted } = setupOrders()

test('the service can be changed until a payment has begun', async () => {
  const { token } = await newUser()
  const { orderId } = await submitted(token)
  const pro = { ...manualRequest(config), level: 'PRO' as const, orderId }
  expect((await server.call('evaluation', 'submitManual', pro, { token })).body.data).toEqual({
    orderId,
    originFen: 4990,
  })
  expect(await info(token, orderId)).toMatchObject({ level: 'PRO', payFen: 4990 })
  // the first request again is about the service it names
  const again = (await submitted(token)).orderId
  expect(await info(token, again)).toMatchObject({ level: 'STD', payFen: 1990 })
  await begin(token, orderId)
  expect((await server.call('evaluation', 'submitManual', { ...pro, level: 'STD' }, { token })).body.code).toBe(
    'ORDER_STATUS_CHANGED',
  )
})

test('the checkout claims the best coupon of the centre that fits, once, unless another is chosen', async () => {
  const { token } = await newUser()
  const { orderId } = await submitted(token)
  const quoted = async (req: { couponId?: string; claim?: boolean }) =>
    (await server.call('pay', 'createPre', { orderId, ...req }, { token })).body.data
  expect((await quoted({})).payFen).toBe(1990)
  expect((await quoted({ claim: true, couponId: '' })).payFen).toBe(1990)
  const claimed = await quoted({ claim: true })
  expect(claimed).toMatchObject({ payFen: 1690, discountFen: 300 })
  const again = await quoted({ claim: true })
  expect(again.coupons.map(({ couponId }) => couponId)).toEqual(claimed.coupons.map(({ couponId }) => couponId))
})

test('the checkout’s advice uses the AI estimate of the same account, not of another', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) =>
    (await server.call('pay', 'createPre', { orderId }, { token })).body.data.aiFen
  const { orderId } = await submitted(token)
  expect(await quoted(orderId)).toBeUndefined()
  const valued = async (skip: number) => {
    const { level: _, ...account } = manualRequest(config, skip)
    const { data } = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body
    return (await server.call('evaluation', 'reportGet', { orderId: data.orderId }, { token })).body.data.price
      .predictFen
  }
  const [own, other] = [await valued(0), await valued(1)]
  expect(own).not.toBe(other)
  expect(await quoted(orderId)).toBe(own)
})

test('the checkout advises by the model’s value of an account without an AI estimate, and names no price', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) => (await server.call('pay', 'createPre', { orderId }, { token })).body.data
  const { orderId } = await submitted(token)
  const { aiFen, advice, ...quote } = await quoted(orderId)
  expect(aiFen).toBeUndefined()
  const { level: _, ...account } = manualRequest(config)
  const { data } = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body
  const own = (await server.call('evaluation', 'reportGet', { orderId: data.orderId }, { token })).body.data.price
  expect(advice).toBe(serviceAdviceFor(own.predictFen))
  expect(JSON.stringify(quote)).not.toContain(String(own.predictFen))
  expect(await quoted(orderId)).toMatchObject({ aiFen: own.predictFen, advice })
  expect([9_999, 10_000, 29_999, 30_000, 499_999, 500_000].map(serviceAdviceFor)).toEqual([
    ...['NONE', 'STD', 'STD', 'BY_NEED', 'BY_NEED', 'PRO'],
  ])
})

test('payment depends on the platform: off on iOS unless configured', async () => {
  const status = async (platform: string) =>
    (await server.call('app', 'openPayStatus', { platform, version: '2.0.4' })).body.data
  expect([(await status('h5')).pay, (await status('weapp')).pay, (await status('ios')).pay]).toEqual([
    'NORMAL',
    'NORMAL',
    'OFF',
  ])
  expect(await status('ios')).toMatchObject({ manual: false })
})

test('prices and free valuations on screens are the operator’s settings; if nothing is for sale there is no price', async () => {
  const status = async (platform: string) =>
    (await server.call('app', 'openPayStatus', { platform, version: '2.0.4' })).body.data
  const { aiFreePerDay, manualFen } = server.settings
  expect(await status('h5')).toMatchObject({ freePerDay: aiFreePerDay, manualFromFen: manualFen.STD })
  expect(await status('ios')).not.toHaveProperty('manualFromFen')
  expect((await status('h5')).images).toEqual({ share: '/share.png', ios: '/share.png' })
})

test('the quote says what the model offers: a report with lines and comparables, or that there is no price', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) => (await server.call('pay', 'createPre', { orderId }, { token })).body.data
  const offer = async (orderId: string) => (await quoted(orderId)).offer
  const { level: _, ...account } = manualRequest(config)
  const ai = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body.data
  const { counts } = (await server.call('evaluation', 'reportGet', { orderId: ai.orderId }, { token })).body.data
  expect(counts?.comparables).toBeGreaterThan(0)
  expect(await offer((await submitted(token)).orderId)).toEqual({
    ...{ ai: true, lines: counts?.breakdown, comparables: counts?.comparables },
  })
  // asked again with another coupon it is not valued again
  const { deps } = server.lifecycle
  const models = deps?.models
  const active = await models?.active(config)
  if (!deps || !models || !active) throw new Error('no model')
  let valued = 0
  const counted = {
    ...active,
    get model() {
      valued += 1
      return active.model
    },
  }
  deps.models = { ...models, active: async () => counted }
  const { orderId } = await submitted(token, 1)
  for (let i = 0; i < 3; i += 1) expect(await offer(orderId)).toMatchObject({ ai: true })
  deps.models = models
  expect(valued).toBe(1)
  await insertGames(server.database.db)
  const unsold = await configOf(server, 'val')
  const { body } = await server.call('evaluation', 'submitManual', manualRequest(unsold), { token })
  const unpriced = await quoted(body.data.orderId)
  expect(unpriced.offer).toEqual({ ai: false, lines: 0, comparables: 0 })
  expect(unpriced).not.toHaveProperty('advice')
})
