import { launch } from '@/platform/launch'
import { fakeStorage } from '@/platform/storage/fake'
import { dispatch, startSession } from '@/session/store'
import { navigations } from '../../test/fakes/navigation'
import { find, tap } from '../../test/fakes/screen'
import { openPage } from '../../test/fakes/taro'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const news = '/pagesA/pages/home/news/index'

/** The app as it starts again on the page 资讯详情, reached from `from` before. */
async function start(from: string, { reloaded = true } = {}) {
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  dispatch({ type: 'navigated', from })
  jest.spyOn(launch, 'reloaded').mockReturnValue(reloaded)
  navigations.length = 0
  const nav = require('./nav') as typeof import('./nav')
  nav.rememberReload()
  const { page } = require('./page') as typeof import('./page')
  await openPage(
    page('newsDetail', () => null),
    '/pagesA/pages/home/news/detail',
    { id: '7' },
  )
  return nav.nav
}

afterEach(() => jest.restoreAllMocks())

it('a refreshed page leads back to where it was reached from, once', async () => {
  const nav = await start(`${news}?type=GUIDE`)
  await tap('返回')
  expect(navigations).toEqual([`replace ${news}?type=GUIDE`])
  await nav.back('couponCenter')
  expect(navigations[1]).toBe(`replace ${news}?type=GUIDE`)
})

it.each([
  ['opened by a link', news, { reloaded: false }],
  ['reached from the cashier', '/pages/evaluation/payment/index?orderId=o1', {}],
  ['reached from a login', '/pagesA/pages/login/h5/index', {}],
  ['reached from what is no page of ours', 'https://evil.example/', {}],
])('%s: back leads home', async (_, from, how) => {
  await start(from, how)
  expect(find('返回')).toBeUndefined()
  await tap('回首页')
  expect(navigations).toEqual(['tab /pages/home/index'])
})

it('knows a page that was loaded again from one that was opened', () => {
  const kind = (type: string) => Object.assign(performance, { getEntriesByType: () => [{ type }] })
  for (const type of ['reload', 'back_forward']) {
    kind(type)
    expect(launch.reloaded()).toBe(true)
  }
  kind('navigate')
  expect(launch.reloaded()).toBe(false)
})
