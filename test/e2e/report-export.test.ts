import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { readPng } from '../../server/test/png'
import { login, payForReport } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import { launchOwn, launchViewer, openPhone, type Phone, sidewaysScroll } from './browser'
import { valued } from './orders'
import { nextMobile } from './session'

/** Saving a report: as a picture with hidden parts, and as a PDF. */

/** ms; only a failing test waits that long, a busy machine may need it */
const PATIENCE = 120_000

let browser: Browser
let server: RunningServer
let phone: Phone

beforeAll(async () => {
  mkdirSync('test-results/e2e', { recursive: true })
  ;[browser, server] = await Promise.all([launchOwn(), sharedServer()])
  phone = await openPhone(browser)
})
afterAll(async () => {
  await browser?.close()
})

async function openReport(page: Page): Promise<void> {
  const who = await login(server, nextMobile())
  const orderId = await valued(server, who)
  await payForReport(server, who.token, orderId)
  await page.goto(server.url)
  await page.evaluate((text) => localStorage.setItem('gav.session', text), JSON.stringify({ version: 1, data: who }))
  await page.goto(`${server.url}/pages/evaluation/report/index?orderId=${orderId}`)
}

/** The file behind a tap: its name and its bytes. */
async function downloaded(page: Page, text: string | RegExp) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(text).tap()])
  const name = download.suggestedFilename()
  const file = `test-results/e2e/${name}`
  await download.saveAs(file)
  return { name, file: readFileSync(file) }
}

/** A PDF as rendered by Chromium's viewer, once its coloured header is drawn. */
async function seenInViewer(file: Buffer): Promise<Buffer> {
  const browser = await launchViewer()
  const viewer = await browser.newPage({ viewport: { width: 595, height: 842 } })
  await viewer.route('**/report.pdf', (route) => route.fulfill({ contentType: 'application/pdf', body: file }))
  await viewer.goto(`${server.url}/report.pdf#toolbar=0&navpanes=0&view=FitH`)
  let before: Buffer = Buffer.alloc(0)
  for (const end = Date.now() + PATIENCE; ; ) {
    const picture = await viewer.screenshot()
    const { dots, width } = readPng(picture)
    const [red = 0, , blue = 0] = dots.subarray((40 * width + 40) * 4)
    // the viewer renders a coarse version first
    if (blue > red + 80 && picture.equals(before)) {
      await browser.close()
      return picture
    }
    before = picture
    if (Date.now() > end) throw new Error('the document has no coloured head')
  }
}

it('the owner saves the picture without the nickname, then the document', async () => {
  const { page, problems } = phone
  await openReport(page)
  await page.getByText('保存报告图片').tap()
  const poster = page.locator('.export-poster__image img')
  const heightOf = () => poster.evaluate((el) => (el as HTMLImageElement).naturalHeight)
  await page.waitForFunction(() => {
    const img = document.querySelector<HTMLImageElement>('.export-poster__image img')
    return img?.complete && img.naturalWidth === 750
  })
  const whole = await heightOf()
  expect(await sidewaysScroll(page)).toBe(0)
  await page.screenshot({ path: 'test-results/e2e/keep-picture.png' })

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
  await page.screenshot({ path: 'test-results/e2e/keep-document.png' })
  writeFileSync('test-results/e2e/poster.png', png.file)
  writeFileSync('test-results/e2e/pdf.png', await seenInViewer(pdf.file))
  expect(problems).toEqual([])
})
