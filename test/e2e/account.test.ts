import type { Page } from 'playwright-core'
import { isIn, login, nextMinute, post, sandbox } from '../fakes/calls'
import { openPhone, type Phone, type PhoneOptions } from './browser'
import { logInByHand, nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Login, password, binding and sign-out in a real browser: built app, real server, sandbox SMS and WeChat. */

const PASSWORD = 'secret-2026x'
const MINE = '/pages/mine/index'
const LOGIN = '/pagesA/pages/login/h5/index'
const RESET = '/pagesA/pages/login/h5/resetPwd'
const SETTING = '/pagesA/pages/mine/setting/index'

const opened: Phone[] = []
/** Texts that must not occur in the server's log. */
const secrets: string[] = []

setUpBrowser()
afterEach(async () => {
  for (const { page, context } of opened.splice(0)) {
    await page.screenshot({ path: 'test-results/e2e/account.png' })
    await context.close()
  }
})

async function phone(options: PhoneOptions = {}): Promise<Page> {
  const made = await openPhone(browser, options)
  opened.push(made)
  return made.page
}
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)
const open = (page: Page, path: string) => page.goto(server.url + path)

/** A user with a password, and a device that is logged in. */
async function member(): Promise<{ mobile: string; token: string }> {
  const mobile = nextMobile()
  const { token } = await login(server, mobile)
  await nextMinute(server)
  await post(server, '/app-api/user/auth/send-sms-code', { mobile, scene: 3 })
  await post(server, '/app-api/user/update-password', { code: await server.smsCode(mobile), password: PASSWORD }, token)
  secrets.push(mobile, token)
  return { mobile, token }
}

describe('in', () => {
  it('by a code: a wrong one is reported at the field, the countdown survives a refresh, and the requested page opens', async () => {
    const mobile = nextMobile()
    const page = await phone()
    await open(page, '/pagesA/pages/mine/message/index')
    await page.getByLabel('手机号').first().fill(mobile)
    await page.getByText('获取验证码').tap()
    await page.getByText('验证码已发送至').waitFor()
    await page.reload()
    await page.getByText(/\d+ 秒后重发/).waitFor()
    expect(await page.getByLabel('手机号').first().inputValue()).toBe(mobile)
    const right = await server.smsCode(mobile)
    const code = page.getByLabel('验证码', { exact: true })
    await code.fill(right === '000000' ? '111111' : '000000')
    await page
      .getByText(/验证码(错误|不正确)/)
      .first()
      .waitFor()
    await code.fill(right)
    await at(page, '/pagesA/pages/mine/message/index')
    await page.getByText('新人体验券已到账').waitFor()
    secrets.push(mobile, right)
  })

  it('by a password: five wrong ones lock it for a while, a code still works', async () => {
    const { mobile } = await member()
    const page = await phone()
    await open(page, LOGIN)
    await page.getByText('密码登录').tap()
    await page.getByLabel('手机号').first().fill(mobile)
    const password = page.getByLabel('密码', { exact: true })
    for (let i = 1; i <= 6; i++) {
      await password.fill(`wrong-2026-${i}`)
      const answered = page.waitForResponse('**/user/auth/login')
      await password.press('Enter')
      await answered
      await page
        .getByText(i < 6 ? '手机号或密码错误' : /密码错误次数过多，请 \d+ 分钟后再试/)
        .first()
        .waitFor()
    }
    await page.getByText('验证码登录', { exact: true }).first().tap()
    await nextMinute(server)
    expect(await page.getByLabel('手机号').first().inputValue()).toBe(mobile)
    await page.getByText('获取验证码').tap()
    await page.getByText('验证码已发送至').waitFor()
    await page.getByLabel('验证码', { exact: true }).fill(await server.smsCode(mobile))
    await page.locator('.home').waitFor()
  })

  it('by a new password after the old one was forgotten; other devices are signed out', async () => {
    const { mobile, token } = await member()
    const page = await phone()
    await open(page, LOGIN)
    await page.getByText('密码登录').tap()
    await page.getByText('忘记密码').tap()
    await at(page, RESET)
    await nextMinute(server)
    // the previous page's field stays visible for a moment after the URL has changed
    const here = page.locator('.login', { hasText: '保存新密码' })
    await here.getByLabel('手机号').first().fill(mobile)
    await here.getByText('获取验证码').tap()
    await here.getByText('验证码已发送至').waitFor()
    await here.getByLabel('验证码', { exact: true }).fill(await server.smsCode(mobile))
    await here.getByLabel('新密码').fill(`${PASSWORD}9`)
    await here.getByText('保存新密码').tap()
    await at(page, LOGIN)
    expect(await isIn(server, token)).toBe(false)
    const back = page.locator('.login', { hasText: '忘记密码' })
    expect(await back.getByLabel('手机号').first().inputValue()).toBe(mobile)
    await back.getByLabel('密码', { exact: true }).fill(`${PASSWORD}9`)
    await back.getByText('登录', { exact: true }).last().tap()
    await page.locator('.home').waitFor()
  })

  it('by one tap in WeChat, whose parameters are removed from the URL', async () => {
    const page = await phone({
      userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50',
    })
    await open(page, MINE)
    await page.getByText('微信一键登录').tap()
    await page.getByText('微信用户甲').tap()
    await at(page, MINE)
    await page.getByText('还没有绑定手机号').waitFor()
    expect(page.url()).not.toMatch(/code=|state=/)
  })
})

describe('out', () => {
  it('by logging out: device and server delete the session', async () => {
    const { token, userId } = await login(server, nextMobile())
    const page = await phone()
    await signIn(page, server, JSON.stringify({ version: 1, data: { token, userId } }))
    await open(page, MINE)
    await page.getByText('退出登录').tap()
    await page.getByRole('button', { name: '退出', exact: true }).tap()
    await page.locator('.home').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('gav.session'))).toBeNull()
    expect(await isIn(server, token)).toBe(false)
    secrets.push(token)
  })

  it('by cancelling the account, which a login within fifteen days revokes', async () => {
    const mobile = nextMobile()
    const { token, userId } = await login(server, mobile)
    const page = await phone()
    await signIn(page, server, JSON.stringify({ version: 1, data: { token, userId } }))
    await nextMinute(server)
    await open(page, SETTING)
    await page.getByText('注销账号').tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('获取验证码').tap()
    await sheet.getByText('验证码已发送至').waitFor()
    await sheet.getByLabel('验证码', { exact: true }).fill(await server.smsCode(mobile))
    await sheet.getByRole('checkbox').tap()
    await sheet.getByText('提交注销').tap()
    await page.getByText(/账号将在 .* 注销/).waitFor()
    expect(await isIn(server, token)).toBe(false)
    await sandbox(server, 'clock', { advanceMs: 10 * 86_400_000 })
    const other = await phone()
    await open(other, '/pagesA/pages/mine/message/index')
    await logInByHand({ page: other }, server, mobile)
    await other.getByText('注销已撤回').first().waitFor()
    secrets.push(mobile, token)
  })
})

it('on the first visit the referral is not sent before the visitor has agreed', async () => {
  const page = await phone({ newcomer: true })
  const told: string[] = []
  page.on('request', (r) => {
    const info = r.headers().channelinfo
    if (info) told.push(decodeURIComponent(info))
  })
  await open(page, '/?channelCode=dy&bd_vid=v1')
  await page.getByText('不同意，仅浏览').waitFor()
  expect(told).toEqual([])
  const counted = page.waitForRequest('**/common/public/count/hit')
  await page.getByText('同意', { exact: true }).tap()
  expect((await counted).postDataJSON()).toEqual({ key: 'VISIT', bizId: 'dy' })
  expect(told).toContain('{"channelCode":"dy","bd_vid":"v1"}')
  await page.reload()
  await page.locator('.home-game__name').first().waitFor()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('gav.app') ?? '{}').data.isFirstTimeLaunch)).toBe(
    false,
  )
})

it('the server wrote none of their numbers, tokens and passwords down', () => {
  expect(secrets.length).toBeGreaterThan(3)
  for (const secret of [...secrets, PASSWORD]) expect(server.log()).not.toContain(secret)
})
