import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { routes } from '@/router/routes'
import { dispatch, session, startSession, store } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { alerts, box, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { plausibleNextAt, SMS_INTERVAL, secondsLeft } from './countdown'
import { LoginH5Screen } from './LoginH5Screen'
import { LoginSmsScreen } from './LoginSmsScreen'
import { LoginWxScreen } from './LoginWxScreen'
import { loginPurpose } from './loginPurpose'
import { ResetPwdScreen } from './ResetPwdScreen'
import { agreementCheckedAtom } from './useAgreement'
import { mobileAtom } from './useSmsCode'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const redirect = '/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'
type Handlers = NonNullable<Parameters<typeof fakeServer>[0]['user']>

const good: Handlers = {
  sendSmsCode: () => ({ nextAt: Date.now() + SMS_INTERVAL }),
  smsLogin: () => ({ token: 't9', userId: 'u9', newUser: true }),
}

const pages = { loginH5: page('loginH5', LoginH5Screen), loginWx: page('loginWx', LoginWxScreen) }

async function open(user: Handlers = good, name: keyof typeof pages = 'loginH5') {
  const server = fakeServer({ user })
  const query = { redirect: encodeURIComponent(redirect) }
  await openPage(pages[name], `/${routes[name].path}`, query)
  await untilBox('手机号')
  return server
}

const calls = (server: Awaited<ReturnType<typeof open>>) => server.seen.map(({ call }) => call)
const waiting = () => /\d+ 秒后重发/.test(shown())

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  store.set(mobileAtom, '')
  store.set(agreementCheckedAtom, false)
  startSession(storage)
})

it('counts down only after a code was really sent, and still does after a refresh', async () => {
  let broken = true
  const server = await open({
    ...good,
    sendSmsCode: () => {
      if (broken) throw new Refused(200, 'SMS_DAILY_LIMIT', '今日验证码次数已用完，请明天再试')
      return { nextAt: Date.now() + SMS_INTERVAL }
    },
  })
  await type('手机号', '138 0013 8000')
  await tap('我已阅读并同意')
  await tap('获取验证码')
  await untilShown('今日验证码次数已用完')
  expect(waiting()).toBe(false)
  broken = false
  await tap('获取验证码')
  await until(waiting, 'the countdown')
  expect(shown()).toContain('138****8000')
  expect(server.seen.at(-1)?.req).toMatchObject({ mobile: '13800138000', scene: 1 })
  await open()
  expect(waiting()).toBe(true)
})

it('shows an invalid number at its field without asking the server', async () => {
  const server = await open()
  await type('手机号', '1380013', { leave: true })
  expect(alerts()).toContain('请输入正确的手机号')
  await tap('获取验证码')
  await tap('登录')
  expect(calls(server)).toEqual([])
})

it('logs in on its own at the sixth digit and goes back to where the user wanted to go', async () => {
  const server = await open()
  await type('手机号', '13800138000')
  await tap('我已阅读并同意')
  await tap('获取验证码')
  await until(waiting, 'the countdown')
  await type('验证码', '12345')
  expect(calls(server)).not.toContain('user.smsLogin')
  await type('验证码', '123456')
  await until(() => navigations.length > 0, 'the way back')
  expect(session()).toMatchObject({ token: 't9', userId: 'u9', newUser: true })
  expect(navigations).toEqual([`replace ${redirect}`])
  expect(calls(server).filter((call) => call === 'user.smsLogin')).toHaveLength(1)
})

it('is never ticked beforehand: without the tick it asks, and 同意并继续 logs in', async () => {
  const server = await open()
  expect(document.querySelector('[role=checkbox]')?.getAttribute('aria-checked')).toBe('false')
  await type('手机号', '13800138000')
  await type('验证码', '123456')
  await untilShown('请先阅读并同意')
  expect(calls(server)).not.toContain('user.smsLogin')
  await tap('同意并继续')
  await until(() => navigations.length > 0, 'the way back')
  expect(session().token).toBe('t9')
})

it('sends no number before its owner agreed', async () => {
  const server = await open()
  await type('手机号', '13800138000')
  await tap('获取验证码')
  await untilShown('请先阅读并同意')
  expect(calls(server)).toEqual([])
  await tap('同意并继续')
  await until(waiting, 'the countdown')
  expect(calls(server)).toEqual(['user.sendSmsCode'])
})

describe('the page that asks for the number first, within a minute of a code', () => {
  async function next(stored: Record<string, string>, mobile: string) {
    for (const [key, value] of Object.entries(stored)) storage.set(key, value)
    storage.set('sms:nextAt', String(Date.now() + 50_000))
    store.set(mobileAtom, mobile)
    const server = fakeServer({ user: good })
    await openPage(page('loginWxSms', LoginSmsScreen), `/${routes.loginWxSms.path}`, {})
    await untilBox('手机号')
    await tap('下一步')
    return server
  }

  it('asks for the consent before that code can be entered', async () => {
    const server = await next({ 'sms:mobile': '13800138000', 'sms:scene': '1' }, '13800138000')
    await untilShown('请先阅读并同意')
    await tap('同意并继续')
    await untilShown('138****8000')
    expect(calls(server)).toEqual([])
  })

  it('asks for a number after a code to the account’s own', async () => {
    await next({ 'sms:scene': '3' }, '')
    await until(() => alerts().length > 0, 'the error')
    expect(box('手机号')).toBeDefined()
  })

  it('does not ask for a code that the carrier refused to send', async () => {
    const wait = { nextAt: Date.now() + 50_000 }
    const answers = [
      new Refused(400, 'VALIDATION_FAILED', '', {
        fields: [{ path: 'mobile', msg: '这个号码暂时收不到短信，请换一个号码' }],
      }),
      new Refused(200, 'SMS_TOO_FAST', '发送太频繁，请 50 秒后再试', wait),
    ]
    const server = fakeServer({
      user: {
        sendSmsCode: () => {
          throw answers[server.seen.length - 1]
        },
      },
    })
    await openPage(page('loginWxSms', LoginSmsScreen), `/${routes.loginWxSms.path}`, {})
    await type('手机号', '13800138000')
    await tap('我已阅读并同意')
    await tap('下一步')
    await untilShown('这个号码暂时收不到短信')
    await tap('下一步')
    await untilShown('发送太频繁')
    await tap('下一步')
    await until(waiting, 'the time to wait')
    expect(box('手机号').value).toBe('13800138000')
    expect(calls(server)).toHaveLength(2)
  })

  it('asks for the code that did arrive when its answer was lost', async () => {
    const server = fakeServer({
      user: {
        sendSmsCode: () => {
          const wait = { nextAt: Date.now() + 50_000, sent: true }
          throw new Refused(200, 'SMS_TOO_FAST', '发送太频繁，请 50 秒后再试', wait)
        },
      },
    })
    await openPage(page('loginWxSms', LoginSmsScreen), `/${routes.loginWxSms.path}`, {})
    await type('手机号', '13800138000')
    await tap('我已阅读并同意')
    await tap('下一步')
    await untilShown('138****8000')
    expect(shown()).not.toContain('发送太频繁')
    expect(waiting()).toBe(true)
    expect(calls(server)).toEqual(['user.sendSmsCode'])
  })

  it('does not take a code that was sent for something else', async () => {
    await next({ 'sms:mobile': '13800138000', 'sms:scene': '4' }, '13800138000')
    await until(waiting, 'the time to wait')
    expect(box('手机号').value).toBe('13800138000')
  })
})

it('asks nobody who agreed at the first launch', async () => {
  dispatch({ type: 'firstLaunchDone' })
  const server = await open()
  expect(document.querySelector('[role=checkbox]')).toBeNull()
  await type('手机号', '13800138000')
  await type('验证码', '123456')
  await until(() => navigations.length > 0, 'the way back')
  expect(calls(server)).toContain('user.smsLogin')
})

it('says at the code that it was wrong and keeps the number', async () => {
  await open({
    ...good,
    smsLogin: () => {
      throw new Refused(200, 'SMS_CODE_WRONG', '验证码错误，请重新输入')
    },
  })
  await type('手机号', '13800138000')
  await tap('我已阅读并同意')
  await type('验证码', '111111')
  await untilShown('验证码错误，请重新输入')
  expect(box('手机号').value).toBe('13800138000')
  expect(session().token).toBeUndefined()
})

it('the mini-program’s address offers the browser’s own form in a browser', async () => {
  await open(good, 'loginWx')
  expect(shown()).toContain('获取验证码')
  expect(shown()).not.toContain('手机号快捷登录')
})

it('trusts the server’s time only as far as it is plausible on this device', () => {
  expect(plausibleNextAt(1000 + SMS_INTERVAL, 1000)).toBe(1000 + SMS_INTERVAL)
  for (const odd of [undefined, 'x', 999, 1000 + SMS_INTERVAL + 1])
    expect(plausibleNextAt(odd, 1000)).toBe(1000 + SMS_INTERVAL)
  expect(secondsLeft(1500, 1000)).toBe(1)
  expect(secondsLeft(1000, 1000)).toBe(0)
  expect(secondsLeft(1000 + SMS_INTERVAL * 60, 1000)).toBe(0)
})

describe('by password', () => {
  it('keeps number and password when they do not fit, and goes on when they do', async () => {
    let right = false
    const server = await open({
      ...good,
      login: () => {
        if (!right) throw new Refused(200, 'PWD_WRONG', '手机号或密码错误')
        return { token: 't7', userId: 'u7', newUser: false }
      },
    })
    await type('手机号', '13800138000')
    await tap('密码登录')
    await untilBox('密码')
    expect(box('手机号').value).toBe('13800138000')
    await tap('我已阅读并同意《用户协议》和《隐私政策》')
    await tap('登录')
    await untilShown('请输入密码')
    await type('密码', 'abcd1234')
    await tap('登录')
    await untilShown('手机号或密码错误')
    expect([box('手机号').value, box('密码').value]).toEqual(['13800138000', 'abcd1234'])
    right = true
    await tap('登录')
    await until(() => navigations.length > 0, 'the way back')
    expect(session().token).toBe('t7')
    expect(server.seen.at(-1)?.req).toEqual({ mobile: '13800138000', password: 'abcd1234' })
  })

  it('a forgotten password is reset by code; the login page then has the number', async () => {
    const server = fakeServer({ user: { ...good, resetPassword: () => true } })
    await openPage(page('loginH5ResetPwd', ResetPwdScreen), `/${routes.loginH5ResetPwd.path}`, {})
    await untilBox('手机号')
    await type('手机号', '13800138000')
    await tap('获取验证码')
    await untilShown('请先阅读并同意')
    await tap('同意并继续')
    await until(waiting, 'the countdown')
    await type('验证码', '【估价】尾号8000：您的验证码 123456，5 分钟内有效')
    expect(box('验证码').value).toBe('123456')
    // a password beyond the limit is refused, not cut: its owner would log in with all of it
    for (const refused of ['short', 'abcd1234abcd1234abcd1234']) {
      await type('新密码', refused)
      await tap('保存新密码')
      await untilShown('密码为 8-20 位字母加数字')
      expect(box('新密码').value).toBe(refused)
    }
    await type('新密码', 'efgh5678')
    await tap('保存新密码')
    await until(() => navigations.length > 0, 'the login page')
    expect(server.seen.map(({ call, req }) => [call, req])).toEqual([
      ['user.sendSmsCode', expect.objectContaining({ mobile: '13800138000', scene: 4 })],
      ['user.resetPassword', { mobile: '13800138000', code: '123456', password: 'efgh5678' }],
    ])
    await open()
    expect(box('手机号').value).toBe('13800138000')
  })
})

it.each([
  ['/pages/evaluation/report/index?reportNo=R1&shareToken=abc', 'report'],
  ['/pages/evaluation/report/unlock/accept?recordId=r1', 'help'],
  ['/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI', 'form'],
  ['/pages/evaluation/report/index?orderId=o1', 'report'],
  ['/pages/evaluation/chooseGame?mode=MANUAL', 'form'],
  ['/pages/mine/index', undefined],
  [undefined, undefined],
])('a stranger who follows %s sees what the login is for', (wanted, words) => expect(loginPurpose(wanted)).toBe(words))
