import { fakeStorage } from '@/platform/storage/fake'
import { dispatch, startSession, store } from '@/session/store'
import { navigations, refusal, stack } from '../../test/fakes/navigation'
import { nav, pageShown } from './nav'
import { tabParamsAtom } from './tabParams'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const weapp = TEST_PLATFORM === 'weapp'
const login = weapp ? '/pagesA/pages/login/wx/index' : '/pagesA/pages/login/h5/index'
const report = '/pages/evaluation/report/index'
const records = '/pagesA/pages/mine/evaluation/records'
const news = '/pagesA/pages/home/news/index'

function setStack(...routes: string[]) {
  stack.splice(0, stack.length, ...routes)
  pageShown(routes.at(-1) ?? '/pages/home/index')
}

beforeEach(() => {
  navigations.length = 0
  setStack('/pages/home/index')
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
})

it('opens, replaces and relaunches by name with typed parameters', async () => {
  await nav.to('report', { orderId: '1 & 2' })
  await nav.redirect('news')
  await nav.relaunch('article', { key: 'PRIVACY' })
  expect(navigations).toEqual([
    `push ${report}?orderId=1%20%26%202`,
    `replace ${news}`,
    'relaunch /pagesA/pages/home/article/index?key=PRIVACY',
  ])
})

it('knows a tab by the table, however it is asked for, and hands its parameters over beside the address', async () => {
  await nav.to('evaluation', { gameId: 'hok' })
  await nav.relaunch('home')
  await nav.redirect('mine')
  expect(navigations).toEqual(['tab /pages/evaluation/index', 'tab /pages/home/index', 'tab /pages/mine/index'])
  expect(store.get(tabParamsAtom).evaluation).toEqual({ gameId: 'hok' })
})

it('cancels a protected navigation and goes to the login page with the way back', async () => {
  dispatch({ type: 'loggedOut' })
  await nav.to('report', { orderId: '7' })
  await nav.tab('mine')
  await nav.to('news')
  const redirect = (url: string) => `push ${login}?redirect=${encodeURIComponent(url)}`
  expect(navigations).toEqual([redirect(`${report}?orderId=7`), redirect('/pages/mine/index'), `push ${news}`])
})

it('never puts the same page twice in a row on the stack', async () => {
  setStack('/pages/home/index', `${report}?orderId=1`)
  await nav.to('report', { orderId: '2' })
  expect(navigations).toEqual([`replace ${report}?orderId=2`])
})

it('returns to the page below instead of replacing the current one with a copy of it', async () => {
  const payment = '/pages/evaluation/payment/index'
  setStack(`${report}?orderId=a%20b`, payment)
  await nav.redirect('report', { orderId: 'a b' })
  setStack(`${report}?orderId=1`, payment)
  await nav.redirect('report', { orderId: '2' })
  setStack('/pages/home/index', news, login)
  await nav.afterLogin(news)
  // without parameters the page below is the one meant, whichever tab of it is open
  setStack('/pages/home/index', `${records}?tab=ING`, payment)
  await nav.redirect('mineEvaluationRecords')
  expect(navigations).toEqual(['back 1', `replace ${report}?orderId=2`, 'back 1', 'back 1'])
})

it('a timer and a tap that ask for the same page open it once', async () => {
  setStack('/pages/home/index', `${report}?orderId=1`, '/pages/evaluation/payment/index')
  await Promise.all([nav.redirect('report', { orderId: '1' }), nav.redirect('report', { orderId: '1' })])
  expect(navigations).toEqual(['back 1'])
})

it(`${weapp ? 'replaces instead of opening an eleventh page' : 'has no limit of pages'}`, async () => {
  setStack(...Array.from({ length: 10 }, () => '/pages/home/index'))
  await nav.to('news')
  expect(navigations).toEqual([`${weapp ? 'replace' : 'push'} ${news}`])
})

it('goes back where there is a page, else to the fallback, else home', async () => {
  setStack('/pages/home/index', news)
  await nav.back('couponCenter')
  setStack(news)
  await nav.back('couponCenter')
  await nav.back()
  expect(navigations).toEqual(['back 1', 'replace /pagesA/pages/home/couponCenter/index', 'tab /pages/home/index'])
})

it('goes home to the iosApp page in the iOS app only', async () => {
  await nav.home()
  dispatch({ type: 'launched', platform: 'ios' })
  await nav.home()
  expect(navigations).toEqual(['tab /pages/home/index', 'relaunch /pagesA/pages/iosApp/index'])
})

it('leaves the login pages for good and trusts only addresses of the table', async () => {
  setStack('/pages/home/index', login)
  await nav.afterLogin(`${report}?orderId=7`)
  setStack('/pages/home/index', login, '/pagesA/pages/login/wx/sms')
  await nav.afterLogin('/pages/mine/index')
  setStack(login)
  await nav.afterLogin('https://evil.example/')
  await nav.afterLogin(undefined)
  expect(navigations).toEqual([
    `replace ${report}?orderId=7`,
    'back 1',
    'tab /pages/mine/index',
    'tab /pages/home/index',
    'tab /pages/home/index',
  ])
})

it('opens addresses that come as text through the same guard', async () => {
  await nav.url('/pagesA/pages/home/news/detail?id=9&evil=1')
  await nav.url('https://evil.example/')
  expect(navigations).toEqual(['push /pagesA/pages/home/news/detail?id=9', 'tab /pages/home/index'])
})

it('says so when the runtime refuses', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  if (weapp) jest.spyOn(wx, 'showToast').mockImplementation((o) => void navigations.push(o.title))
  refusal.reason = 'navigateTo:fail timeout'
  await nav.to('news')
  if (!weapp) navigations.push(document.querySelector('.pf-toast')?.textContent ?? '')
  expect(navigations).toEqual(['页面打开失败，请重试'])
  expect(warn).toHaveBeenCalledTimes(1)
  jest.restoreAllMocks()
})
