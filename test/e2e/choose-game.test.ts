import { openPhone, type Phone, sidewaysScroll } from './browser'
import { nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Choosing a game: the search box has the focus, nicknames and initials match, a missing game can be reported. */

const MOBILE = nextMobile()
const SEARCH = '搜索名称、拼音或首字母'
let phone: Phone

setUpBrowser()
beforeAll(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone?.page.screenshot({ path: 'test-results/e2e/choose-game.png' })
})

const picture = (name: string) =>
  process.env.SCREENSHOTS
    ? phone.page.screenshot({ path: `test-results/e2e/choose-${name}.png`, scale: 'css' })
    : undefined

async function logIn() {
  const { page } = phone
  await page.goto(`${server.url}/pages/evaluation/chooseGame`)
  await page.getByLabel('手机号').first().fill(MOBILE)
  await page.getByText('获取验证码').tap()
  await page.getByText('验证码已发送至').waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.smsCode(MOBILE))
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/chooseGame')
}

it('finds by initials and nickname, reports a missing game, and thanks for it', async () => {
  const { page, problems } = phone
  await logIn()
  await page.goto(server.url)
  await page.getByText('搜索游戏').first().tap()
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/chooseGame')
  // home stays in the document, hidden
  const screen = page.locator('.choose')
  await screen.getByText('原神').first().waitFor()
  const box = page.getByLabel(SEARCH)
  await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, SEARCH)
  await picture('all')

  for (const [word, name] of [
    ['wzry', '王者荣耀'],
    ['xingtie', '崩坏：星穹铁道'],
    ['吃鸡', '和平精英'],
  ] as const) {
    await box.fill(word)
    await screen.getByText('原神').first().waitFor({ state: 'detached' })
    await screen.getByText(name).first().waitFor()
    await box.fill('')
    await screen.getByText('原神').first().waitFor()
  }

  await box.fill('第五人格')
  await screen.getByText('没有找到“第五人格”').waitFor()
  await picture('none')
  await screen.getByText('告诉我们').tap()
  const sheet = page.getByRole('dialog')
  expect(await sheet.getByLabel('游戏名称').inputValue()).toBe('第五人格')
  await sheet.getByText('安卓', { exact: true }).tap()
  await picture('wish')
  expect(await sidewaysScroll(page)).toBe(0)
  await sheet.getByText('提交', { exact: true }).tap()
  await page.getByText('已记下“第五人格”').waitFor()
  await picture('thanks')
  await sheet.getByLabel('关闭').tap()
  await sheet.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})
