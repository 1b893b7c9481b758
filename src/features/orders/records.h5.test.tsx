import type { Order } from '@/contract/types'
import { drafts } from '@/session/drafts'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { fakeIntervals } from '../../../test/fakes/intervals'
import { navigations } from '../../../test/fakes/navigation'
import { manual, NORMAL, order, pageOf, records, setUpRecords } from '../../../test/fakes/records'
import { find, shown, tap, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { flush } from '../../../test/fakes/taro'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpRecords()

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
