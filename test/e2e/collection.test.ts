/** @group long */
import { keysOf, taskFailText } from '@/contract/labels'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The collection at 375×812: consent → code → steps → report, every failure, kill and resume, web pages. */

let phone: Phone
setUpBrowser()
/** Whether the next test continues on this test's page: loading a first page takes three times as long as a later one. */
let reusesPhone = false
beforeEach(async () => {
  if (!reusesPhone) phone = await openPhone(browser)
})
afterEach(async () => {
  await phone.page.screenshot({ path: 'test-results/e2e/collection.png' })
  if (!reusesPhone) await phone.context.close()
})

const READ = '/pages/evaluation/fillInInfo/rpaWebview'
const at = ({ page }: Phone, path: string) => page.waitForURL((url) => url.pathname === path)
const taskOf = ({ page }: Phone) => new URL(page.url()).searchParams.get('taskId') ?? ''
const choose = (taskId: string, result: string, account?: string) =>
  fetch(`${server.url}/sandbox/collector`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ taskId, result, account }),
  })

/** Answers the fields a collection cannot give: the first choice of each, and the id. */
async function answer({ page }: Phone) {
  const groups = await page.getByRole('radiogroup').all()
  for (const group of groups) await group.getByRole('radio').first().tap()
  await page.locator('#field-ys-uid input').fill('812345678')
}

/** To the running task of 原神. */
async function begin(p: Phone) {
  await signIn(p.page, server)
  await p.page.goto(`${server.url}${READ}?gameId=ys`)
  await p.page.getByText('将会读取').waitFor()
  await answer(p)
  await p.page.getByText('同意并授权', { exact: true }).tap()
  await p.page.waitForURL((url) => url.searchParams.has('taskId'))
  await p.page.getByText('请完成授权').waitFor()
  return taskOf(p)
}

it('from consent to report through the sandbox’s login page', async () => {
  const { page, problems } = phone
  await signIn(page, server)
  // the page used for signing in has no favicon
  problems.length = 0
  await page.goto(`${server.url}${READ}?gameId=ys`)
  for (const words of ['将会读取', '原始数据 7 天', '不允许账号交易']) await page.getByText(words).first().waitFor()
  // without these answers the collection does not start
  await page.getByText('同意并授权', { exact: true }).tap()
  await page.getByText('请选择服务器').first().waitFor()
  await page.screenshot({ path: 'test-results/e2e/collection-consent.png', fullPage: true })
  await answer(phone)
  await page.getByText('同意并授权', { exact: true }).tap()
  await page.getByText('请完成授权').waitFor()
  await page.getByText(/二维码 1\d\d 秒后自动刷新/).waitFor()
  expect(await sidewaysScroll(page)).toBe(0)
  await page.screenshot({ path: 'test-results/e2e/collection-qr.png', fullPage: true })
  const task = page.url()
  await choose(taskOf(phone), 'COLLECTING')
  await page.getByText('正在读取').first().waitFor()
  await page.screenshot({ path: 'test-results/e2e/collection-running.png', fullPage: true })
  await page.getByText('在本机打开授权页').tap()
  await at(phone, '/pages/home/webview/index')
  const frame = page.frameLocator('iframe')
  await frame.getByText('沙箱', { exact: true }).waitFor()
  // title and back button stay above the framed page
  const bar = await page.getByText('在本机打开授权页').first().boundingBox()
  const shown = await page.locator('iframe').boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(shown?.y ?? 0)
  await page.screenshot({ path: 'test-results/e2e/collection-sandbox.png' })
  await frame.getByText('同意授权：顶级账号').tap()
  // once authorised, the game's page closes and the task shows its result
  await page.getByText('读取完成').waitFor()
  expect(page.url()).toBe(task)
  await page.screenshot({ path: 'test-results/e2e/collection-done.png', fullPage: true })
  await page.getByText('查看报告', { exact: true }).tap()
  await at(phone, '/pages/evaluation/report/index')
  await page.getByText('参考成交价').first().waitFor()
  expect(problems).toEqual([])
})

const ways = keysOf(taskFailText).filter((code) => code !== 'SAMPLE_INSUFFICIENT')
it.each(ways)('%s: shows the reason, and the next step works', async (code) => {
  // after authorising again, the task can fail with the next reason
  const taskId = reusesPhone ? taskOf(phone) : await begin(phone)
  reusesPhone = false
  await choose(taskId, code)
  await phone.page.getByText(taskFailText[code]).waitFor()
  await phone.page.getByText('这次不占用免费次数').waitFor()
  await phone.page.getByText('重新授权', { exact: true }).tap()
  await phone.page.getByText('将会读取').waitFor()
  await phone.page.getByText('同意并授权', { exact: true }).tap()
  await phone.page.getByText('请完成授权').waitFor()
  expect(taskOf(phone)).not.toBe(taskId)
  reusesPhone = code !== ways.at(-1)
})

it('a failed read is restarted from the records, and its own order gets the report', async () => {
  const { page } = phone
  await choose(await begin(phone), 'READ_TIMEOUT')
  await page.getByText(taskFailText.READ_TIMEOUT).waitFor()
  await page.goto(`${server.url}/pagesA/pages/mine/evaluation/records`)
  await page.getByText('重新授权', { exact: true }).tap()
  await at(phone, READ)
  const orderId = new URL(page.url()).searchParams.get('orderId')
  await page.getByText('将会读取').waitFor()
  await page.getByText('同意并授权', { exact: true }).tap()
  await page.getByText('请完成授权').waitFor()
  await choose(taskOf(phone), 'SUCCESS')
  await page.getByText('查看报告', { exact: true }).tap()
  await at(phone, '/pages/evaluation/report/index')
  expect(orderId).toBeTruthy()
  expect(new URL(page.url()).searchParams.get('orderId')).toBe(orderId)
  await page.getByText('参考成交价').first().waitFor()
})

it('a collection continues after the tab is killed, is one task in two tabs, and shows that it was cancelled', async () => {
  const { page, context } = phone
  const taskId = await begin(phone)
  const url = page.url()
  await page.close()
  const second = await context.newPage()
  await second.goto(url)
  await second.getByText('请完成授权').waitFor()
  const third = await context.newPage()
  await third.goto(`${server.url}${READ}?gameId=ys`)
  const other = { ...phone, page: third }
  await third.getByText('将会读取').waitFor()
  await third.getByText('同意并授权', { exact: true }).tap()
  await third.getByText('请完成授权').waitFor()
  expect(taskOf(other)).toBe(taskId)
  await third.getByText('取消授权', { exact: true }).tap()
  await third.locator('.pf-layer').getByText('取消授权', { exact: true }).last().tap()
  await third.getByText('没有保留这次的数据').waitFor()
  // the other tab learns it by polling
  await second.getByText('没有保留这次的数据').waitFor()
  phone.page = third
})

it('the collected data can be deleted afterwards', async () => {
  const { page } = phone
  const taskId = await begin(phone)
  await choose(taskId, 'SUCCESS')
  await page.getByText('撤销授权并删除采集数据').tap()
  await page.locator('.pf-layer').getByText('删除', { exact: true }).tap()
  await page.getByText('采集数据已删除').waitFor()
})

const bad = ['https://evil.test/x', 'javascript:alert(1)', 'https://pvp.qq.com@evil.test/']
it.each(bad)('the web page never shows %s', async (url) => {
  const { page } = phone
  reusesPhone = false
  await page.goto(`${server.url}/pages/home/webview/index?url=${encodeURIComponent(url)}`)
  await page
    .getByText(/即将离开|链接无效/)
    .first()
    .waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByText('复制链接', { exact: true }).waitFor()
  reusesPhone = url !== bad.at(-1)
})
