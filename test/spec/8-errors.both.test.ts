/** Spec §8: from the HTTP response to what the user sees and does, through all layers. */
import { type ApiError, api, isShown } from '@/api'
import { boot } from '@/boot'
import type { CapturedRequest, fakeTransport } from '@/platform/transport/fake'
import { NetFailure } from '@/platform/transport/port'
import { pageShown } from '@/router/nav'
import { dispatch, isLoggedIn } from '@/session/store'
import { navigations, stack } from '../fakes/navigation'

jest.mock('@tarojs/taro', () => require('../fakes/navigation').fakeTaro())
jest.mock('@/platform/transport', () => {
  const fake = require('@/platform/transport/fake').fakeTransport()
  return { transport: fake.transport, caught: fake.caught }
})

const weapp = TEST_PLATFORM === 'weapp'
const { caught } = jest.requireMock<ReturnType<typeof fakeTransport>>('@/platform/transport')

/** The message to the user, in either runtime. */
interface Screen {
  toasts: string[]
  dialogs: { title: string; text: string; buttons: string[] }[]
  copied: string[]
}
const screen: Screen = { toasts: [], dialogs: [], copied: [] }
/** Presses the primary or secondary button of the visible dialog or cover. */
let press: (main: boolean) => void

function watchHost() {
  jest.spyOn(wx, 'showToast').mockImplementation(({ title }) => void screen.toasts.push(title))
  jest.spyOn(wx, 'setClipboardData').mockImplementation(({ data }) => void screen.copied.push(data))
  jest.spyOn(wx, 'showModal').mockImplementation(({ title, content, showCancel, confirmText, cancelText, success }) => {
    screen.dialogs.push({ title, text: content, buttons: showCancel ? [confirmText, cancelText] : [confirmText] })
    press = (confirm) => success({ confirm })
  })
}

function watchDocument() {
  const text = (root: Element, selector: string) => root.querySelector(selector)?.textContent ?? ''
  const seen = (el: Element) => {
    if (el.classList.contains('pf-toast')) screen.toasts.push(el.firstChild?.textContent ?? '')
    if (el.matches('.pf-layer')) {
      const buttons = [...el.querySelectorAll<HTMLElement>('.pf-btn')]
      const main = buttons.find((b) => b.classList.contains('pf-btn--main')) ?? buttons[0]
      const others = buttons.filter((b) => b !== main)
      const names = [main, ...others].map((b) => b?.textContent ?? '')
      screen.dialogs.push({ title: text(el, '.pf-box__title'), text: text(el, '.pf-box__text'), buttons: names })
      press = (confirm) => (confirm ? main : others[0])?.click()
    }
  }
  const append = document.body.append.bind(document.body)
  jest.spyOn(document.body, 'append').mockImplementation((...nodes) => {
    append(...nodes)
    for (const node of nodes) if (node instanceof Element) seen(node)
  })
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (data: string) => void screen.copied.push(data) },
  })
}

const settled = () => jest.advanceTimersByTimeAsync(0)
const newest = (): CapturedRequest => {
  const last = caught.at(-1)
  if (!last) throw new Error('nothing was sent')
  return last
}
const refusal = (code: string | number, msg = '', data: unknown = null) => ({ success: false, code, msg, data })

let asked = 0
/** Makes a call, each time a different one, so that none is deduplicated. @returns its rejection */
function ask(): Promise<ApiError> {
  return api.app.documentGet({ key: `k${asked++}` } as never).then(
    () => Promise.reject(new Error('answered')),
    (e: ApiError) => e,
  )
}
async function answered(status: number, data: unknown, headers: Record<string, string> = {}): Promise<ApiError> {
  const result = ask()
  newest().reply(status, data, headers)
  return result
}

beforeAll(async () => {
  jest.useFakeTimers()
  boot()
  // the first call loads the network API
  const first = ask()
  await settled()
  newest().reply(404, null)
  await first
})
beforeEach(() => {
  jest.advanceTimersByTime(60_000)
  if (weapp) watchHost()
  else watchDocument()
  Object.assign(screen, { toasts: [], dialogs: [], copied: [] })
  navigations.length = 0
  stack.splice(0, stack.length, 'pages/evaluation/report/index')
  dispatch({ type: 'loggedIn', token: `T${asked}`, userId: 'u', newUser: false })
  pageShown('/pages/evaluation/report/index?orderId=7')
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => jest.useRealTimers())

/** The table of the specification in its order; `other` stands for every status it does not name. */
const statuses: readonly [status: number, text: string][] = [
  [400, '出错了(400)'],
  [404, '出错了(404)'],
  [403, '该页面拒绝或禁止访问'],
  [405, '请求方式错误，请联系客服'],
  [406, '您操作太快了，请稍等一下'],
  [460, '非法请求，请联系客服'],
  [502, '服务器无响应'],
  [503, '服务器出错了，请联系客服'],
  [504, '网关超时'],
  [302, '未知错误'],
  [402, '未知错误'],
  [413, '未知错误'],
  [418, '未知错误'],
  [501, '未知错误'],
  [599, '未知错误'],
]

describe('HTTP status, shown as toast', () => {
  it.each(statuses)('%i: %s', async (status, text) => {
    const error = await answered(status, '<html>')
    expect(screen).toEqual({ toasts: [text], dialogs: [], copied: [] })
    expect(error).toMatchObject({ status, msg: text })
    expect(isShown(error)).toBe(true)
    expect(isLoggedIn()).toBe(true)
  })

  it.each(statuses)('%i keeps its text even if our server sends a message', async (status, text) => {
    const error = await answered(status, refusal('SOME_CODE', '服务器的话'))
    expect(screen.toasts).toEqual([text])
    expect(error).toMatchObject({ code: 'SOME_CODE', serverMsg: '服务器的话' })
  })

  it.each([
    ['in the body', refusal('INTERNAL_ERROR', '', { requestId: 'r-9' }), {}],
    ['in the header only', '<html>', { 'x-request-id': 'r-9' }],
  ])('500: server error plus the request id %s; a tap copies it', async (_where, data, headers) => {
    const error = await answered(500, data, headers)
    await settled()
    const text = '服务器出错了（请求编号 r-9）'
    if (weapp) {
      expect(screen.dialogs).toEqual([{ title: '提示', text, buttons: ['复制编号', '关闭'] }])
      press(true)
    } else {
      expect(screen.toasts).toEqual([text])
      document.querySelector<HTMLElement>('.pf-toast')?.click()
    }
    await settled()
    expect(screen.copied).toEqual(['r-9'])
    expect(error).toMatchObject({ status: 500, requestId: 'r-9' })
  })

  it('500 without a request id', async () => {
    await answered(500, '<html>')
    expect(screen.toasts).toEqual(['服务器出错了'])
  })
})

describe('expired session', () => {
  const login = weapp ? '/pagesA/pages/login/wx/index' : '/pagesA/pages/login/h5/index'

  it.each([
    ['HTTP 401', 401, ''],
    ['HTTP 401 of our own server', 401, refusal('NOT_LOGGED_IN', '请登录')],
    ['body code 401', 200, refusal(401)],
    ['body code "401"', 200, refusal('401')],
    ['body code NOT_LOGGED_IN', 200, refusal('NOT_LOGGED_IN')],
  ])('%s: logout, dialog, on confirm relaunch to the login page and back', async (_name, status, data) => {
    const error = await answered(status, data)
    expect(isLoggedIn()).toBe(false)
    await settled()
    expect(screen).toEqual({
      toasts: [],
      dialogs: [{ title: '提示', text: '登录已过期，请重新登录', buttons: ['重新登录'] }],
      copied: [],
    })
    expect(navigations).toEqual([])
    expect(isShown(error)).toBe(true)
    press(true)
    await settled()
    expect(navigations).toEqual([
      `relaunch ${login}?redirect=${encodeURIComponent('/pages/evaluation/report/index?orderId=7')}`,
    ])
  })

  it('the dialog is shown once however many calls fail at once or late', async () => {
    const results = Array.from({ length: 20 }, ask)
    const sent = caught.slice(-20)
    for (const request of sent.slice(0, 19)) request.reply(401, refusal('NOT_LOGGED_IN'))
    await Promise.all(results.slice(0, 19))
    await settled()
    press(true)
    await settled()
    sent[19]?.reply(401, refusal('NOT_LOGGED_IN'))
    await results[19]
    await settled()
    expect(screen.dialogs).toHaveLength(1)
    expect(screen.toasts).toEqual([])
    expect(navigations).toHaveLength(1)
  })

  it('the dialog is also shown once for calls without a token', async () => {
    dispatch({ type: 'loggedOut' })
    for (const error of [await answered(401, ''), await answered(401, '')]) expect(isShown(error)).toBe(true)
    await settled()
    press(true)
    await settled()
    expect([screen.dialogs.length, navigations.length]).toEqual([1, 1])
  })
})

it.each([200, 400, 406, 500])(
  'body code REQUEST_TOO_BUSY_PLEASE_WAIT with HTTP %i: requests too frequent, try again later',
  async (status) => {
    await answered(status, refusal('REQUEST_TOO_BUSY_PLEASE_WAIT', '慢点'))
    expect(screen.toasts).toEqual(['请求过于频繁，请稍后再试'])
  },
)

it('a failed user-info fetch shows the server message and raises an error', async () => {
  const result = api.user.get().catch((e: ApiError) => e)
  newest().reply(200, refusal('USER_FROZEN', '账号已冻结，请联系客服'))
  expect(await result).toMatchObject({ code: 'USER_FROZEN', msg: '账号已冻结，请联系客服' })
  expect(screen.toasts).toEqual(['账号已冻结，请联系客服'])
})

describe('network failure codes', () => {
  const retry = weapp
    ? { title: '提示', text: '网络连接超时，请点击屏幕重试', buttons: ['重试', '返回'] }
    : { title: '', text: '', buttons: ['网络连接超时，请点击屏幕重试', '返回'] }

  it('5 (time-out or network failure): asks to tap the screen, and the tap retries the call', async () => {
    const result = api.app.homeDataCount()
    const before = caught.length
    newest().fail(new NetFailure(5))
    await settled()
    expect(screen).toEqual({ toasts: [], dialogs: [retry], copied: [] })
    expect(caught).toHaveLength(before)
    // longer than any toast is shown
    await jest.advanceTimersByTimeAsync(10_000)
    press(true)
    await settled()
    expect(caught).toHaveLength(before + 1)
    newest().reply(200, { success: true, code: 'OK', msg: '', data: { users: 7 } })
    expect(await result).toEqual({ users: 7 })
    expect(screen.toasts).toEqual([])
  })

  it('5, and the user declines: an error that is not shown a second time', async () => {
    const result = ask()
    newest().fail(new NetFailure(5))
    await settled()
    press(false)
    const error = await result
    expect(error).toMatchObject({ kind: 'network', code: 5 })
    expect(isShown(error)).toBe(true)
    expect([screen.toasts, screen.dialogs.length]).toEqual([[], 1])
  })

  it('5 for many calls at once: one cover, and one tap retries all of them', async () => {
    const results = Array.from({ length: 5 }, ask)
    for (const request of caught.slice(-5)) request.fail(new NetFailure(5))
    await settled()
    expect(screen.dialogs).toEqual([retry])
    const before = caught.length
    press(true)
    await settled()
    expect(caught).toHaveLength(before + 5)
    for (const request of caught.slice(-5)) request.reply(404, '')
    expect((await Promise.all(results)).map((e) => e.status)).toEqual([404, 404, 404, 404, 404])
    // five equal messages at once are shown once
    expect(screen.toasts).toEqual(['出错了(404)'])
  })

  it('600003 (abort): not shown', async () => {
    const result = ask()
    newest().fail(new NetFailure(600003))
    expect(await result).toMatchObject({ kind: 'abort', code: 600003 })
    await settled()
    expect(screen).toEqual({ toasts: [], dialogs: [], copied: [] })
  })

  it('602001 (upload or download network error)', async () => {
    const result = ask()
    newest().fail(new NetFailure(602001))
    expect(await result).toMatchObject({ kind: 'network', code: 602001 })
    expect(screen.toasts).toEqual(['上传或下载失败，请检查网络后重试'])
  })
})

it('a business error is shown with the server’s message', async () => {
  await answered(200, refusal('COUPON_NOT_USABLE', '该优惠券不可用'))
  expect(screen.toasts).toEqual(['该优惠券不可用'])
})

it('an error that a screen shows itself is not shown globally; the dialog of an expired session always is', async () => {
  const quiet = { quiet: true } as const
  const fields = [{ path: 'mobile', msg: '手机号格式不正确' }]
  const refused = api.user.sendSmsCode({ mobile: '1', scene: 1 }, quiet).catch((e: ApiError) => e)
  newest().reply(400, refusal('VALIDATION_FAILED', '提交的内容有误，请检查', { fields }))
  const error = await refused
  expect([(error as ApiError).fields, isShown(error), screen.toasts]).toEqual([fields, false, []])
  const expired = api.user.get({}, quiet).catch((e: ApiError) => e)
  newest().reply(401, '')
  await expired
  await settled()
  expect(screen.dialogs).toHaveLength(1)
  press(true)
  await settled()
})
