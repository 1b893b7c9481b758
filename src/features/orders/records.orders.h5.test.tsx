import type { Order } from '@/contract/types'
import { dispatch } from '@/session/store'
import { fakeServer } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { manual, NORMAL, order, pageOf, records, setUpRecords } from '../../../test/fakes/records'
import { box, find, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpRecords()

it('an unpaid order shows the sum and its time limit and links to the checkout', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([manual()], 1) }, app: { openPayStatus: () => NORMAL } })
  await records()
  await untilShown('待付 ¥14.90')
  expect(shown()).toMatch(/剩余 14:[0-3]\d/)
  await tap('去支付')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/human/checkout?orderId=o1'])
})

it('an unlock that waits for its payment is 待支付 and links to the cashier', async () => {
  const actions: Order['actions'] = ['PAY', 'VIEW', 'UNLOCK', 'EVALUATE', 'COMPARE']
  const begun = order(1, { actions, originFen: 390, payFen: 390, payExpireAt: Date.now() + 872_000 })
  fakeServer({ evaluation: { orderList: () => pageOf([begun], 1) }, app: { openPayStatus: () => NORMAL } })
  await records()
  await untilShown('待付 ¥3.90')
  expect(shown()).toContain('待支付')
  await tap('去支付')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/payment/index?orderId=o1'])
})

it('draws the most important button the server names, and the others and no more behind 更多', async () => {
  const actions: Order['actions'] = ['REFUND', 'SELL', 'COMPARE', 'EVALUATE', 'VIEW', 'DELETE']
  fakeServer({
    evaluation: { orderList: () => pageOf([order(1, { actions })], 1) },
    app: { openPayStatus: () => NORMAL },
  })
  await records()
  await untilShown('账号1')
  expect(find('查看报告')).toBeDefined()
  for (const text of ['去评价', '申请退款', '去出售', '删除']) expect(find(text)).toBeUndefined()
  await tap('更多')
  for (const text of ['申请退款', '去出售', '删除']) expect(find(text)).toBeDefined()
  for (const text of ['去支付', '取消订单']) expect(find(text)).toBeUndefined()
  await tap('去评价')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pagesA/pages/mine/evaluation/evaluate/index?orderId=o1'])
})

it('the native app that may not sell shows no amounts due and no payment wording', async () => {
  dispatch({ type: 'launched', platform: 'ios' })
  const server = fakeServer({
    evaluation: { orderList: () => pageOf([manual({ actions: ['PAY', 'CANCEL'] })], 1) },
    app: { openPayStatus: () => ({ ...NORMAL, pay: 'OFF' }) },
  })
  await records()
  await untilShown('取消订单')
  expect(server.seen.find(({ call }) => call === 'app.openPayStatus')?.req).toMatchObject({ platform: 'ios' })
  expect(shown()).toContain('待处理')
  expect(shown()).not.toMatch(/[付购买退¥]/)
  await tap('账号1')
  expect(navigations).toEqual([])
})

it('a refund is named only once it is known whether payments may be mentioned', async () => {
  let answer: (known: typeof NORMAL) => void = () => undefined
  const known = new Promise<typeof NORMAL>((resolve) => {
    answer = resolve
  })
  const order = manual({ status: 'REFUNDED', statusText: '已退款', payStatus: 'REFUNDED', payFen: 1990, actions: [] })
  const server = fakeServer({
    evaluation: { orderList: () => pageOf([order], 1) },
    app: { openPayStatus: () => known },
  })
  await records()
  await until(() => server.seen.some(({ call }) => call === 'evaluation.orderList'), 'the list')
  expect(shown()).not.toContain('已取消')
  answer(NORMAL)
  await untilShown('已退款')
})

it('supplies what the appraiser asked for', async () => {
  const waiting = manual({
    status: 'WAIT_INFO',
    statusText: '待补充资料',
    payStatus: 'PAID',
    notice: '请补充皮肤列表截图里的限定数量',
    actions: ['SUPPLY'],
  })
  const server = fakeServer({
    evaluation: {
      orderList: () => pageOf([waiting], 1),
      gameConfig: () => ({ schemaVersion: 7 }) as never,
      submitManual: () => ({ orderId: 'o1', originFen: 1990 }),
    },
    app: { openPayStatus: () => NORMAL },
  })
  await records()
  await untilShown('请补充皮肤列表截图里的限定数量')
  await tap('补充资料')
  await type('补充内容', '限定 12 个')
  // closed, and opened again after a login that expired meanwhile
  await records()
  await untilShown('补充资料')
  await tap('补充资料')
  await untilBox('补充内容')
  expect(box('补充内容').value).toBe('限定 12 个')
  await tap('提交补充')
  await until(() => server.seen.some(({ call }) => call === 'evaluation.submitManual'), 'the answer to be sent')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitManual')?.req).toEqual({
    gameId: 'hok',
    schemaVersion: 7,
    answers: {},
    level: 'STD',
    remark: '限定 12 个',
    images: [],
    orderId: 'o1',
  })
})

it('what an order waits for is asked for where its message leads, and the list then shows it', async () => {
  const facts = { payStatus: 'PAID', payFen: 1990 } as const
  let now = manual({
    ...facts,
    status: 'WAIT_INFO',
    statusText: '待补充资料',
    notice: '请补充贵族等级截图',
    supplyUntil: Date.UTC(2030, 0, 2, 6),
    actions: ['SUPPLY', 'CANCEL'],
  })
  fakeServer({
    evaluation: {
      orderList: () => pageOf([now], 1),
      gameConfig: () => ({ schemaVersion: 7 }) as never,
      submitManual: () => {
        now = manual({ ...facts, status: 'ASSIGNED', statusText: '估价中', actions: ['URGE'] })
        return { orderId: 'o1', originFen: 1990 }
      },
    },
    pay: { getInfo: () => now },
    app: { openPayStatus: () => NORMAL },
  })
  await records('', 'o1')
  await untilShown('提交补充')
  expect(document.querySelector('.order-sheet__title')?.textContent).toBe('请补充贵族等级截图')
  expect(document.querySelector('.order-sheet__note')?.textContent).toBe('请在 2030年1月2日 14:00 前补充，逾期全额退款')
  // what is asked for says so itself: neither of the two ways to answer is required
  expect(shown()).toContain('补充内容（文字、截图至少一项）')
  expect(document.querySelector('.order-sheet__text .ui-field__must')).toBeNull()
  await type('补充内容', '贵族 8')
  await tap('提交补充')
  await untilShown('估价中')
  expect(find('提交补充')).toBeUndefined()
})

it.each([
  [1990, 'NORMAL', '逾期全额退款'],
  [0, 'NORMAL', '逾期订单自动取消'],
  [1990, 'OFF', '逾期订单自动取消'],
] as const)('an order of %s fen that waits for information, payments %s: %s', async (payFen, pay, expected) => {
  const supplyUntil = Date.UTC(2030, 0, 2, 6)
  const order = manual({ status: 'WAIT_INFO', statusText: '待补充资料', payStatus: 'PAID', payFen, supplyUntil })
  fakeServer({
    evaluation: { orderList: () => pageOf([order], 1) },
    app: { openPayStatus: () => ({ ...NORMAL, pay }) },
  })
  await records()
  await untilShown(`请在 2030年1月2日 14:00 前补充，${expected}`)
})

const RESULT = 'push /pages/evaluation/human/paySuccess?orderId=o1'

it.each([
  ['its card', '', async () => void (await tap('账号1'))],
  ['its message', 'o1', async () => undefined],
])('an order that is being refunded says so, and leads from %s to its state', async (_from, orderId, go) => {
  const refunding = manual({ status: 'REFUNDING', statusText: '退款中', payStatus: 'REFUNDING', actions: [] })
  fakeServer({
    evaluation: { orderList: () => pageOf([refunding], 1) },
    pay: { getInfo: () => refunding },
    app: { openPayStatus: () => NORMAL },
  })
  await records('REFUND', orderId)
  await untilShown('退款 ¥14.90 处理中')
  await go()
  await until(() => navigations.length > 0, 'the state')
  expect(navigations).toEqual([RESULT])
})

it('a revaluation is requested with a reason', async () => {
  const delivered = manual({
    status: 'REPORTED',
    statusText: '已出报告',
    payStatus: 'PAID',
    actions: ['REVALUE', 'ASK'],
  })
  const server = fakeServer({
    evaluation: {
      orderList: () => pageOf([delivered], 1),
      gameConfig: () => ({ schemaVersion: 7 }) as never,
      submitManual: () => ({ orderId: 'o1', originFen: 1990 }),
    },
    app: { openPayStatus: () => NORMAL },
  })
  await records()
  await untilShown('申请复估')
  await tap('申请复估')
  await untilShown('哪里不对')
  await tap('提交复估')
  await untilShown('请写明复估的原因')
  await type('哪里不对', '少算了两款限定')
  await tap('提交复估')
  const sent = () => server.seen.find(({ call }) => call === 'evaluation.submitManual')?.req
  await until(() => sent() !== undefined, 'the request')
  expect(sent()).toMatchObject({ orderId: 'o1', remark: '少算了两款限定' })
})

it('the appraiser is asked in the chat of the order', async () => {
  const delivered = manual({ status: 'REPORTED', statusText: '已出报告', payStatus: 'PAID', actions: ['ASK'] })
  fakeServer({
    evaluation: { orderList: () => pageOf([delivered], 1) },
    app: { openPayStatus: () => NORMAL },
  })
  await records()
  await untilShown('问估价师')
  await tap('问估价师')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/chat/index?orderId=o1&ask=1'])
})
