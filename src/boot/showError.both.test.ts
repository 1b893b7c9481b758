import { ApiError, isShown } from '@/api/error'
import { clipboard } from '@/platform/clipboard'
import { dialog } from '@/platform/dialog'
import { fakeStorage } from '@/platform/storage/fake'
import { loginRoute, nav, pageShown } from '@/router/nav'
import { routes } from '@/router/routes'
import { dispatch, session, startSession } from '@/session/store'
import { navigations } from '../../test/fakes/navigation'
import { handleExpiredSession } from './expiredSession'
import { showError } from './showError'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const expired = (usedToken?: string) =>
  new ApiError({ kind: 'http', code: 401, msg: '登录已过期，请重新登录', behaviour: 'relogin', usedToken })
const toast = (msg: string, requestId?: string) =>
  new ApiError({ kind: 'http', code: 500, msg, behaviour: requestId ? 'requestId' : 'toast', requestId })

const turn = () => jest.advanceTimersByTimeAsync(0)

beforeEach(() => {
  jest.useFakeTimers()
  navigations.length = 0
  startSession(fakeStorage())
  pageShown('/pages/evaluation/report/index?orderId=7')
  dispatch({ type: 'loggedIn', token: 'T', userId: 'u', newUser: false })
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

it('logs out and asks once for 20 calls that fail together, then goes to login and back', async () => {
  let confirm: (yes: boolean) => void = () => undefined
  const ask = jest.spyOn(dialog, 'confirm').mockImplementation(() => new Promise((resolve) => (confirm = resolve)))
  const errors = Array.from({ length: 20 }, () => expired('T'))
  for (const e of errors) showError(e)
  expect(ask.mock.calls).toEqual([
    [expect.objectContaining({ title: '提示', content: '登录已过期，请重新登录', cancelText: null })],
  ])
  expect(session()).toEqual({ newUser: false })
  expect(navigations).toEqual([])
  expect(errors.every(isShown)).toBe(true)
  confirm(true)
  await turn()
  const back = encodeURIComponent('/pages/evaluation/report/index?orderId=7')
  expect(navigations).toEqual([`relaunch /${routes[loginRoute].path}?redirect=${back}`])
  showError(expired('T'))
  expect(ask).toHaveBeenCalledTimes(1)
  dispatch({ type: 'loggedIn', token: 'T2', userId: 'u', newUser: false })
  showError(expired('T2'))
  expect(ask).toHaveBeenCalledTimes(2)
  confirm(true)
  await turn()
})

it('a failed navigation to the login page does not silence the next expired session', async () => {
  const ask = jest.spyOn(dialog, 'confirm').mockResolvedValue(true)
  jest.spyOn(nav, 'login').mockRejectedValueOnce(new Error('navigation failed'))
  await expect(handleExpiredSession('T')).rejects.toThrow('navigation failed')
  dispatch({ type: 'loggedIn', token: 'T2', userId: 'u', newUser: false })
  await handleExpiredSession('T2')
  expect(ask).toHaveBeenCalledTimes(2)
})

it('does not repeat a message that is still shown', () => {
  const said = jest.spyOn(dialog, 'toast').mockImplementation(() => undefined)
  for (const msg of ['甲', '甲', '乙']) showError(toast(msg))
  jest.advanceTimersByTime(1500)
  showError(toast('乙'))
  expect(said.mock.calls.map(([text]) => text)).toEqual(['甲', '乙', '乙'])
})

it('lets the request id of a server error be copied', () => {
  const copied = jest.spyOn(clipboard, 'copy').mockResolvedValue(true)
  jest.spyOn(dialog, 'toast').mockImplementation((_text, action) => action?.run())
  showError(toast('服务器出错了（请求编号 r-1）', 'r-1'))
  expect(copied).toHaveBeenCalledWith('r-1')
})
