import { DEDUPE_WINDOW } from '@/contract/constants'
import { signedYuan } from '@/contract/format'
import type { OpenPayStatus, Report } from '@/contract/types'
import { page } from '@/router/page'
import { lockedReport, unlockedReport } from '@/samples/report'
import { fakeServer } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { open, setUpReport } from '../../../test/fakes/report'
import { find, shown, tap, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { act, openPage } from '../../../test/fakes/taro'
import { ReportScreen } from './ReportScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpReport()

it('a report unlocked on the page above is shown unlocked on return', async () => {
  let report: Report = lockedReport
  const { opened } = await open(() => report, true)
  await untilShown('解锁完整报告')
  report = unlockedReport
  await opened.hide()
  await opened.show()
  await untilGone('解锁完整报告')
})

it('a locked report says what it holds back and never shows it', async () => {
  await open(() => lockedReport, true)
  await untilShown('解锁完整报告')
  expect(shown()).toContain('还有 9 项')
  expect(shown()).toContain('明细 11 项 · 可比账号 3 个 · 提升建议 2 条 · 估价变化 2 次 · 风险')
  // the trend and one whole comparable prove the price
  expect(shown()).toContain('同类一年走势')
  expect(document.querySelectorAll('.rp-comp')).toHaveLength(1)
  expect(find('排除成交 ¥2,180')).toBeUndefined()
  expect(shown()).not.toContain('相加即估价')
  expect(shown()).not.toContain('怎样更值钱')
  await tap('解锁完整报告')
  await untilShown('选择一种解锁方式')
  expect(shown()).not.toContain('看广告解锁')
  await tap('邀请好友助力解锁')
  await until(() => navigations.length > 0, 'the invitation')
  expect(navigations).toEqual(['push /pages/evaluation/report/unlock/invite?orderId=o1'])
})

it('a free coupon is announced, and unlocks with one tap: no cashier, no page between', async () => {
  let paid: unknown
  const server = fakeServer({
    evaluation: { reportGet: () => (paid ? unlockedReport : lockedReport) },
    coupon: { getCanUse: () => ({ usable: [{ type: 'FREE' } as never], unusable: [] }) },
    pay: {
      createAiPre: () => ({
        ...{ originFen: 390, discountFen: 390, payFen: 0, coupons: [], couponId: 'c1' },
        ...{ payExpireAt: Date.now() + 60_000, agreeUrl: '' },
      }),
      payment: (req) => {
        paid = req
        return {}
      },
    },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: true, ad: false, manual: true }) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('您有一张体验券，可免费解锁')
  await tap('解锁完整报告')
  await untilShown('用券免费解锁')
  expect(shown()).toContain('用券解锁即同意：解锁后优惠券不退回')
  // the report asked for again within that time would be the earlier answer (spec §7)
  const seenAt = Date.now()
  await until(() => Date.now() - seenAt > DEDUPE_WINDOW, 'the end of what counts as a repeat')
  await tap('用券免费解锁')
  await untilShown('相加即估价')
  expect(paid).toMatchObject({ orderId: 'o1', couponId: 'c1', consent: true })
  expect(navigations).toEqual([])
  expect(server.told).toEqual([])
})

it('promises no unlock while no way to it is open', async () => {
  await open(() => lockedReport)
  await untilShown('出售文案')
  expect(shown()).not.toContain('解锁')
})

it('says nothing about the unlock, and keeps the button, until it is known whether it is open', async () => {
  let answer: (status: OpenPayStatus) => void = () => undefined
  fakeServer({
    evaluation: { reportGet: () => lockedReport },
    app: { openPayStatus: () => new Promise<OpenPayStatus>((resolve) => (answer = resolve)) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('请稍候')
  for (const words of ['出售文案', '解锁完整报告']) expect(shown()).not.toContain(words)
  await act(() => answer({ pay: 'OFF', help: true, ad: false, manual: false }))
  await untilShown('解锁完整报告')
})

it('an unlocked report shows every line, and they add up to the price', async () => {
  await open(() => unlockedReport, true)
  await untilShown('相加即估价')
  const sum = unlockedReport.breakdown.reduce((total, line) => total + line.amountFen, 0)
  expect(sum).toBe(unlockedReport.price.predictFen)
  // the five longest, then the rest behind one tap
  expect([...document.querySelectorAll('.rp-line .rp-line__label')].map((el) => el.textContent)).toEqual([
    '荣耀典藏 ×3',
    '限定传说 ×9',
    '无双 ×2',
    '不可二次实名',
    '传说 ×24',
  ])
  expect(find('凤凰于飞')).toBeUndefined()
  await tap('其余 6 项 +¥375.54')
  for (const { label, amountFen } of unlockedReport.breakdown) {
    expect(find(label)).toBeDefined()
    expect(find(signedYuan(amountFen))).toBeDefined()
  }
  for (const text of ['超过 93%的王者荣耀账号', '约 3 天', '约 7 天', '多2限定传说', '解除防沉迷 +¥120', '风险中'])
    expect(shown()).toContain(text)
  expect(shown()).not.toContain('解锁')
  expect(find('凤凰于飞')).toBeDefined()
})
