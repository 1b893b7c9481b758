import { APP_VERSION } from '@/contract/constants'
import type { Banner } from '@/contract/types'
import { HomeScreen } from '@/features/home/HomeScreen'
import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { firstHome } from '../../server/first/home'
import { fakeServer } from '../fakes/api'
import { game } from '../fakes/games'
import { until } from '../fakes/screen'
import { seen } from '../fakes/seen'
import { openPage } from '../fakes/taro'

jest.mock('@tarojs/taro', () => require('../fakes/navigation').fakeTaro())

const games = [game('hok', '王者荣耀'), game('hsr', '崩坏：星穹铁道', 'MAINTAIN'), game('x', '<b>&')]
const banners: Banner[] = [
  { id: '1', title: '今晚维护 <i>', image: '', link: '', linkType: 'NONE' },
  { id: '2', title: '防骗', image: 'data:,', link: '/pagesA/pages/home/news/index', linkType: 'PAGE' },
  { id: '3', title: '活动', image: 'data:,', link: 'https://a.example/?a=1&b=2', linkType: 'WEB' },
]
const coupons: Banner = {
  id: '4',
  title: '领优惠券',
  image: 'data:,',
  link: '/pagesA/pages/home/couponCenter/index',
  linkType: 'PAGE',
}
const off = { pay: 'OFF', help: false, ad: false, manual: false } as const
const on = { ...off, pay: 'NORMAL', manual: true, freePerDay: 5, manualFromFen: 2590 } as const

it.each([
  ['off', off, [coupons, ...banners], [], /¥|券/],
  ['on', on, [coupons, ...banners], ['¥25.90 起', '领优惠券'], /¥19/],
] as const)(
  'paying %s: draws what the app will draw, same classes, same words, in the same order',
  async (_, status, banners, has, never) => {
    localStorage.clear()
    startSession(storage)
    dispatch({ type: 'firstLaunchDone' })
    const { seen: asked } = fakeServer({
      evaluation: { hotGame: () => games },
      app: { banner: () => [...banners], openPayStatus: () => status },
    })
    await openPage(page('home', HomeScreen, { title: '游戏账号估价专家' }), '/pages/home/index')
    await until(() => document.querySelector('.home-banners') !== null, 'the banners')
    const app = document.querySelector('.ui-page')
    const server = document.createElement('div')
    server.innerHTML = firstHome({ games, banners, status }).text
    // shown by a script where a form was begun: nobody has begun one here
    server.querySelector('#first-go')?.remove()
    const mine = seen(server)
    // what comes after the first screen is the app's alone
    const theirs = seen(app as Element)
    const end = theirs.lastIndexOf('活动') + 1
    const tabs = theirs.slice(theirs.indexOf('.ui-tabs'))
    expect(mine).toEqual([...theirs.slice(0, end), ...tabs])
    for (const words of has) expect(server.textContent).toContain(words)
    expect(server.textContent).not.toMatch(never)
    // the server's answers stand under the very words the app asks with
    expect(asked.find(({ call }) => call === 'app.openPayStatus')?.req).toEqual({
      platform: 'h5',
      version: APP_VERSION,
    })
  },
)

it('leaves out what could not be had in time, and leads nowhere strange', () => {
  const text = firstHome({}).text
  expect(text).toContain('您的游戏账号')
  expect(text).not.toContain('热门游戏')
  const all = firstHome({ games, banners, status: off }).text
  expect(all).not.toMatch(/<b>|<i>/)
  for (const [, href = ''] of all.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^\//)
})
