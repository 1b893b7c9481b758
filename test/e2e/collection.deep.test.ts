import { openPhone, type Phone, sidewaysScroll } from './browser'
import { signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The collection at 375×812: consent → code → killed tab → the game's page in a frame → report. */

let phone: Phone
setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.context.close()
})

const READ = '/pages/evaluation/fillInInfo/rpaWebview'
const waitForPath = ({ page }: Phone, path: string) => page.waitForURL((url) => url.pathname === path)
const taskOf = ({ page }: Phone) => new URL(page.url()).searchParams.get('taskId') ?? ''
const choose = (taskId: string, result: string) =>
  fetch(`${server.url}/sandbox/collector`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ taskId, result }),
  })

/** Answers the fields a collection cannot give: the first choice of each, and the id. */
async function answer({ page }: Phone) {
  const groups = await page.getByRole('radiogroup').all()
  for (const group of groups) await group.getByRole('radio').first().tap()
  await page.locator('#field-ys-uid input').fill('812345678')
}

it('from consent through the sandbox’s login page to the report, although the tab is killed', async () => {
  let { page } = phone
  const { context, problems } = phone
  await signIn(page, server)
  // the page used for signing in has no favicon
  problems.length = 0
  await page.goto(`${server.url}${READ}?gameId=ys`)
  for (const words of ['将会读取', '原始数据 7 天', '不允许账号交易']) await page.getByText(words).first().waitFor()
  // without these answers the collection does not start
  await page.getByText('同意并授权', { exact: true }).tap()
  await page.getByText('请选择服务器').first().waitFor()
  await answer(phone)
  await page.getByText('同意并授权', { exact: true }).tap()
  await page.getByText('请完成授权').waitFor()
  await page.getByText(/二维码 1\d\d 秒后自动刷新/).waitFor()
  expect(await sidewaysScroll(page)).toBe(0)
  // another tab of the browser continues the same task
  const task = page.url()
  const second = await context.newPage()
  await second.goto(task)
  await page.close()
  phone.page = second
  page = second
  await page.getByText('请完成授权').waitFor()
  await choose(taskOf(phone), 'COLLECTING')
  await page.getByText('正在读取').first().waitFor()
  await page.getByText('在本机打开授权页').tap()
  await waitForPath(phone, '/pages/home/webview/index')
  const frame = page.frameLocator('iframe')
  await frame.getByText('沙箱', { exact: true }).waitFor()
  // title and back button stay above the framed page
  const bar = await page.getByText('在本机打开授权页').first().boundingBox()
  const shown = await page.locator('iframe').boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(shown?.y ?? 0)
  await frame.getByText('同意授权：顶级账号').tap()
  // once authorised, the game's page closes and the task shows its result
  await page.getByText('读取完成').waitFor()
  expect(page.url()).toBe(task)
  await page.getByText('查看报告', { exact: true }).tap()
  await waitForPath(phone, '/pages/evaluation/report/index')
  await page.getByText('建议挂牌').first().waitFor()
  expect(problems).toEqual([])
})
