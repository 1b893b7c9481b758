import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'acorn'
import type { Page } from 'playwright-core'
import { openPhone, type Phone } from './browser'
import { signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Rendering of the h5 build that needs a real browser: controlled fields, focus, errors while rendering. */

const FORM = '/pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'
const HELP = '/pagesA/pages/home/helpCenter/index'

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(async () => {
  await phone.page.screenshot({ path: 'test-results/e2e/drawing.png' })
  await phone.context.close()
})

/** Enters text as a keyboard does, and returns the field's value synchronously. */
const insert = (page: Page, text: string) =>
  page.evaluate((typed) => {
    document.execCommand('insertText', false, typed)
    return (document.activeElement as HTMLInputElement).value
  }, text)

const focused = (page: Page, name: string) =>
  page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, name)

it('rejected text never appears in an input, not even for a frame', async () => {
  const { page, problems } = phone
  await page.goto(server.url + FORM)
  const id = page.getByLabel('营地ID', { exact: true })
  await id.focus()
  // the first text is not kept: the field's controlled value has not changed
  expect(await insert(page, 'x')).toBe('')
  expect(await insert(page, '8')).toBe('8')
  expect(await insert(page, '7')).toBe('87')
  expect(await insert(page, '万')).toBe('87')
  await page.keyboard.press('Backspace')
  expect(await id.inputValue()).toBe('8')
  expect(await insert(page, ' １２3-4 ')).toBe('81234')
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

it('a sheet traps the keyboard focus and returns it to the element that opened it', async () => {
  const { page, problems } = phone
  await page.goto(server.url + FORM)
  const name = '段位，请选择段位'
  await page.getByLabel(name).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused(page, name)
  expect(problems).toEqual([])
})

it('a screen with a rendering error keeps its frame and can be restarted', async () => {
  const { page, problems } = phone
  const help = '**/app-api/**/help/center*'
  await page.route(help, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), data: [{ title: '', items: 'none' }] } })
  })
  await page.goto(server.url + HELP)
  await page.getByText('页面出错了').waitFor()
  await page.getByText('帮助中心').first().waitFor()
  await page.unroute(help)
  // until then the same request returns the same result
  const broken = await page.evaluate(() => performance.now())
  await page.waitForFunction((from) => performance.now() - from > 300, broken)
  await page.getByText('点击重试').tap()
  await page.locator('.help-item').first().waitFor()
  expect(await page.getByText('页面出错了').count()).toBe(0)
  // logged by React, and by the app
  expect(problems).toEqual([expect.stringContaining('TypeError'), expect.stringContaining('screen failed')])
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
