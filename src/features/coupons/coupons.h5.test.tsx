import type { CentreCoupon, UserCoupon } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleCentreCoupon, sampleCoupon } from '@/samples/coupon'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { CouponCenterScreen } from './CouponCenterScreen'
import { CouponRecordsScreen } from './CouponRecordsScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const DAY = 86_400_000
const offered = (over: Partial<CentreCoupon> = {}) => sampleCentreCoupon({ scope: 'ALL', ...over })
const open = () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) as const
const pageOf = (list: UserCoupon[]) => ({ list, total: list.length, pageNo: 1, pageSize: 10 })
const logIn = () => dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
const records = () => openPage(page('mineCouponRecords', CouponRecordsScreen), '/pagesA/pages/mine/coupon/records', {})
const centre = () => openPage(page('couponCenter', CouponCenterScreen), '/pagesA/pages/home/couponCenter/index')

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
})

it('lists coupons by status, marks those that end soon, unfolds the rule and links to their use', async () => {
  logIn()
  const server = fakeServer({
    app: { openPayStatus: open },
    coupon: {
      getByStatus: ({ status }) =>
        pageOf(
          status === 'UNUSED'
            ? [sampleCoupon({ endAt: Date.now() + 2.5 * DAY }), sampleCoupon({ couponId: 'c2' })]
            : [],
        ),
    },
  })
  await records()
  await untilShown('满19.90元可用')
  expect(shown().match(/还剩 3 天/g)).toHaveLength(1)
  expect(shown()).not.toMatch(/\d-\d/)
  expect(shown()).not.toContain('不可叠加')
  await tap('新人立减：展开使用规则')
  expect(shown()).toContain('不可叠加')
  await tap('去使用')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/chooseGame?mode=MANUAL'])
  const waysToCentre = () => shown().split('领券中心').length - 1
  expect(waysToCentre()).toBe(1)
  await tap('已过期')
  await untilShown('没有过期的优惠券')
  expect(waysToCentre()).toBe(1)
  expect(server.seen.filter(({ call }) => call === 'coupon.getByStatus').map(({ req }) => req)).toEqual([
    { status: 'UNUSED', pageNo: 1 },
    { status: 'EXPIRED', pageNo: 1 },
  ])
})

it('a coupon that came without its worth shows a dash, never NaN', async () => {
  logIn()
  const broken = [
    sampleCoupon({ amountFen: undefined }),
    sampleCoupon({ couponId: 'c2', type: 'PERCENT', percent: undefined }),
  ]
  fakeServer({ app: { openPayStatus: open }, coupon: { getByStatus: () => pageOf(broken) } })
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  await records()
  await untilShown('新人立减')
  expect(shown()).not.toMatch(/NaN|undefined|null/)
})

it('the centre is open to everybody, and taking one asks for a login first', async () => {
  const server = fakeServer({
    app: { openPayStatus: open },
    coupon: { canReceive: () => [offered({ total: 10_000 })] },
  })
  await centre()
  await untilShown('领取后 7 天内有效')
  expect(shown()).toContain('剩余 40/10,000')
  await tap('立即领取 新人立减')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations[0]).toMatch(/^push \/pagesA\/pages\/login/)
  expect(server.seen.some(({ call }) => call === 'coupon.receive')).toBe(false)
})

it('a taken coupon is confirmed and usable; one that ran out says so', async () => {
  logIn()
  let list = [offered()]
  let gone = true
  const { told } = fakeServer({
    app: { openPayStatus: open },
    coupon: {
      canReceive: () => list,
      receive: () => {
        if (gone) throw new Refused(200, 'COUPON_NOT_USABLE', '优惠券已抢光')
        list = [offered({ state: 'RECEIVED', left: 39 })]
        return sampleCoupon()
      },
    },
  })
  await centre()
  await untilShown('立即领取')
  await tap('立即领取 新人立减')
  expect(told.map(({ msg, serverMsg }) => serverMsg ?? msg)).toEqual(['优惠券已抢光'])
  gone = false
  // a repeat of the list within 300 ms is the earlier one (spec §7)
  while (!find('去使用')) if (find('立即领取 新人立减')) await tap('立即领取 新人立减')
  expect(shown()).toContain('已领取')
  await tap('去使用')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/chooseGame?mode=AI'])
})

it.each([
  ['SOLD_OUT', '已抢光', undefined],
  ['ENDED', '已结束', undefined],
  ['RECEIVED', '已使用', 'USED'],
  ['RECEIVED', '使用中', 'LOCKED'],
] as const)('%s: says %s and has no button', async (state, word, mine: 'USED' | 'LOCKED' | undefined) => {
  fakeServer({ app: { openPayStatus: open }, coupon: { canReceive: () => [offered({ state, mine })] } })
  await centre()
  await untilShown(word)
  expect(find('立即领取 新人立减')).toBeUndefined()
  expect(find('去使用')).toBeUndefined()
})

it('one that has not begun counts down', async () => {
  const later = offered({ state: 'NOT_STARTED', receiveStartAt: Date.now() + 3_600_000 })
  fakeServer({ app: { openPayStatus: open }, coupon: { canReceive: () => [later] } })
  await centre()
  await untilShown('后开始')
  expect(shown()).toMatch(/(59:5\d|01:00:00)后开始/)
})

it('a status that cannot be loaded is an error to retry, not an environment without sales', async () => {
  let up = false
  fakeServer({
    app: {
      openPayStatus() {
        if (!up) throw new Refused(500, 'INTERNAL')
        return open()
      },
    },
    coupon: { canReceive: () => [offered()] },
  })
  await centre()
  await untilShown('点击重试')
  expect(shown()).not.toContain('当前环境暂不支持')
  up = true
  await tap('点击重试')
  await untilShown('新人立减')
})

it('the native app without prices shows no coupons but the free way', async () => {
  dispatch({ type: 'launched', platform: 'ios' })
  fakeServer({ app: { openPayStatus: () => ({ ...open(), pay: 'OFF' }) }, coupon: { canReceive: () => [offered()] } })
  await centre()
  await untilShown('当前环境暂不支持')
  expect(shown()).not.toMatch(/[¥付购买]/)
})
