import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { appState, dispatch, session, startSession } from '@/session/store'
import { fakeServer } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { MineScreen } from './MineScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('我的 shows the user and the counts, and logs out after one question', async () => {
  const userInfo = {
    userId: 'u1',
    nickname: '玩家1024',
    avatar: '',
    mobileMasked: '138****8000',
    realName: { status: 'NONE' as const },
    hasPassword: false,
    wxBound: false,
    unread: 2,
    couponCount: 1,
    settings: {
      pushReport: true,
      pushActivity: false,
      showAsExample: false,
      fontScale: 1,
      reduceMotion: false,
      personalised: false,
    },
  }
  fakeServer({
    // the logout does not wait for the server
    user: { get: () => userInfo, updateSettings: () => new Promise(() => undefined) },
    pay: { orderCount: () => ({ unpaid: 0, ing: 1, done: 120, refund: 0 }) },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await openPage(page('mine', MineScreen), '/pages/mine/index')
  await untilShown('玩家1024')
  await untilShown('99+')
  for (const text of ['138****8000', '2 条未读', '1 张可用']) expect(shown()).toContain(text)
  expect(session().userInfo).toEqual(userInfo)
  await tap('退出登录')
  await until(() => session().token === undefined, 'the logout')
  expect(navigations).toEqual(['tab /pages/home/index'])
  expect(shown()).toContain('登录 / 注册')
  expect(shown()).not.toContain('138****8000')
})

it('the text size is chosen, up to twice the normal one, holds at once and after a restart, and so does reduced motion', async () => {
  const storage = fakeStorage()
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  fakeServer({})
  await openPage(page('mine', MineScreen), '/pages/mine/index')
  const classes = () => document.querySelector('.ui-page')?.className ?? ''
  expect(classes()).toContain('ui-text-m')
  await tap('字体大小')
  await untilShown('减少动画')
  await tap('特大参考成交价 ¥1,975，仅供参考')
  await tap('减少动画关闭弹出和加载时的动画')
  expect(classes()).toMatch(/ui-text-xl.*ui-reduced-motion/)
  startSession(storage)
  expect(appState()).toMatchObject({ textSize: 'huge', reduceMotion: true })
  await tap('最大参考成交价 ¥1,975，仅供参考')
  expect(classes()).toContain('ui-text-2x')
  startSession(storage)
  expect(appState()).toMatchObject({ textSize: 'double' })
})
