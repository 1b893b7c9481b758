/** @group long */
import type { Page } from 'playwright-core'
import { calls } from '@/contract/calls'
import { affectsPrice } from '@/contract/form/validate'
import { estimateRange } from '@/contract/format'
import type { Req, Res } from '@/contract/types'
import { sandbox } from '../fakes/calls'
import { openPhone, type Phone } from './browser'
import {
  countedInput,
  fillAndSubmitCounting,
  fillRequired,
  type InputCount,
  plausibleAccount,
  requiredAnswers,
  secondsOf,
} from './form'
import { fillInKilledTabs, formOf, openForm } from './killed-tab'
import { type NetworkProxy, startNetworkProxy } from './network-proxy'
import { photo, storedPicture } from './pictures'
import { saveFigures } from './save-figures'
import { newSession, nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The form in a real browser: input counted, the price while typing, killed tabs, pictures from phones. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(async () => {
  // the final screen, to investigate failures
  await phone.page.screenshot({ path: 'test-results/e2e/form.png' })
  await phone.context.close()
})

const { form } = require('../../bench/budgets.json') as typeof import('../../bench/budgets.json')
/** from the first opening to a price */
const MAX_SECONDS = 60
const hok = formOf('hok')
const account = { config: hok, answers: plausibleAccount(hok) }

/**
 * The first visit of a new user without account and consent. @returns seconds to the price, with the time the input takes
 * a person, and the input in the form
 */
async function firstVisit(): Promise<{ seconds: number; filled: InputCount }> {
  const { page, context } = await openPhone(browser, { newcomer: true })
  const count = { taps: 0, keys: 0 }
  const input = countedInput(count)
  const mobile = nextMobile()
  const since = Date.now()
  await page.goto(server.url)
  await input.tap(page.getByText('同意', { exact: true }))
  await input.tap(page.locator('.home-game').getByText(hok.name))
  await input.type(page.getByLabel('手机号').first(), mobile)
  await input.tap(page.getByText('获取验证码'))
  await page.getByText('验证码已发送至').waitFor()
  await input.type(page.getByLabel('验证码', { exact: true }), await server.smsCode(mobile))
  await page.waitForURL((url) => url.pathname.includes('/fillInInfo/'))
  const filled = await fillAndSubmitCounting(page, hok)
  await page.getByText('参考成交价').first().waitFor()
  const waits = (Date.now() - since) / 1000
  const all = { taps: count.taps + filled.taps, keys: count.keys + filled.keys }
  await context.close()
  return { seconds: secondsOf(all) + waits, filled }
}

it('from the first visit to a price within a minute, for a new user without account and consent', async () => {
  const { seconds, filled } = await firstVisit()
  saveFigures('form', { hokTaps: filled.taps, hokKeys: filled.keys })
  expect(filled.taps).toBeLessThanOrEqual(form.hokTaps.max)
  expect(filled.keys).toBeLessThanOrEqual(form.hokKeys.max)
  // the seconds are not saved, because waiting times differ from run to run; other work on the machine only adds to them
  let least = seconds
  for (let more = 4; more > 0 && least > MAX_SECONDS; more -= 1) least = Math.min(least, (await firstVisit()).seconds)
  expect(least).toBeLessThanOrEqual(MAX_SECONDS)
})

/** Fills `part`; the price preview of its answers: its range as a ratio, and the width of its band in per cent. */
async function previewAfter(
  page: Page,
  part: Parameters<typeof fillRequired>[1],
): Promise<{ ratio: number; width: number }> {
  const priced = hok.fields.filter((field) => field.key in requiredAnswers(part) && affectsPrice(field))
  const answer = page.waitForResponse(
    (response) =>
      response.url().includes(calls.pricePreview.preview.path) &&
      priced.every(({ key }) => key in (response.request().postDataJSON() as Req<'pricePreview', 'preview'>).answers),
  )
  await fillRequired(page, part)
  const { data } = (await (await answer).json()) as { data: Res<'pricePreview', 'preview'> }
  await page.locator(`.fill-preview[aria-label*="${estimateRange(data.lowFen, data.highFen)}"]`).waitFor()
  const width = await page.locator('.fill-preview__band').evaluate((band) => Number.parseFloat(band.style.width))
  return { ratio: data.highFen / data.lowFen, width }
}

it('the price updates while typing: the range appears after the first answers, narrows, and shifts no content', async () => {
  const { page, problems } = phone
  await openForm(page, server)
  const bar = page.locator('.ui-action')
  await bar.waitFor()
  const before = await bar.boundingBox()
  const first = await previewAfter(page, { ...account, until: 'peerlessCount' })
  const last = await previewAfter(page, { ...account, from: 'peerlessCount' })
  // in amounts, and as it is drawn: on a logarithmic scale that never shrinks
  expect(last.ratio).toBeLessThan(first.ratio)
  expect(last.width).toBeLessThan(first.width)
  expect(await bar.boundingBox()).toEqual(before)
  // the next field that affects the price is one tap away
  await page.getByText(/^下一项：/).tap()
  expect(problems).toEqual([])
})

// the other games: form.deep.test.ts
it('原神 is filled by taps, submitted and valued, although the tab is killed after every tenth field', () =>
  fillInKilledTabs(phone, server, 'ys'))

describe('pictures', () => {
  // SMS codes per IP address and day are limited
  beforeAll(() => sandbox(server, 'clock', { advanceMs: 86_400_000 }))

  const add = async (page: Page, name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByText('添加图片').tap()])
    await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer })
  }
  let line: NetworkProxy | undefined
  afterEach(() => line?.close())
  const tiles = (page: Page) => page.locator('.ui-images__tile:not(.ui-images__add)')

  it('a photo of 12 MB is sent scaled down and without location; a renamed program is not sent', async () => {
    const { page, problems } = phone
    await openForm(page, server)
    await add(page, 'IMG_0001.jpg', await photo(page, 12_000_000))
    await page.getByLabel('第 1 张，查看大图').waitFor()
    const { bytes, longSide, tells } = storedPicture(server.dataDir)
    expect([longSide, tells]).toEqual([1600, false])
    expect(bytes).toBeLessThan(4_000_000)

    let uploads = 0
    page.on('request', (r) => {
      if (r.url().endsWith('/uploads')) uploads += 1
    })
    await add(page, '账号.png', Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(5000)]))
    await tiles(page).nth(1).getByText('不是 jpg、png 或 webp 图片').waitFor()
    expect(uploads).toBe(0)
    await page.getByLabel('第 2 张，删除').tap()
    expect(await tiles(page).count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('an interrupted upload can be retried; uploaded pictures survive a killed tab', async () => {
    line = await startNetworkProxy(server.port)
    const { context, page } = phone
    await page.goto(`${line.url}/healthz`)
    await page.evaluate((text) => localStorage.setItem('gav.session', text), await newSession(server))
    await openForm(page, line)
    const picture = await photo(page, 0)
    line.cutAfter(200_000)
    await add(page, 'a.jpg', picture)
    await page.getByLabel('第 1 张，重试').waitFor()
    line.mend()
    await page.getByLabel('第 1 张，重试').tap()
    await page.getByLabel('第 1 张，查看大图').waitFor()
    const again = await context.newPage()
    await page.close({ runBeforeUnload: false })
    phone.page = again
    await openForm(again, line)
    await again.getByLabel('第 1 张，查看大图').tap()
    await again.locator('.pf-preview__img').waitFor()
    expect(
      await again
        .locator('.pf-preview__img')
        .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBe(1600)
    // going back closes the picture, not the form
    await again.goBack()
    await again.locator('.pf-preview').waitFor({ state: 'detached' })
    expect(await again.locator('.fill-head').count()).toBe(1)
  })
})
