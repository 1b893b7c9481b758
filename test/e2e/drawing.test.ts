import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'acorn'
import type { CDPSession, Page } from 'playwright-core'
import { login } from '../fakes/calls'
import { openPhone, type Phone } from './browser'
import { provenAdult, valued } from './orders'
import { nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Input, gestures and rendering of the h5 build that need a real browser. */

const FORM = '/pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'
const HELP = '/pagesA/pages/home/helpCenter/index'

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(async () => {
  await phone.context.close()
})

/** Enters text as a keyboard does, and returns the field's value synchronously. */
const insert = (page: Page, text: string) =>
  page.evaluate((typed) => {
    document.execCommand('insertText', false, typed)
    return (document.activeElement as HTMLInputElement).value
  }, text)

const touch = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
  cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })

async function openHome(page: Page) {
  await page.goto(server.url)
  await page.locator('.home-game__name').first().waitFor()
}

it('rejected text never appears in an input, not even for a frame', async () => {
  const { page, problems } = phone
  const who = await login(server, nextMobile())
  await provenAdult(server, who)
  await valued(server, who)
  await signIn(page, server, JSON.stringify({ version: 1, data: who }))
  await page.goto(server.url + FORM)
  const next = page.getByText('下一步', { exact: true })
  await next.tap()
  await page.getByText('不补了').tap()
  await page.getByText('沿用').tap()
  const id = page.getByLabel('营地ID', { exact: true })
  await id.fill('')
  await id.focus()
  // the first text is not kept: the field's controlled value has not changed
  expect(await insert(page, 'x')).toBe('')
  expect(await insert(page, '8')).toBe('8')
  expect(await insert(page, '7')).toBe('87')
  expect(await insert(page, '万')).toBe('87')
  await page.keyboard.press('Backspace')
  expect(await id.inputValue()).toBe('8')
  expect(await insert(page, ' １２3-4 ５６')).toBe('8123456')
  await next.tap()
  const more = page.getByLabel('补充说明', { exact: true })
  await more.focus()
  await insert(page, '字'.repeat(220))
  expect(await more.inputValue()).toHaveLength(200)
  await page.getByText('200/200').waitFor()
  // characters are counted as the contract counts them: an emoji is one
  await more.fill('')
  expect(await insert(page, '😀'.repeat(199))).toBe('😀'.repeat(199))
  await more.evaluate((el: HTMLTextAreaElement) => el.setSelectionRange(4, 4))
  expect(await insert(page, '一二')).toBe(`😀😀一${'😀'.repeat(197)}`)
  expect(await insert(page, '三')).toBe(`😀😀一${'😀'.repeat(197)}`)
  await page.getByText('200/200').waitFor()
  expect(problems).toEqual([])
})

it('text being composed by an input method is not changed, and is validated once committed', async () => {
  const { page, context, problems } = phone
  await page.goto(server.url + HELP)
  const search = page.getByLabel('搜索问题')
  await search.tap()
  const found = page.locator('.help-item')
  await found.first().waitFor()
  const all = await found.count()
  const cdp = await context.newCDPSession(page)
  for (const text of ['t', 'tui', 'tui kuan'])
    await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  expect(await search.inputValue()).toBe('tui kuan')
  expect(await found.count()).toBe(all)
  await cdp.send('Input.insertText', { text: '退款' })
  await page.waitForFunction((n) => document.querySelectorAll('.help-item').length < n, all)
  expect(await search.inputValue()).toBe('退款')
  await page.getByLabel('清空').tap()
  await page.waitForFunction((n) => document.querySelectorAll('.help-item').length === n, all)
  expect(await search.inputValue()).toBe('')
  expect(problems).toEqual([])
})

it('neither two fingers nor a double tap zoom the page', async () => {
  const { page, context } = phone
  await openHome(page)
  const cdp = await context.newCDPSession(page)
  const zoom = () => page.evaluate(() => window.visualViewport?.scale)
  await page.evaluate(() => {
    const blocked: boolean[] = []
    Object.assign(window, { blocked })
    addEventListener('touchstart', (e) => e.touches.length > 1 && blocked.push(e.defaultPrevented))
  })
  await touch(cdp, 'touchStart', [150, 400], [220, 400])
  for (const wide of [20, 60, 100]) await touch(cdp, 'touchMove', [150 - wide, 400], [220 + wide, 400])
  await touch(cdp, 'touchEnd')
  expect(await page.evaluate(() => (window as unknown as { blocked: boolean[] }).blocked)).toEqual([true])
  expect(await zoom()).toBe(1)
  const box = await page.locator('.home__legal').first().boundingBox()
  if (!box) throw new Error('nothing to tap')
  const spot: [number, number] = [box.x + box.width / 2, box.y + box.height / 2]
  // in immediate succession
  await Promise.all([spot, spot].flatMap((place) => [touch(cdp, 'touchStart', place), touch(cdp, 'touchEnd')]))
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await zoom()).toBe(1)
})

it('home is refreshed by pulling it down, also on a row that scrolls sideways', async () => {
  const { page, context } = phone
  await openHome(page)
  // until then the server's first screen covers the app and receives the touch
  await page.locator('#first').waitFor({ state: 'detached' })
  const cdp = await context.newCDPSession(page)
  const again = page.waitForRequest('**/game/hot/game')
  await touch(cdp, 'touchStart', [180, 200])
  for (let y = 220; y <= 520; y += 20) await touch(cdp, 'touchMove', [180, y])
  await touch(cdp, 'touchEnd')
  await again
  const row = page.locator('.home-samples')
  // a second card: the test's server has one sample only
  await row.evaluate((el) => el.firstElementChild && el.append(el.firstElementChild.cloneNode(true)))
  await touch(cdp, 'touchStart', [300, 200])
  for (let x = 280; x >= 60; x -= 20) await touch(cdp, 'touchMove', [x, 200 + (300 - x) / 8])
  await touch(cdp, 'touchEnd')
  await page.waitForFunction((el) => (el?.scrollLeft ?? 0) > 100, await row.elementHandle())
})

it('every script can be parsed by the oldest supported browsers, Chrome 70 and iOS 12', () => {
  // files that are bundled unchanged (packages, config/shims) are not compiled
  const scripts = readdirSync('dist/h5/js').filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  for (const name of scripts) {
    const read = () => parse(readFileSync(`dist/h5/js/${name}`, 'utf8'), { ecmaVersion: 2019 })
    expect(read).not.toThrow()
  }
})
