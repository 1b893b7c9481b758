import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { login, payForReport } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { valued } from './orders'
import { nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Saving a report: as a picture with hidden parts, and as a PDF. */

let phone: Phone

setUpBrowser()
beforeAll(async () => {
  phone = await openPhone(browser)
})
afterAll(() => phone?.context.close())

async function openReport(page: Page): Promise<void> {
  const who = await login(server, nextMobile())
  const orderId = await valued(server, who)
  await payForReport(server, who.token, orderId)
  await signIn(page, server, JSON.stringify({ version: 1, data: who }))
  await page.goto(`${server.url}/pages/evaluation/report/index?orderId=${orderId}`)
}

/** The file behind a tap: its name and its bytes. */
async function downloaded(page: Page, text: string | RegExp) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText(text).filter({ visible: true }).tap(),
  ])
  const name = download.suggestedFilename()
  const file = `test-results/e2e/${name}`
  await download.saveAs(file)
  return { name, file: readFileSync(file) }
}

it('the owner saves the picture without the nickname, then the document', async () => {
  const { page, problems } = phone
  await openReport(page)
  await page.locator('.ui-cell').getByText('保存图片').tap()
  const poster = page.locator('.export-poster__image img')
  const heightOf = () => poster.evaluate((el) => (el as HTMLImageElement).naturalHeight)
  await page.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.export-poster__image img')
    return img?.complete && img.naturalWidth === 750
  })
  const whole = await heightOf()
  expect(await sidewaysScroll(page)).toBe(0)

  await page.getByText('昵称和账号ID').tap()
  await page.waitForFunction((before) => {
    const img = document.querySelector<HTMLImageElement>('.export-poster__image img')
    return img?.complete && img.naturalHeight > 0 && img.naturalHeight < before
  }, whole)
  const png = await downloaded(page, '保存图片')
  expect(png.name).toMatch(/^gujia-GZ\d{8}-\w+\.png$/)
  expect(png.file.subarray(1, 4).toString('latin1')).toBe('PNG')
  expect([png.file.readUInt32BE(16), png.file.readUInt32BE(20)]).toEqual([750, await heightOf()])
  await page.getByText('已开始下载').waitFor()

  await page.getByText('下载文档').tap()
  const pdf = await downloaded(page, /^下载\sPDF\s·\s\d+\sKB$/)
  expect(pdf.name).toBe(png.name.replace('.png', '.pdf'))
  expect(pdf.file.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  expect(pdf.file.subarray(-6).toString('latin1')).toContain('%%EOF')
  expect(problems).toEqual([])
})
