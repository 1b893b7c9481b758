import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { routes } from '@/router/routes'
import { session, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { LoginH5Screen } from './LoginH5Screen'
import { LoginSmsScreen } from './LoginSmsScreen'

jest.mock('@/platform/meta/wechat', () => ({ setWechatShareData: () => undefined }))
jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const BACK = '/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'
const STATE = 'f'.repeat(32)
const path = `/${routes.loginH5.path}`
type Handlers = NonNullable<Parameters<typeof fakeServer>[0]['user']>

async function come({ query = '', wechat = true, user = {} }: { query?: string; wechat?: boolean; user?: Handlers }) {
  history.replaceState({}, '', path + query)
  const status = { pay: 'NORMAL', help: true, ad: false, manual: true, wechat } as const
  const server = fakeServer({ user, app: { openPayStatus: () => status } })
  await openPage(page('loginH5', LoginH5Screen), path, {})
  return server
}
const agent = (userAgent: string) =>
  Object.defineProperty(window.navigator, 'userAgent', { value: userAgent, configurable: true })
const storeLoginRequest = (more: object = {}) =>
  storage.set('wechat:login', JSON.stringify({ back: BACK, state: STATE, at: Date.now(), ...more }))

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  agent('Mozilla/5.0 (iPhone) MicroMessenger/8.0')
  startSession(storage)
})
afterAll(() => history.replaceState({}, '', '/'))

it('offers one tap only in WeChat, only where the server has it, and asks for the consent first', async () => {
  await come({ wechat: false })
  await untilBox('手机号')
  expect(shown()).not.toContain('微信一键登录')
  agent('Mozilla/5.0 (iPhone) Safari/605')
  await come({})
  await untilBox('手机号')
  expect(shown()).not.toContain('微信一键登录')
  agent('Mozilla/5.0 (iPhone) MicroMessenger/8.0')
  await come({})
  await untilShown('微信一键登录')
  await tap('微信一键登录')
  await untilShown('请先阅读并同意')
  expect(storage.get('wechat:login')).toBeUndefined()
})

it('comes back from WeChat logged in, where the user was going; the code is in no address any more', async () => {
  storeLoginRequest()
  const user = { socialLogin: () => ({ token: 't1', userId: 'u1', newUser: true, openid: 'o1' }) }
  const server = await come({ query: `?code=C1&state=${STATE}`, user })
  await until(() => navigations.length > 0, 'the way back')
  expect(session().token).toBe('t1')
  expect(server.seen.map(({ call, req }) => [call, req])).toEqual([
    ['user.socialLogin', { type: 31, code: 'C1', state: STATE, bind: false }],
  ])
  expect(JSON.stringify(navigations)).toContain('gameId=hok')
  expect(location.href).not.toContain('C1')
  expect(JSON.stringify({ ...localStorage })).not.toContain('C1')
})

it('a link with a foreign code is ignored and not sent to the server', async () => {
  const server = await come({ query: `?code=ATTACKER&state=${STATE}` })
  await untilShown('微信登录已取消或失效')
  storeLoginRequest()
  await come({ query: '?code=ATTACKER&state=another' })
  await untilShown('微信登录已取消或失效')
  expect(server.seen.map(({ call }) => call)).not.toContain('user.socialLogin')
  expect(session().token).toBeUndefined()
})

it('shows why WeChat refused and offers the other ways', async () => {
  storeLoginRequest()
  const user: Handlers = {
    socialLogin: () => {
      throw new Refused(200, 'WECHAT_REFUSED', '当前是微信的预览页，请点击“使用完整服务”后再登录')
    },
  }
  await come({ query: `?code=C1&state=${STATE}`, user })
  await untilShown('当前是微信的预览页')
  await untilBox('手机号')
})

it('a WeChat account without a number binds one, and says what becomes of an account that has it', async () => {
  const server = fakeServer({
    user: {
      sendSmsCode: () => ({ nextAt: Date.now() + 60_000 }),
      smsLogin: () => ({ token: 't2', userId: 'u2', newUser: false }),
    },
  })
  storage.set('session', JSON.stringify({ version: 1, data: { token: 't1', userId: 'u1', newUser: false } }))
  startSession(storage)
  await openPage(page('loginWxSms', LoginSmsScreen), `/${routes.loginWxSms.path}`, {
    bind: '1',
    redirect: encodeURIComponent('/pagesA/pages/mine/setting/index'),
  })
  await untilShown('两个账号的订单、报告和优惠券会合并到一起')
  await type('手机号', '13800138000')
  await tap('下一步')
  await untilShown('输入 6 位验证码后自动绑定')
  // the code that has been sent can be entered while the countdown runs; another number gets its own
  const sent = () => server.seen.filter(({ call }) => call === 'user.sendSmsCode').map(({ req }) => req)
  await tap('更换手机号')
  await tap('下一步')
  await untilShown('输入 6 位验证码后自动绑定')
  expect(sent()).toHaveLength(1)
  await tap('更换手机号')
  await type('手机号', '13800138001')
  await tap('下一步')
  await untilShown('138****8001')
  expect(sent()).toMatchObject([{ mobile: '13800138000' }, { mobile: '13800138001' }])
  await type('验证码', '123456')
  await until(() => navigations.length > 0, 'the way back')
  expect(server.seen.at(-1)?.req).toEqual({ mobile: '13800138001', code: '123456', bind: true })
  expect(session()).toMatchObject({ token: 't2', userId: 'u2' })
})
