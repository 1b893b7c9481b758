import type { Answers, FormConfig } from '@/contract/form/types'
import type { Report } from '@/contract/types'
import { type Login, login, payForReport, sandbox } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { plausibleAccount } from './form'
import { ask, nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/** From a locked report to an unlocked one, its comparables, a contrast and a new valuation. */

const DAY = 86_400_000
const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const reportPage = '/pages/evaluation/report/index'

let phone: Phone
let who: Login

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  who = await login(server, nextMobile())
  // not by `signIn`: its blank page has no favicon, which Chromium reports
  await phone.page.goto(server.url)
  const session = JSON.stringify({ version: 1, data: who })
  await phone.page.evaluate((text) => localStorage.setItem('gav.session', text), session)
  await phone.page.goto(server.url)
})
afterEach(async () => {
  await phone.page.screenshot({ path: 'test-results/e2e/report.png' })
  expect(phone.problems).toEqual([])
  await phone.context.close()
})

async function call<T>(group: string, name: string, req: object): Promise<T> {
  const [outcome] = await ask(phone.page, [{ group, name, req }])
  if (outcome?.code !== undefined) throw new Error(`${group}.${name}: ${outcome.code}`)
  return outcome?.data as T
}

/** An account of the game, without fields that only other games have. */
function account(): Answers {
  const known = new Set(hok.fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(plausibleAccount(hok)).filter(([key]) => known.has(key)))
}

async function submit(answers: Answers): Promise<string> {
  const { gameId } = hok
  const { schemaVersion } = await call<FormConfig>('evaluation', 'gameConfig', { gameId, mode: 'AI' })
  const req = { gameId, schemaVersion, answers, source: 'TYPED' }
  return (await call<{ orderId: string }>('evaluation', 'submitAi', req)).orderId
}

/** Opens the report's page. @returns the raw response it is rendered from */
async function openReport(orderId: string): Promise<Report> {
  const { page } = phone
  const answered = page.waitForResponse((r) => r.url().includes('/order/report/get'))
  await page.goto(`${server.url}${reportPage}?orderId=${orderId}`)
  await page.getByText('参考成交价').first().waitFor()
  return ((await (await answered).json()) as { data: Report }).data
}

const text = async () => (await phone.page.locator('body').innerText()).replace(/\s+/g, '')

it.each([
  ['no-preference', ['rp-range-open', 'rp-settle', 'the price counts up']],
  ['reduce', []],
] as const)('prefers-reduced-motion: %s: what moves when a report opens', async (reducedMotion, expected) => {
  const { page } = phone
  const orderId = await submit(account())
  await page.emulateMedia({ reducedMotion })
  await page.addInitScript(() => {
    const moved = new Set<string>()
    Object.assign(window, { moved })
    addEventListener('animationstart', ({ target, animationName }) => {
      if (target instanceof Element && target.closest('.rp')) moved.add(animationName)
    })
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target instanceof Element && target.matches('.rp .counts-up')) moved.add('the price counts up')
    }).observe(document, { attributeFilter: ['class'], subtree: true })
  })
  await openReport(orderId)
  await page.locator('.rp-price .ui-range__range').waitFor()
  const moved = () => page.evaluate(() => [...(window as unknown as { moved: Set<string> }).moved].sort())
  // animations have begun after two frames, and end
  await page.evaluate(async () => {
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)
  })
  await page.locator('.counts-up').waitFor({ state: 'detached' })
  expect(await moved()).toEqual(expected)
})

it('a report is locked, unlocked, repriced, compared, and renewed after it has expired', async () => {
  const { page } = phone
  const answers = account()
  const orderId = await submit(answers)

  // locked parts are absent from the response
  const locked = await openReport(orderId)
  for (const part of ['comparables', 'topItems', 'history', 'raise', 'percentile', 'changed'])
    expect(locked).not.toHaveProperty(part)
  expect(locked.breakdown).toHaveLength(2)
  await page.getByText('解锁完整报告').tap()
  // the newcomer's coupon
  await page.getByText('用券免费解锁').waitFor()
  await page.getByLabel('关闭').tap()

  await payForReport(server, who.token, orderId)
  const open = await openReport(orderId)
  expect(open.breakdown.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(open.price.predictFen)
  await page.getByText('合计', { exact: true }).waitFor()
  expect(await sidewaysScroll(page)).toBe(0)

  // rejects a comparable that is not similar to the account
  const answered = page.waitForResponse((r) => r.url().includes('without='))
  await page.getByText('不像我的号').first().tap()
  const response = await answered
  await page.getByText('剔除 1 个后的估价').waitFor()
  expect(await text()).toContain('保持不变')
  const { repriced, ...kept } = ((await response.json()) as { data: Report }).data
  expect(repriced?.comparables.map(({ id }) => id)).not.toContain(open.comparables?.[0]?.id)
  // trend and time to sell follow the market, whose day other files that use this server may have moved
  const { trend, liquidity } = open
  expect([kept.trend, kept.liquidity].map(Boolean)).toEqual([trend, liquidity].map(Boolean))
  expect({ ...kept, trend, liquidity }).toEqual(open)

  // side by side with another account
  const poor = await submit({ ...answers, skinCount: 20, gloryCount: 0, server: 'ios_qq' })
  await page.goto(`${server.url}/pagesA/pages/evaluation/contrastAnalysis/index?orderIds=${orderId},${poor}`)
  await page.getByText('逐项对比').waitFor()
  expect(await page.locator('.ct-sentence').count()).toBe(3)
  expect(await page.locator('.ct-row', { hasText: '皮肤数' }).first().innerText()).toContain('更高')
  await page.screenshot({ path: 'test-results/e2e/contrast.png' })
  const different = await page.locator('.ct-row').count()
  await page.getByLabel('只看不同').tap()
  await page.waitForFunction((n) => document.querySelectorAll('.ct-row').length > n, different)
  expect(await sidewaysScroll(page)).toBe(0)

  await page.getByText('重新选择').tap()
  await page.locator('.order-card').nth(1).waitFor()
  await page.screenshot({ path: 'test-results/e2e/records.png' })

  // eight days later: expired, and the form has the same answers
  await sandbox(server, 'clock', { advanceMs: 8 * DAY })
  expect((await openReport(orderId)).status).toBe('EXPIRED')
  await page.getByText('重新估价', { exact: true }).tap()
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/fillInInfo/index')
  const skins = page.locator('#field-hok-skinCount input')
  await skins.waitFor()
  expect(await skins.inputValue()).toBe(String(answers.skinCount))
})
