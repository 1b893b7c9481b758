import { manualRequest } from './orders'
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
