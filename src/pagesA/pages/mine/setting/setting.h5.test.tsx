import type { UserInfo } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { routes } from '@/router/routes'
import { dispatch, session, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../../../test/fakes/api'
import { moves } from '../../../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../../../test/fakes/screen'
import { openPage } from '../../../../../test/fakes/taro'
import Setting from './index'

jest.mock('@tarojs/taro', () => require('../../../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

const settings: UserInfo['settings'] = {
  pushReport: true,
  pushActivity: false,
  showAsExample: false,
  fontScale: 1,
  reduceMotion: false,
  personalised: false,
}
const device = (id: string, name: string, current: boolean) => ({ id, name, createdAt: 1, seenAt: 1, current })

interface Answers {
  refuse?: boolean
  blocked?: boolean
}

async function open({ refuse, blocked }: Answers = {}) {
  let devices = [device('d1', '网页', true), device('d2', 'iOS · 微信小程序', false)]
  const server = fakeServer({
    user: {
      get: () => ({
        userId: 'u1',
        nickname: '玩家1024',
        avatar: '',
        mobileMasked: '138****8000',
        realName: { status: 'NONE' },
        hasPassword: false,
        wxBound: false,
        unread: 0,
        couponCount: 0,
        settings,
        devices,
      }),
      updateSettings: ({ signOut, ...change }) => {
        if (refuse) throw new Refused(200, 'ORDER_STATUS_CHANGED', '保存失败')
        devices = devices.filter(({ id }) => id !== signOut)
        return { ...settings, ...change }
      },
      checkLoginOff: () =>
        blocked
          ? {
              canOff: false,
              blockers: [
                { type: 'ORDER', text: '有 1 个未完成的订单', link: `/${routes.mineEvaluationRecords.path}?tab=ING` },
              ],
            }
          : { canOff: true, blockers: [] },
      sendSmsCode: () => ({ nextAt: Date.now() + 60_000 }),
      loginOff: ({ code }) => {
        if (code !== '123456') throw new Refused(200, 'SMS_CODE_WRONG', '验证码错误，请重新输入')
        return { canOff: true, blockers: [], effectiveAt: 1_796_000_000_000 }
      },
    },
    app: { latestVersion: () => ({ version: '2.0.4', code: 204, force: false, url: '', note: '' }) },
  })
  await openPage(Setting, `/${routes.mineSetting.path}`, {})
  await untilShown('138****8000')
  return server
}

const isOn = (name: string) => find(name)?.getAttribute('aria-checked') === 'true'

beforeEach(() => {
  moves.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('a switch holds at once, and goes back when the server does not take it', async () => {
  const server = await open()
  expect(isOn('展示我的报告')).toBe(false)
  await tap('展示我的报告')
  await until(() => isOn('展示我的报告'), 'the switch')
  expect(server.seen.at(-1)?.req).toEqual({ showAsExample: true })
  await open({ refuse: true })
  await tap('活动通知')
  await until(() => !isOn('活动通知'), 'the switch back')
})

it('another device is signed out; logging out tells the server too', async () => {
  const server = await open()
  await tap('登录设备')
  await untilShown('iOS · 微信小程序')
  await tap('退出 iOS · 微信小程序')
  await untilGone('iOS · 微信小程序')
  await tap('退出登录')
  await until(() => session().token === undefined, 'the logout')
  expect(server.seen.filter(({ call }) => call === 'user.updateSettings').map(({ req }) => req)).toEqual([
    { signOut: 'd2' },
    { signOut: 'THIS' },
  ])
})

it('cancelling the account needs the box ticked and the code; then nobody is signed in', async () => {
  await open()
  await tap('注销账号')
  await untilBox('验证码')
  await tap('获取验证码')
  await untilShown('您的登录手机')
  await type('验证码', '111111')
  await tap('提交注销')
  expect(session().token).toBe('t')
  await tap('我已了解以上内容，确认注销')
  await tap('提交注销')
  await untilShown('验证码错误，请重新输入')
  await type('验证码', '123456')
  await tap('提交注销')
  await until(() => session().token === undefined, 'the end of the session')
  await until(() => moves.length > 0, 'home')
})

it('what is unsettled is listed with the way there', async () => {
  await open({ blocked: true })
  await tap('注销账号')
  await untilShown('有 1 个未完成的订单')
  expect(shown()).not.toContain('提交注销')
  await tap('有 1 个未完成的订单')
  await until(() => moves.some((move) => move.includes(`${routes.mineEvaluationRecords.path}?tab=ING`)), 'the records')
})
