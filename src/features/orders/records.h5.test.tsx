import type { Order, Res } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleOrder } from '@/samples/order'
import { drafts } from '@/session/drafts'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { fakeIntervals } from '../../../test/fakes/intervals'
import { navigations } from '../../../test/fakes/navigation'
import { box, find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'
import { flush, openPage } from '../../../test/fakes/taro'
import { RecordsScreen } from './RecordsScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

const copied: string[] = []
jest.mock('@/platform/clipboard', () => ({ clipboard: { copy: async (text: string) => copied.push(text) } }))

const order = (n: number, over: Partial<Order> = {}) =>
  sampleOrder({ orderId: `o${n}`, orderNo: `E2026112114490${n}`, title: `账号${n}`, ...over })

const pageOf = (list: Order[], total: number, pageNo = 1) => ({ list, total, pageNo, pageSize: 10 })
const records = (tab = '', orderId = '') =>
  openPage(page('mineEvaluationRecords', RecordsScreen), '/pagesA/pages/mine/evaluation/records', {
    ...(tab && { tab }),
    ...(orderId && { orderId }),
  })

beforeEach(() => {
  navigations.length = 0
  copied.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('an order that an appraiser has to do says when it will be done, also for a second time', async () => {
  const dueAt = Date.now() + 40 * 86_400_000
  const list = (['PAID', 'ASSIGNED', 'REVALUING', 'REPORTED'] as const).map((status, i) =>
    order(i, { mode: 'MANUAL', status, statusText: status, dueAt }),
  )
  fakeServer({ evaluation: { orderList: () => pageOf(list, list.length) } })
  await records()
  await untilShown('账号3')
  const due = [...document.querySelectorAll('.order-card')].map((card) => card.textContent?.includes('前出报告'))
  expect(due).toEqual([true, true, true, false])
})

it.each([
  ['NORMAL', '已超时，抱歉。超时补偿券已发放；2030年1月2日 14:00 前未完成，自动全额退款'],
  ['OFF', '已超时，抱歉。2030年1月2日 14:00 前未完成，订单自动取消'],
] as const)('a late order says on its card what follows, payments %s', async (pay, expected) => {
  const late = { refundAt: Date.UTC(2030, 0, 2, 6), coupon: true }
  const order = manual({ status: 'PAID', payStatus: 'PAID', dueAt: Date.now() - 60_000, late, actions: ['URGE'] })
  fakeServer({
    evaluation: { orderList: () => pageOf([order], 1) },
    app: { openPayStatus: () => ({ ...NORMAL, pay }) },
  })
  await records()
  await untilShown(expected)
  expect(shown()).not.toContain('前出报告')
})

it('an order without result is repeated with the same answers', async () => {
  const over = order(1, { mode: 'MANUAL', status: 'CANCELED', statusText: '已取消', actions: ['REVALUE', 'DELETE'] })
  const answers = { skinCount: 260 }
  fakeServer({
    evaluation: { orderList: () => pageOf([over], 1) },
    pay: { getInfo: () => ({ ...over, inputs: { schemaVersion: 7, answers } }) },
  })
  await records()
  await untilShown('账号1')
  await tap('重新估价')
  await until(() => navigations.length > 0, 'the form')
  expect(navigations).toEqual(['push /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'])
  expect(drafts.load('u1', 'hok', 'MANUAL')?.answers).toEqual(answers)
})

it('lists the valuations with state and price, and opens the report', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([order(1)], 1) } })
  await records()
  await untilShown('账号1')
  for (const text of ['待解锁', '1,975', '没有更多了']) expect(shown()).toContain(text)
  await tap('查看报告')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
})

it('says who valued', async () => {
  fakeServer({ evaluation: { orderList: () => pageOf([order(1), order(2, { mode: 'MANUAL' })], 2) } })
  await records()
  await untilShown('账号2')
  expect([...document.querySelectorAll('.order-card__mode')].map((el) => el.textContent)).toEqual(['AI', '人工'])
})

it('loads further pages, and a failed page can be retried', async () => {
  let broken = true
  fakeServer({
    evaluation: {
      orderList: ({ pageNo = 1 }) => {
        if (pageNo === 1) return pageOf([order(1)], 2)
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return pageOf([order(2)], 2, 2)
      },
    },
  })
  await records()
  await untilShown('加载更多')
  await tap('加载更多')
  await untilShown('加载失败，点击重试')
  broken = false
  while (find('加载失败，点击重试')) await tap('加载失败，点击重试')
  await untilShown('账号2')
  expect(shown()).toContain('没有更多了')
})

describe('while an order is running', () => {
  const POLL_MS = 5000
  beforeEach(fakeIntervals)
  afterEach(() => void jest.useRealTimers())
  const all = () => [
    ...Array.from({ length: 11 }, (_, i) =>
      order(i, { title: `账号${i}号`, status: 'PROCESSING', actions: i === 0 ? ['DELETE'] : [] }),
    ),
    order(11, { title: '账号11号' }),
  ]
  /** Orders in pages of ten; the answers to requests for page `held` wait for `release`. */
  function slowServer(held: number) {
    let orders = all()
    const waiting: (() => void)[] = []
    const hold = { on: false }
    const server = fakeServer({
      evaluation: {
        orderList: async ({ pageNo = 1 }) => {
          const list = orders.slice((pageNo - 1) * 10, pageNo * 10)
          const answer = pageOf(list, orders.length, pageNo)
          if (hold.on && pageNo === held) await new Promise<void>((resolve) => waiting.push(resolve))
          return answer
        },
      },
      pay: {
        closeOrder: ({ orderId }) => {
          orders = orders.filter((order) => order.orderId !== orderId)
          return order(0)
        },
      },
    })
    const release = () => {
      hold.on = false
      for (const answer of waiting.splice(0)) answer()
    }
    const requests = (pageNo: number) =>
      server.seen.filter(({ call, req }) => {
        return call === 'evaluation.orderList' && ((req as { pageNo?: number }).pageNo ?? 1) === pageNo
      }).length
    return { hold, release, requests, waiting }
  }

  it('a refresh neither drops nor repeats a next page that is loading', async () => {
    const { hold, release, requests } = slowServer(2)
    hold.on = true
    await records()
    await untilShown('账号9号')
    await tap('加载更多')
    await until(() => requests(2) === 1, 'page 2')
    for (let n = 0; n < 3; n++) {
      jest.advanceTimersByTime(POLL_MS)
      await flush()
    }
    release()
    await untilShown('账号11号')
    expect([shown().match(/账号10号/g)?.length, requests(2)]).toEqual([1, 1])
    expect(shown()).toContain('没有更多了')
    jest.advanceTimersByTime(POLL_MS)
    await until(() => requests(1) === 2 && requests(2) === 2, 'the next refresh')
  })

  it('a slow refresh does not bring a deleted order back, and those meanwhile are left out', async () => {
    const { hold, release, requests, waiting } = slowServer(2)
    await records()
    await untilShown('账号9号')
    await tap('加载更多')
    await untilShown('账号11号')
    hold.on = true
    for (let n = 0; n < 3; n++) {
      jest.advanceTimersByTime(POLL_MS)
      await flush()
    }
    expect([requests(1), requests(2)]).toEqual([2, 2])
    hold.on = false
    const slow = waiting.splice(0)
    await tap('删除')
    await untilGone('账号0号')
    for (const answer of slow) answer()
    release()
    for (let n = 0; n < 10; n++) await flush()
    // the order that was first on page 2 has moved to page 1
    expect([shown().match(/账号1[01]号/g), requests(2)]).toEqual([['账号10号', '账号11号'], 3])
    expect(shown()).toContain('没有更多了')
  })
})

it('asks for the tab, says when there is nothing, and a running one leads to the page that waits', async () => {
  const running = order(3, { status: 'PROCESSING', statusText: '估价中', actions: [], predictFen: undefined })
  const server = fakeServer({
    evaluation: { orderList: ({ tab }) => (tab === 'ING' ? pageOf([running], 1) : pageOf([], 0)) },
  })
  await records('ING')
  await untilShown('账号3')
  expect(server.seen[0]?.req).toMatchObject({ tab: 'ING' })
  await tap('账号3')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/fillInInfo/success?orderId=o3'])
  await tap('全部')
  await untilShown('还没有估价记录')
})

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

const NORMAL = { pay: 'NORMAL', help: true, ad: false, manual: true } as const
const manual = (over: Partial<Order> = {}): Order =>
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

it('compares two to four of one game', async () => {
  const can: Order['actions'] = ['VIEW', 'COMPARE']
  const list = [
    order(1, { actions: can }),
    order(2, { actions: can }),
    order(3, { actions: can, gameId: 'ys', gameName: '原神' }),
    order(4, { actions: ['VIEW'] }),
  ]
  fakeServer({ evaluation: { orderList: () => pageOf(list, 4) }, app: { openPayStatus: () => NORMAL } })
  await records()
  await untilShown('账号1')
  await tap('选择对比')
  await tap('账号1')
  await untilShown('只能对比同一游戏')
  await tap('账号3')
  await tap('账号4')
  await tap('开始对比（1）')
  expect(navigations).toEqual([])
  await tap('账号2')
  await tap('开始对比（2）')
  await until(() => navigations.length > 0, 'the comparison')
  expect(navigations).toEqual(['push /pagesA/pages/evaluation/contrastAnalysis/index?orderIds=o1%2Co2'])
})

it('the owner’s name of an account is above its title; past dates are never announced', async () => {
  const today = Date.now() + 86_400_000
  fakeServer({
    evaluation: { orderList: () => pageOf([order(1, { accountName: '大号', createdAt: today }), order(2)], 2) },
  })
  await records()
  await untilShown('大号')
  expect([...document.querySelectorAll('.order-card__title')].map((el) => el.textContent)).toEqual([
    '大号账号1',
    '账号2',
  ])
  expect(shown()).toContain('今天 ')
  expect(shown()).not.toContain('明天')
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
