import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import type { Answers, FormConfig } from '@/contract/form/types'
import { estimate } from '@/contract/format'
import type { Report } from '@/contract/types'
import { type Login, login, payForReport, post, read } from '../fakes/calls'
import { startServer, type TestServer } from '../fakes/server'
import { launchOwn, newContext, openPhone, type Phone, sidewaysScroll } from './browser'
import { plausibleAccount } from './form'
import { logInByHand, nextMobile } from './session'

/** Unlock by invitation: friends unlock a report while its owner watches. */

const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const reportPage = '/pages/evaluation/report/index'
const invitePage = '/pages/evaluation/report/unlock/invite'
const chooseGame = '/pages/evaluation/chooseGame'
const acceptPage = '/pages/evaluation/report/unlock/accept'

let browser: Browser
let server: TestServer
let phones: Phone[]

const env = { AI_FREE_PER_DAY: '50', HELP_TARGET: '2', EMBED_ORIGINS: 'https://mini.example' }
beforeAll(async () => {
  mkdirSync('test-results/e2e', { recursive: true })
  ;[browser, server] = await Promise.all([launchOwn(), startServer({ env })])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})
beforeEach(() => {
  phones = []
})
afterEach(async () => {
  for (const { problems } of phones) expect(problems).toEqual([])
  await Promise.all(phones.map(({ context }) => context.close()))
})

async function phoneOf(who?: Login): Promise<Phone> {
  const phone = await openPhone(browser)
  phones.push(phone)
  await phone.page.goto(server.url)
  if (!who) return phone
  const session = JSON.stringify({ version: 1, data: who })
  await phone.page.evaluate((text) => localStorage.setItem('gav.session', text), session)
  return phone
}

async function submit({ token }: Login): Promise<string> {
  const known = new Set(hok.fields.map(({ key }) => key))
  const answers = Object.fromEntries(Object.entries(plausibleAccount(hok)).filter(([key]) => known.has(key))) as Answers
  const req = { gameId: 'hok', schemaVersion: hok.schemaVersion, answers, source: 'TYPED' }
  return (await post<{ orderId: string }>(server, '/app-api/api/evaluate/user/game/submit/ai', req, token)).orderId
}

const text = async ({ page }: Phone) => (await page.locator('body').innerText()).replace(/\s+/g, ' ')
const picture = ({ page }: Phone, name: string) => page.screenshot({ path: `test-results/e2e/unlock-${name}.png` })

it('the owner invites, friends help on their phones, and the report unlocks on the owner’s open page', async () => {
  const who = await login(server, nextMobile())
  const orderId = await submit(who)
  const owner = await phoneOf(who)
  await owner.page.goto(`${server.url}${reportPage}?orderId=${orderId}`)
  await owner.page.getByText('解锁完整报告').tap()
  const answered = owner.page.waitForResponse((r) => r.url().includes('/order/unlock/record'))
  await owner.page.getByText('邀请好友助力解锁').tap()
  await owner.page.waitForURL((url) => url.pathname === invitePage)
  await owner.page.getByText('已助力 0/2').waitFor()
  const { recordId } = ((await (await answered).json()) as { data: { recordId: string } }).data
  await owner.page.getByText('用券免费解锁').waitFor()
  const sizes = await owner.page.locator('.un-methods .ui-btn').evaluateAll((all) =>
    all.map((el) => {
      const { width, height } = el.getBoundingClientRect()
      return `${width}×${height}`
    }),
  )
  expect(new Set(sizes).size).toBe(1)
  expect(await sidewaysScroll(owner.page)).toBe(0)
  await picture(owner, 'invite')

  // a friend without a login logs in and returns to the same page
  const link = `${server.url}${acceptPage}?recordId=${recordId}`
  const friend = await phoneOf()
  await friend.page.goto(link)
  await friend.page.waitForURL((url) => url.pathname === '/pagesA/pages/login/h5/index')
  await logInByHand(friend, server)
  await friend.page.getByText('帮TA解锁', { exact: true }).waitFor()
  expect(new URL(friend.page.url()).searchParams.get('recordId')).toBe(recordId)
  expect(await text(friend)).toContain('不会获取您的任何游戏信息')
  expect(await text(friend)).not.toContain('¥')
  await picture(friend, 'accept')
  await friend.page.getByText('帮TA解锁', { exact: true }).tap()
  await friend.page.getByText('助力成功，谢谢您').waitFor()
  await picture(friend, 'helped')
  await friend.page.goto(link)
  await friend.page.getByText('每份报告只能助力一次').waitFor()

  // the owner sees the help arrive, and cannot help from the same phone with another account
  await owner.page.getByText('已助力 1/2').waitFor()
  await picture(owner, 'one')
  const other = await login(server, nextMobile())
  // both tabs share a session: the owner's tab would restart as the other account
  const watched = owner.page.url()
  await owner.page.goto('about:blank')
  const tab = await owner.context.newPage()
  await tab.goto(`${server.url}/healthz`)
  await tab.evaluate((value) => localStorage.setItem('gav.session', value), JSON.stringify({ version: 1, data: other }))
  await tab.goto(link)
  await tab.getByText('帮TA解锁', { exact: true }).tap()
  await tab.getByText('账号异常').waitFor()
  await tab.evaluate((value) => localStorage.setItem('gav.session', value), JSON.stringify({ version: 1, data: who }))
  await tab.close()
  await owner.page.goto(watched)
  await owner.page.getByText('已助力 1/2').waitFor()

  const second = await phoneOf(await login(server, nextMobile()))
  await second.page.goto(link)
  // the celebration lasts some seconds, so it is awaited while the other page still loads
  await Promise.all([
    owner.page.getByText('解锁成功').waitFor(),
    second.page.getByText('帮TA解锁', { exact: true }).tap(),
  ])
  await second.page.getByText('对方的完整报告已经解锁').waitFor()
  await picture(owner, 'celebrate')
  await owner.page.waitForURL((url) => url.pathname === reportPage)
  await owner.page.getByText('合计', { exact: true }).waitFor()
  // the celebration is shown once
  await owner.page.goto(`${server.url}${invitePage}?orderId=${orderId}`)
  await owner.page.waitForURL((url) => url.pathname === reportPage)

  const late = await phoneOf(await login(server, nextMobile()))
  await late.page.goto(link)
  await late.page.getByText('不需要再助力了').waitFor()
  await late.page.getByText('我也要估价').tap()
  await late.page.waitForURL((url) => url.pathname === chooseGame)
})

const order = '/app-api/api/evaluate/user/order'
type Shared = { url: string; shareToken: string }

it('a friend reads a shared report and values an account; after revocation the next load shows it', async () => {
  const who = await login(server, nextMobile())
  const orderId = await submit(who)
  await payForReport(server, who.token, orderId)
  const owner = await phoneOf(who)
  await owner.page.goto(`${server.url}${reportPage}?orderId=${orderId}`)
  await owner.page.getByText('分享', { exact: true }).tap()
  const answered = owner.page.waitForResponse((r) => r.url().includes('/report-image/share'))
  await owner.page.getByText('生成分享链接').tap()
  const { url } = ((await (await answered).json()) as { data: Shared }).data
  await owner.page.getByText(/^(复制分享链接|发给好友)$/).waitFor()
  await picture(owner, 'share')

  // readable without a login, also by an older link; valuing one's own account requires one
  const friend = await phoneOf()
  await friend.page.goto(url.replace('/wxIframe?', '/index?'))
  await friend.page.getByText('这是好友分享给您的报告').waitFor()
  expect(friend.page.url()).toBe(url)
  await friend.page.getByText('可比账号', { exact: true }).waitFor()
  for (const own of ['不像我的号', '怎样更值钱', '估价记录']) expect(await text(friend)).not.toContain(own)
  expect(await sidewaysScroll(friend.page)).toBe(0)
  await picture(friend, 'visitor')
  // the proof opens in our app, from which the visitor can return
  await friend.page.getByText('已签名，可验真').tap()
  await friend.page.frameLocator('iframe').getByText('报告验证').first().waitFor()
  await picture(friend, 'proof')
  await friend.page.goBack()
  await friend.page.getByText('估我的号').tap()
  await friend.page.waitForURL(({ pathname }) => pathname === '/pagesA/pages/login/h5/index')
  await logInByHand(friend, server)
  await friend.page.waitForURL(({ pathname }) => pathname === chooseGame)

  await owner.page.getByText('撤回分享').tap()
  await owner.page.getByText('撤回', { exact: true }).tap()
  await owner.page.getByText('之前发出的链接已失效').waitFor()
  await friend.page.goto(url)
  await friend.page.getByText('该分享已撤回').waitFor()
  await picture(friend, 'withdrawn')

  // embedded in another site: readable without a login, and without navigation
  const asked = { orderId, embed: true as never }
  const embedded = await read<Shared>(server, `${order}/get/report-image/share`, asked, who.token)
  const reader = await phoneOf()
  await reader.page.goto(embedded.url)
  await reader.page.getByText('报告信息').waitFor()
  expect(new URL(reader.page.url()).pathname).toBe('/pages/evaluation/report/wxIframe')
  // the only controls are those that expand a section
  expect(await reader.page.locator('a, [role=button]:not([aria-expanded]), .ui-nav, .ui-action').count()).toBe(0)
  await picture(reader, 'embed')
  await framed(embedded.url)
})

/** Embedded by a site that is allowed to, and by one that is not. */
async function framed(url: string) {
  const context = await newContext(browser)
  // browsers block public pages from framing localhost, so the server gets a public host name
  const html = `<link rel=icon href=data:,><iframe src="${url.replace(server.url, 'https://gz.test')}"></iframe>`
  await context.route(/^https:\/\/\w+\.example\//, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await context.route('https://gz.test/**', async (route) =>
    route.fulfill({
      response: await route.fetch({ url: route.request().url().replace('https://gz.test', server.url) }),
    }),
  )
  const page = await context.newPage()
  await page.goto('https://mini.example/')
  await page.frameLocator('iframe').getByText('报告信息').waitFor({ state: 'attached' })
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto('https://evil.example/')
  await refused
  expect(await page.frameLocator('iframe').getByText('报告信息').count()).toBe(0)
  await context.close()
}

const featuredPage = '/pages/evaluation/report/highQuality'

it('an owner consents to feature a report, a stranger reads it; after withdrawal it is gone from list and page', async () => {
  const who = await login(server, nextMobile())
  await payForReport(server, who.token, await submit(who))
  const stranger = await phoneOf()
  const featured = `${server.url}${featuredPage}`
  await stranger.page.goto(featured)
  await stranger.page.getByText('这里还没有报告').waitFor()

  const owner = await phoneOf(who)
  await owner.page.goto(`${server.url}/pagesA/pages/mine/setting/index`)
  const agree = owner.page.getByRole('switch', { name: '展示我的报告' })
  const asked = async (on: boolean) => {
    const answered = owner.page.waitForResponse((r) => r.url().includes('/user-settings/update'))
    await agree.tap()
    await answered
    await owner.page.waitForFunction(
      ([name, state]) => document.querySelector(`[role=switch][aria-label="${name}"]`)?.ariaChecked === state,
      ['展示我的报告', String(on)] as const,
    )
  }
  expect(await agree.getAttribute('aria-checked')).toBe('false')
  await asked(true)

  // a search that began before the consent may still be answered, for seconds
  const shown = stranger.page.getByText('为什么入选')
  const isShown = async () => {
    await stranger.page.goto(featured)
    await shown.or(stranger.page.getByText('这里还没有报告')).waitFor()
    return shown.isVisible()
  }
  for (let tries = 0; !(await isShown()); tries += 1) expect(tries).toBeLessThan(20)
  await picture(stranger, 'featured')
  expect(await text(stranger)).toContain('经用户同意展示')
  expect(await sidewaysScroll(stranger.page)).toBe(0)
  await stranger.page.getByText('为什么入选').tap()
  await stranger.page.getByText('报告信息').waitFor()
  for (const own of ['怎样更值钱', '估价记录', '12345678', who.userId]) expect(await text(stranger)).not.toContain(own)
  const reading = stranger.page.url()
  await stranger.page.getByRole('link', { name: '估我的号' }).waitFor()
  await picture(stranger, 'excellent')
  await stranger.page.getByLabel('返回').and(stranger.page.locator(':visible')).tap()
  await stranger.page.waitForURL(({ pathname }) => pathname === featuredPage)

  await asked(false)
  await stranger.page.goto(reading)
  await stranger.page.getByText('这份报告已不再展示').waitFor()
  await stranger.page.goto(featured)
  await stranger.page.getByText('这里还没有报告').waitFor()
  await stranger.page.getByText('估我的号').tap()
  await stranger.page.waitForURL(({ pathname }) => pathname === '/pagesA/pages/login/h5/index')
})

it('anybody with the code of a report sees its real content, without script', async () => {
  const who = await login(server, nextMobile())
  const report = await read<Report>(server, `${order}/report/get`, { orderId: await submit(who) }, who.token)
  const context = await newContext(browser, { viewport: { width: 375, height: 812 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(report.verifyUrl ?? '')
  expect(await page.locator('h1').innerText()).toBe('有效')
  const facts = await page.locator('dl').innerText()
  for (const fact of [report.reportNo, report.title, estimate(report.price.predictFen)]) expect(facts).toContain(fact)
  expect(await sidewaysScroll(page)).toBe(0)
  await page.screenshot({ path: 'test-results/e2e/verify.png', fullPage: true })
  await page.goto(`${server.url}/v/${report.reportNo}`)
  expect(await page.locator('h1').innerText()).toBe('请扫码验证')
  await page.screenshot({ path: 'test-results/e2e/verify-invalid.png' })
  await context.close()
})
