/** The staff's desk in a real browser, operated by keyboard. */
import type { Page } from 'playwright-core'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { newContext } from './browser'
import { reach, type } from './keyboard'
import { browser, server } from './setup'

/** A desktop browser that records every problem of its pages. */
export async function openDesk() {
  const context = await newContext(browser, { viewport: { width: 1280, height: 800 }, locale: 'zh-CN' })
  const page = await context.newPage()
  const problems: string[] = []
  // a form that is refused or to be confirmed is answered with 400
  page.on('console', (m) => {
    if (m.type() === 'error' && !/status of 400/.test(m.text())) problems.push(`${m.text()} ${m.location().url}`)
  })
  page.on('pageerror', (e) => problems.push(e.message))
  return { context, page, problems }
}

export const saw = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()

export async function signIn(page: Page, name: string) {
  await page.goto(`${server.url}/desk`)
  await page.waitForURL(/\/desk\/login$/)
  // keys pressed before the field has the focus are lost
  await page.locator('input:focus').waitFor()
  await type(page, name, 'Tab', sandboxLogins.password, 'Enter')
  await page.getByRole('heading', { name: '订单', exact: true }).waitFor()
}

export async function estimateFirst(page: Page, yuan: string) {
  await type(page, 'p', yuan, 'Enter')
  await saw(page, '首次估价已保存')
}

/** What an appraiser changes besides price and comment: the largest lines, and the first comparables. */
interface Corrections {
  lines?: number
  struck?: number
}

/**
 * Fills the delivery form by keyboard and sends it with Ctrl+Enter.
 * @returns the number of actions: values typed, choices made and commands given; Tab only leads from one to the next
 */
export async function deliverByKeyboard(
  page: Page,
  price: string,
  comment: string,
  { lines = 0, struck = 0 }: Corrections = {},
): Promise<number> {
  let actions = 0
  const act = async (key: string) => {
    await page.keyboard.press(key)
    actions += 1
  }
  const fill = async (name: string, value: string) => {
    await reach(page, page.locator(`[name="${name}"]`))
    await page.keyboard.press('Control+A')
    await page.keyboard.type(value)
    actions += 1
  }
  const names = (prefix: string) =>
    page
      .locator(`[name^="${prefix}"]`)
      .evaluateAll((all) => [...new Set(all.map((input) => (input as HTMLInputElement).name))])
  for (const name of (await names('own-')).slice(0, lines)) {
    await fill(name, '10')
    await fill(name.replace('own-', 'why-'), '近期成交走低')
  }
  for (const name of (await names('strike-')).slice(0, struck)) {
    await reach(page, page.locator(`details:has([name="${name}"]) summary`).first())
    await act('Enter')
    await reach(page, page.locator(`[name="${name}"]:checked`))
    await act('ArrowDown')
  }
  const yuan = Number(price)
  await fill('price', price)
  await fill('low', (yuan * 0.9).toFixed(2))
  await fill('high', (yuan * 1.1).toFixed(2))
  await fill('comment', comment)
  for (const name of await names('check-')) {
    const box = page.locator(`[name="${name}"]`)
    await reach(page, box)
    if (!(await box.isChecked())) await act('Space')
  }
  await act('Control+Enter')
  return actions
}

/** Moves down to the row and opens it. */
export async function openRow(page: Page, orderId: string) {
  // all rows are there
  await page.waitForLoadState()
  const here = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '')
  const rows = await page.locator('[data-row]').count()
  for (let i = 0; i < rows && !(await here()).endsWith(orderId); i += 1) await type(page, 'j')
  await type(page, 'Enter')
  await page.waitForURL(new RegExp(`/desk/orders/${orderId}`))
}

/** Makes an account at the desk. @returns its one-time password */
export async function hire(
  page: Page,
  { name, nick, role }: { name: string; nick: string; role: string },
): Promise<string> {
  await page.goto(`${server.url}/desk/staff`)
  await page.getByLabel('登录名').fill(name)
  await page.getByLabel('称呼（用户会看到）').fill(nick)
  await page.getByLabel('角色').selectOption(role)
  await page.getByRole('button', { name: '新增', exact: true }).click()
  return page.locator('.price code').innerText()
}

/** At the first sign-in, staff must set their own password. */
export async function firstSignIn(page: Page, name: string, password: string) {
  await page.goto(`${server.url}/desk`)
  await page.locator('input:focus').waitFor()
  await type(page, name, 'Tab', password, 'Enter')
  await page.getByText('这是一次性密码').waitFor()
  await reach(page, page.getByLabel('原密码'))
  await type(page, password, 'Tab', 'Xiaobei2026go', 'Tab', 'Xiaobei2026go', 'Enter')
  await page.getByRole('navigation').waitFor()
}

export async function toQueue(page: Page, orderId: string) {
  await type(page, 'u')
  await page.waitForURL(/\/desk$/)
  await openRow(page, orderId)
}
