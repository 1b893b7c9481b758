import { momentText } from '@/contract/timeText'
import type { OpenPayStatus } from '@/contract/types'
import { page } from '@/router/page'
import { sampleManualOrder } from '@/samples/order'
import { drafts } from '@/session/drafts'
import { fakeServer } from '../../../test/fakes/api'
import { open, serve, setUpCheckout } from '../../../test/fakes/checkout'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { PaySuccessScreen } from './PaySuccessScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpCheckout()

const success = () =>
  openPage(page('humanPaySuccess', PaySuccessScreen), '/pages/evaluation/human/paySuccess', { orderId: 'o1' })

describe('result', () => {
  it('polls until the server is certain, then shows the sum, the next step and whom to ask', async () => {
    let asked = 0
    const dueAt = Date.now() + 60_000
    serve({
      payResult: () => ({ status: ++asked > 1 ? 'PAID' : 'PENDING' }),
      getInfo: () => sampleManualOrder({ status: 'PAID', payStatus: 'PAID', payFen: 1490, dueAt, actions: ['URGE'] }),
    })
    await success()
    await untilShown('正在确认支付结果')
    expect(shown()).toContain('不会重复扣款')
    await untilShown('支付成功')
    for (const text of ['14.90', '等待接单', `${momentText(dueAt, Date.now())} 前`]) expect(shown()).toContain(text)
    await tap('联系客服')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['push /pages/chat/index?orderId=o1'])
  })

  it.each([
    [1490, true, '超时补偿券已发放；2030年1月2日 14:00 前未完成，自动全额退款'],
    [1490, false, '已超时，抱歉2030年1月2日 14:00 前未完成，自动全额退款'],
    [0, true, '超时补偿券已发放；2030年1月2日 14:00 前未完成，订单自动取消'],
  ])('a late order of %s fen says what follows instead of the time that has passed', async (payFen, coupon, text) => {
    const late = { refundAt: Date.UTC(2030, 0, 2, 6), coupon }
    const dueAt = Date.now() - 60_000
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ status: 'ASSIGNED', payStatus: 'PAID', payFen, dueAt, late, actions: ['URGE'] }),
    })
    await success()
    await untilShown(text)
    expect(shown()).not.toMatch(/支付成功|下单成功/)
    expect(shown()).not.toContain(`${momentText(dueAt, Date.now())} 前`)
  })

  const waiting = { status: 'WAIT_INFO', payStatus: 'PAID', payFen: 1490, actions: ['SUPPLY', 'CANCEL'] } as const
  it('an order that waits for information says what is missing and until when, and leads to its form', async () => {
    const supplyUntil = Date.now() + 47 * 3_600_000
    const more = { notice: '请补充贵族等级截图', supplyUntil, assignedAt: Date.now(), dueAt: Date.now() }
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ ...waiting, ...more, actions: [...waiting.actions] }),
    })
    await success()
    await untilShown('请补充贵族等级截图')
    expect(shown()).toContain(`需要补充资料请在 ${momentText(supplyUntil, Date.now())} 前补充，逾期全额退款`)
    // no time is promised while nobody can work on it
    expect(shown()).not.toMatch(/支付成功|今天 \d+:\d+ 前/)
    await tap('补充资料')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pagesA/pages/mine/evaluation/records?orderId=o1'])
  })

  it('claims neither a payment nor an order without one before it is known what may be said', async () => {
    let answer: (status: OpenPayStatus) => void = () => undefined
    const server = fakeServer({
      app: {
        openPayStatus: () =>
          new Promise<OpenPayStatus>((resolve) => {
            answer = resolve
          }),
      },
      pay: {
        payResult: () => ({ status: 'PAID' }),
        getInfo: () => sampleManualOrder({ status: 'PAID', payStatus: 'PAID', payFen: 1490, actions: ['URGE'] }),
      },
    })
    await success()
    await until(() => server.seen.some(({ call }) => call === 'pay.getInfo'), 'the order')
    await new Promise((resolve) => setTimeout(resolve))
    expect(shown()).not.toMatch(/成功/)
    answer(open)
    await untilShown('支付成功')
    expect(shown()).toContain('14.90')
  })

  it('a refunded unlock leads to the form with the same answers', async () => {
    const answers = { skinCount: 260 }
    const ai = { mode: 'AI', status: 'REFUNDED', payStatus: 'REFUNDED', payFen: 390 } as const
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ ...ai, actions: ['REVALUE', 'DELETE'], inputs: { schemaVersion: 7, answers } }),
    })
    await success()
    await untilShown('已退款')
    await tap('重新估价')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
    expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual(answers)
  })

  it('a finished order says that its report is there, and not when it will be', async () => {
    const now = Date.now()
    const over = { payFen: 1490, dueAt: now - 60_000, reportedAt: now - 120_000 }
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ status: 'DONE', payStatus: 'PAID', ...over, actions: ['VIEW'] }),
    })
    await success()
    await untilShown('报告已完成')
    expect(shown()).toContain(`报告已完成${momentText(over.reportedAt, now)}`)
    expect(shown()).not.toMatch(/\d 前|小时内|支付成功/)
  })

  it('an order that is valued once more says so, and shows its report', async () => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ status: 'REVALUING', payStatus: 'PAID', actions: ['VIEW', 'URGE'] }),
    })
    await success()
    await untilShown('正在复估')
    expect(shown()).toContain('现在仍可查看原报告')
    // the steps of the first valuation are all over
    expect(shown()).not.toContain('接下来')
    await tap('查看完整报告')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
  })

  const RECORDS = 'replace /pagesA/pages/mine/evaluation/records'
  const FORM = 'replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'
  it.each([
    {
      status: 'REFUNDING',
      payFen: 1490,
      text: '退款处理中需要审核的 24 小时内答复，逾期自动全额退款退款金额',
      way: '查看订单',
      move: RECORDS,
    },
    {
      status: 'REFUNDED',
      payFen: 1490,
      text: '已退款款项已原路退回，到账时间以支付渠道为准退款金额',
      way: '重新下单',
      move: FORM,
    },
    { status: 'REFUNDED', payFen: 0, text: '订单已取消所用的优惠券未过期的，会退回', way: '重新下单', move: FORM },
  ] as const)('$status of $payFen fen: says where the money went', async ({ status, payFen, text, way, move }) => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ status, payStatus: status, payFen, actions: status === 'REFUNDED' ? ['REVALUE'] : [] }),
    })
    await success()
    await untilShown(way)
    expect(shown()).toContain(text)
    expect(shown()).not.toMatch(/接下来|支付成功|等待接单/)
    await tap(way)
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual([move])
  })

  it('the refund of a report that was read says who decides, and promises none', async () => {
    const ai = { mode: 'AI', status: 'REFUNDING', payStatus: 'REFUNDING', payFen: 390, actions: [] } as const
    serve({ payResult: () => ({ status: 'PAID' }), getInfo: () => sampleManualOrder({ ...ai, actions: [] }) })
    await success()
    await untilShown('客服审核')
    expect(shown()).not.toContain('逾期自动')
  })

  it.each([
    ['FAILED', '没有扣款，订单仍为您保留', '重新支付', 'replace /pages/evaluation/payment/index?orderId=o1'],
    ['CLOSED', '如果已经付款，款项会自动原路退回', '重新下单', FORM],
  ] as const)('%s: says what happened to the money and what to do', async (status, text, way, move) => {
    serve({
      payResult: () => ({ status }),
      getInfo: () => sampleManualOrder({ status: 'CLOSED', actions: ['DELETE'] }),
    })
    await success()
    await untilShown(text)
    await tap(way)
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual([move])
  })

  it('who said by mistake to have paid returns to the cashier at once', async () => {
    serve({ payResult: () => ({ status: 'PENDING' }) })
    await success()
    await untilShown('正在确认支付结果')
    await tap('未完成，继续支付')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/payment/index?orderId=o1'])
  })

  it('an unlocked report is one tap away', async () => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ mode: 'AI', status: 'UNLOCKED', payStatus: 'PAID', payFen: 390, actions: ['VIEW'] }),
    })
    await success()
    await untilShown('报告已解锁')
    await tap('查看完整报告')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
  })
})
