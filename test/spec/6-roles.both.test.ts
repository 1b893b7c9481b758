/** Spec §6: two levels, and a login for each platform. */
import { calls } from '@/contract/calls'
import { fakeStorage } from '@/platform/storage/fake'
import { loginRoute, nav, pageShown } from '@/router/nav'
import { routes } from '@/router/routes'
import { dispatch, startSession } from '@/session/store'
import { navigations, stack } from '../fakes/navigation'

jest.mock('@tarojs/taro', () => require('../fakes/navigation').fakeTaro())

const weapp = TEST_PLATFORM === 'weapp'

beforeEach(() => {
  navigations.length = 0
  stack.splice(0, stack.length, 'pages/home/index')
  startSession(fakeStorage())
  pageShown('/pages/home/index')
})

it('calls have two levels', () => {
  const levels = Object.values(calls).flatMap((group) => Object.values(group).map((call) => call.access))
  expect([...new Set(levels)].sort()).toEqual(['open', 'user'])
})

/** Calls made before a token exists. */
it.each([
  'login',
  'resetPassword',
  'smsLogin',
  'sendSmsCode',
  'queryWeixinMiniAppBind',
  'socialLogin',
  'weixinMiniAppLogin',
] as const)('anonymous: user.%s', (name) => expect(calls.user[name].access).toBe('open'))

it.each(['get', 'updatePassword', 'realNameAuth', 'messages', 'loginOff', 'updateSettings'] as const)(
  'logged-in user: user.%s',
  (name) => expect(calls.user[name].access).toBe('user'),
)

it('login for the web, with reset password, and for the mini-program, with an SMS step', () => {
  expect([routes.loginH5.path, routes.loginH5ResetPwd.path]).toEqual([
    'pagesA/pages/login/h5/index',
    'pagesA/pages/login/h5/resetPwd',
  ])
  expect([routes.loginWx.path, routes.loginWxSms.path]).toEqual([
    'pagesA/pages/login/wx/index',
    'pagesA/pages/login/wx/sms',
  ])
})

it(`the login page here is ${weapp ? 'wx' : 'h5'}`, async () => {
  expect(loginRoute).toBe(weapp ? 'loginWx' : 'loginH5')
  await nav.login()
  const page = weapp ? '/pagesA/pages/login/wx/index' : '/pagesA/pages/login/h5/index'
  expect(navigations).toEqual([`push ${page}?redirect=%2Fpages%2Fhome%2Findex`])
})

it('the login page is removed from history and the user is back on the previous page', async () => {
  stack.push(routes[loginRoute].path)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  await nav.afterLogin('/pages/evaluation/report/index?orderId=7')
  expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=7'])
})
