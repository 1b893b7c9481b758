import type { Order, Res } from '@/contract/types'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { copied, manual, NORMAL, order, pageOf, records, setUpRecords } from '../../../test/fakes/records'
import { box, find, shown, tap, type, until, untilShown } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpRecords()

it('a long press on a valuation copies its number and opens nothing', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([order(1)], 1) } })
  await records()
  await untilShown('账号1')
  const card = find('账号1')
  const whole = card?.closest('.order-card')
  expect([whole?.getAttribute('role'), whole?.getAttribute('tabindex')]).toEqual(['button', '0'])
  const touch = (type: string) => {
    const touches = type === 'touchend' ? [] : [{ clientX: 9, clientY: 9 }]
    card?.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { touches }))
  }
  touch('touchstart')
  await until(() => copied.length > 0, 'the number')
  touch('touchend')
  await tap('账号1')
  expect([copied, navigations]).toEqual([['E20261121144901'], []])
  await tap('账号1')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
})

/** Opens the cancel sheet of `current()`, the only order. */
async function openCancelSheet(current: () => Order, applyCancel?: () => Res<'evaluation', 'applyCancel'>) {
  const evaluation = { orderList: () => pageOf([current()], 1), ...(applyCancel && { applyCancel }) }
  const server = fakeServer({ evaluation, app: { openPayStatus: () => NORMAL } })
  await records()
  await untilShown('取消订单')
  await tap('取消订单')
  return server
}

it('an order that a coupon covered names no money while and after it is cancelled', async () => {
  let current = manual({ status: 'PAID', statusText: '待接单', payStatus: 'PAID', payFen: 0, actions: ['CANCEL'] })
  await openCancelSheet(
    () => current,
    () => {
      current = manual({ status: 'REFUNDED', statusText: '已退款', payStatus: 'REFUNDED', payFen: 0, actions: [] })
      return { status: 'REFUNDED', refundFen: 0 }
    },
  )
  // a price of nothing is not always a coupon's
  expect(shown()).not.toContain('优惠券')
  await tap('信息填错')
  await tap('确认取消')
  await untilShown('已取消')
  expect(shown()).not.toMatch(/¥0|原路|退款\b|已退/)
})

it.each([
  ['UNPAID', 1490, 500, '订单还没有付款。取消后所用的优惠券会退回（已过有效期的除外）。'],
  ['UNPAID', 1990, 0, '订单还没有付款。'],
  ['PAID', 0, 1990, '还没有估价师接单，可以直接取消。取消后所用的优惠券会退回（已过有效期的除外）。'],
  ['PAID', 0, 0, '还没有估价师接单，可以直接取消。'],
  // given to an appraiser who has not accepted it
  ['ASSIGNED', 1990, 0, '还没有估价师接单，取消后全额退款 ¥19.90，原路返回。'],
] as const)('cancelling %s of %s fen with %s fen off promises a coupon only if one was used', async (...row) => {
  const [status, payFen, discountFen, expected] = row
  const payStatus = status === 'UNPAID' ? 'UNPAID' : 'PAID'
  const order = manual({ status, payStatus, payFen, discountFen, actions: ['CANCEL'] })
  await openCancelSheet(() => order)
  await until(() => document.querySelector('.order-sheet__note') !== null, 'what follows')
  expect(document.querySelector('.order-sheet__note')?.textContent).toBe(expected)
})

it('cancelling asks for a reason, says what happens to the money, and keeps what was typed when it fails', async () => {
  let broken = true
  let current = manual({ status: 'PAID', statusText: '待接单', payStatus: 'PAID', actions: ['CANCEL'] })
  const server = await openCancelSheet(
    () => current,
    () => {
      if (broken) throw new Refused(502, 'INTERNAL_ERROR')
      current = manual({ status: 'REFUNDED', statusText: '已退款', payStatus: 'REFUNDED', actions: [] })
      return { status: 'REFUNDED', refundFen: 1490 }
    },
  )
  await untilShown('取消后全额退款 ¥14.90')
  await tap('确认取消')
  await untilShown('请选择一个原因')
  await tap('其他')
  await type('补充说明', '换了一个号')
  await tap('确认取消')
  await untilShown('服务器无响应')
  expect(box('补充说明').value).toBe('换了一个号')
  // what is written for 其他 is not sent with a reason that hides it
  await tap('信息填错')
  await tap('确认取消')
  const sent = () => server.seen.filter(({ call }) => call === 'evaluation.applyCancel').map(({ req }) => req)
  await until(() => sent().length === 2, 'the second request')
  expect(sent().pop()).toEqual({ orderId: 'o1', reason: '信息填错', seen: 'PAID' })
  await untilShown('服务器无响应')
  await tap('其他')
  broken = false
  await tap('确认取消')
  await untilShown('已退 ¥14.90，原路返回')
  expect(sent().pop()).toEqual({
    orderId: 'o1',
    reason: '其他',
    remark: '换了一个号',
    seen: 'PAID',
  })
})

it.each([
  ['PAID', '待接单'],
  ['ASSIGNED', '估价中'],
] as const)(
  'cancelling an order (%s) that was taken meanwhile explains the consequence before it is done',
  async (...row) => {
    const [status, statusText] = row
    let current = manual({ status, statusText, payStatus: 'PAID', actions: ['CANCEL'] })
    const server = await openCancelSheet(
      () => current,
      () => {
        if (current.assignedAt !== undefined) return { status: 'REFUNDING', refundFen: 1490 }
        const taken = { status: 'ASSIGNED', statusText: '估价中', assignedAt: Date.now() } as const
        current = manual({ ...taken, payStatus: 'PAID', actions: ['CANCEL'] })
        throw new Refused(200, 'ORDER_STATUS_CHANGED', '订单刚刚变为“估价中”，退款方式也变了，请重新确认')
      },
    )
    await untilShown('取消后全额退款 ¥14.90')
    await tap('信息填错')
    await tap('确认取消')
    await untilShown('请重新确认')
    await untilShown('申请会在 24 小时内答复')
    await tap('确认取消')
    const sent = () =>
      server.seen
        .filter(({ call }) => call === 'evaluation.applyCancel')
        .map(({ req }) => (req as { seen: string }).seen)
    await until(() => sent().length === 2 && !shown().includes('确认取消'), 'the sheet to close')
    expect(sent()).toEqual(['PAID', 'ASSIGNED'])
  },
)

it.each([
  ['REFUNDING', '取消中'],
  ['REFUNDED', '已取消'],
] as const)('%s of an order that cost nothing is a cancellation', async (status, title) => {
  const order = manual({ status, statusText: '退款', payStatus: status, payFen: 0, actions: [] })
  fakeServer({
    evaluation: { orderList: () => pageOf([order], 1) },
    app: { openPayStatus: () => NORMAL },
  })
  await records('REFUND')
  await untilShown(title)
  expect(shown().replace('全部进行中已完成退款', '')).not.toMatch(/退款|原路|¥/)
})
