import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { type Login, login } from '../fakes/calls'
import { startServer, type TestServer } from '../fakes/server'
import { launchOwn, openPhone, type Phone, sidewaysScroll } from './browser'
import { valued } from './orders'
import { logInByHand, nextMobile } from './session'

/** Unlock by invitation: friends unlock a report while its owner watches. */

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

const text = async ({ page }: Phone) => (await page.locator('body').innerText()).replace(/\s+/g, ' ')
const picture = ({ page }: Phone, name: string) => page.screenshot({ path: `test-results/e2e/unlock-${name}.png` })

it('the owner invites, friends help on their phones, and the report unlocks on the owner’s open page', async () => {
  const who = await login(server, nextMobile())
  const orderId = await valued(server, who)
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
