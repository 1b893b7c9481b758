import type { Page } from 'playwright-core'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { jpegOf } from '../../server/test/pictures'
import { login } from '../fakes/calls'
import { advanceClock } from '../fakes/shared'
import { newContext, openPhone, type Phone, sidewaysScroll } from './browser'
import { valued } from './orders'
import { nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** A user on a phone chats with a member of staff, each in a separate browser, while the network fails and recovers. */

const HOUR = 3_600_000

setUpBrowser()
beforeAll(async () => {
  // ten in the morning in China, within service hours
  const day = 24 * HOUR
  const now = await advanceClock(server, 0)
  await advanceClock(server, Math.ceil(now / day) * day + 2 * HOUR - now)
})

async function atDesk() {
  const context = await newContext(browser, { viewport: { width: 1280, height: 800 }, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto(`${server.url}/desk/login`)
  await page.getByLabel('登录名').fill(sandboxLogins.appraiser)
  await page.getByLabel('密码').fill(sandboxLogins.password)
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByRole('link', { name: '咨询' }).click()
  await page.getByRole('heading', { name: '咨询', exact: true }).waitFor()
  return page
}

async function write({ page }: Phone, text: string) {
  await page.getByLabel('输入消息').fill(text)
  await page.getByText('发送', { exact: true }).tap()
}
async function answer(desk: Page, text: string) {
  await desk.getByLabel(/^回复/).fill(text)
  await desk.getByRole('button', { name: '发送' }).click()
  await desk.locator('.said.staff', { hasText: text }).waitFor()
}

it('a question with an order and a picture is answered at the desk; a broken network neither loses nor duplicates messages', async () => {
  const who = await login(server, nextMobile())
  const orderId = await valued(server, who)
  const phone = await openPhone(browser)
  await signIn(phone.page, server, JSON.stringify({ version: 1, data: who }))
  await phone.page.goto(`${server.url}/pages/chat/index?orderId=${orderId}`)
  await phone.page.getByText('官方不会索要密码、验证码或保证金').waitFor()
  await phone.page.getByLabel('发送订单或图片').tap()
  await phone.page.getByText('订单或报告', { exact: true }).tap()
  await phone.page.getByRole('dialog').getByText('王者荣耀').first().tap()
  await phone.page.getByText(/^估价报告 · /).waitFor()
  await write(phone, '我的电话 13812345678，能再快一点吗？')
  await phone.page.getByText('138****5678').waitFor()
  await phone.page.getByText('消息里的手机号、证件号或密码已隐藏').waitFor()
  await phone.page.getByLabel('发送订单或图片').tap()
  const chooser = phone.page.waitForEvent('filechooser')
  await phone.page.getByText('图片', { exact: true }).tap()
  await (await chooser).setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(2000) })
  await phone.page.getByText('发送中…').waitFor({ state: 'detached' })
  await phone.page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('.ch-picture img')?.naturalWidth ?? 0) > 0,
  )

  const desk = await atDesk()
  await desk.getByText('条未读').waitFor()
  await desk.locator(`[href="/desk/chat/${who.userId}"]`).click()
  await desk.waitForFunction(() => (document.querySelector<HTMLImageElement>('.said img')?.naturalWidth ?? 0) > 0)
  await phone.page.getByText('已读').waitFor()
  await answer(desk, '您好，已经在看了')
  await phone.page.getByText('您好，已经在看了').waitFor()
  await desk.getByLabel(/^图片/).setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(3000) })
  await desk.getByRole('button', { name: '发送' }).click()
  await desk.locator('.said.staff img').waitFor()
  await phone.page.waitForFunction(() => {
    const pictures = document.querySelectorAll<HTMLImageElement>('.ch-picture img')
    return pictures.length === 2 && [...pictures].every((img) => img.naturalWidth > 0)
  })

  // offline: both continue to write
  await phone.context.setOffline(true)
  await write(phone, '隧道里发的')
  await phone.page.getByText('重试', { exact: true }).waitFor()
  for (const text of ['第一条', '第二条']) await answer(desk, text)
  await phone.context.setOffline(false)
  await phone.page.getByText('第二条').waitFor()
  await phone.page.getByText('重试', { exact: true }).tap()
  await desk.locator('.said.user', { hasText: '隧道里发的' }).waitFor()
  await phone.page.getByText('重试', { exact: true }).waitFor({ state: 'detached' })
  for (const text of ['您好，已经在看了', '第一条', '第二条', '隧道里发的'])
    expect([text, await phone.page.locator('.ch-bubble', { hasText: text }).count()]).toEqual([text, 1])
  // all messages are shown again, and so is the unsent draft
  await phone.page.getByLabel('输入消息').fill('写到一半')
  await phone.page.reload()
  await phone.page.waitForFunction(() => document.querySelector('textarea')?.value === '写到一半')
  await phone.page.getByText('隧道里发的').waitFor()
  await phone.page.getByText('隧道里发的').scrollIntoViewIfNeeded()
  // with the greeting
  expect(await phone.page.locator('.ch-bubble').count()).toBe(7)
  expect(await sidewaysScroll(phone.page)).toBe(0)
  await desk.setViewportSize({ width: 375, height: 812 })
  expect(await sidewaysScroll(desk)).toBe(0)
  expect(phone.problems.filter((p) => !/ERR_INTERNET_DISCONNECTED/.test(p))).toEqual([])
})
