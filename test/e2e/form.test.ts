import type { Page } from 'playwright-core'
import { openPhone, type Phone } from './browser'
import { hide, killTab, openForm } from './killed-tab'
import { type NetworkProxy, startNetworkProxy } from './network-proxy'
import { photo, storedPicture } from './pictures'
import { newSession, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The form in a real browser: killed tabs, pictures from phones. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(async () => {
  await phone.context.close()
})

// a whole form: form.deep.test.ts
it('a killed tab loses at most the last half second of input, and nothing once it was hidden', async () => {
  const remark = () => phone.page.locator('#field-hok-remark textarea')
  await openForm(phone.page, server)
  await remark().fill('未停')
  await killTab(phone, server, 'hok')
  expect(['', '未停']).toContain(await remark().inputValue())
  await remark().fill('隐藏')
  await hide(phone.page)
  await killTab(phone, server, 'hok')
  expect(await remark().inputValue()).toBe('隐藏')
})

describe('pictures', () => {
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
