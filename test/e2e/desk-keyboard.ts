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

/** Values of the delivery form; of a select, the second option. */
function answerFor(name: string, price: number, comment: string): string | undefined {
  const share = { price: 1, low: 0.9, quick: 0.95, list: 1.05, high: 1.1 }[name]
  if (share !== undefined) return share === 1 ? String(price) : (price * share).toFixed(2)
  if (name === 'comment') return comment
  if (name === 'changed') return '按截图补计两款限定，其余与上一版一致'
  const different = { 'advice-0-channel': '寄售平台', 'advice-1-channel': '同区服玩家群' }[name]
  if (different !== undefined) return different
  if (/^advice-[01]-how$/.test(name)) return '先按建议挂牌价挂出，一周后降到参考价'
  if (/^advice-[01]-fee$/.test(name)) return '6'
  if (/^bind-.*-cost$/.test(name)) return '0'
  if (/^bind-.*-basis$/.test(name)) return '资料写明没有'
  if (/^bargain-[01]-says$/.test(name)) return name.includes('0') ? '同类更便宜' : '先便宜一点马上付'
  if (/^bargain-[01]-how$/.test(name)) return '那些账号少一款限定，差价相符'
  const [, item] = /^(?:note|like)-(\d+)-why$/.exec(name) ?? []
  if (item !== undefined) return `第 ${Number(item) + 1} 项和近期成交相符`
  return planFor(name, price)
}

/** Values of the selling plan: from the list price down to the price, the floor below it. */
function planFor(name: string, price: number): string | undefined {
  const [, step = '', what] = /^plan-([012])-(day|price)$/.exec(name) ?? []
  if (name === 'plan-floor') return (price * 0.95).toFixed(2)
  if (what === 'day') return String(1 + 3 * Number(step))
  return what && (price * (1.05 - 0.02 * Number(step))).toFixed(2)
}

/** Fills the whole delivery form and sends it, going from field to field with Tab. @returns whether it was accepted */
export async function fillByKeyboard(page: Page, price: string, comment: string) {
  await type(page, 'p')
  for (;;) {
    const at = await page.evaluate(() => {
      const here = document.activeElement as HTMLInputElement
      return { tag: here.tagName, type: here.type, name: here.name ?? '', value: here.value, checked: here.checked }
    })
    if (at.tag === 'BUTTON' && at.type === 'submit') break
    const words = answerFor(at.name, Number(price), comment)
    if (words !== undefined) {
      await page.keyboard.press('Control+A')
      await page.keyboard.type(words)
    }
    if (at.tag === 'SELECT' && at.value === '') await page.keyboard.press('ArrowDown')
    if ((at.name.startsWith('check-') || at.name === 'sure') && !at.checked) await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
  }
  const answered = page.waitForResponse((r) => r.url().endsWith('/deliver'))
  await page.keyboard.press('Enter')
  return (await answered).status() < 400
}

/** Delivers, and confirms the desk's warnings. */
export async function deliverByKeyboard(page: Page, price: string, comment: string) {
  if (await fillByKeyboard(page, price, comment)) return
  await page.getByRole('alert').waitFor()
  if ((await page.locator('[name="sure"]').count()) > 0) await fillByKeyboard(page, price, comment)
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
