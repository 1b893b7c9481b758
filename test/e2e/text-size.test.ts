import type { Page } from 'playwright-core'
import { routes } from '@/router/routes'
import { openPhone, sidewaysScroll } from './browser'
import { pages, setLargest, show } from './screens'
import { signIn } from './session'
import { browser, server, setUpWorld, world } from './setup'

setUpWorld()

/** Pairs of texts of the page that lie on each other; a line's bullet is a text too. Bars that cover the page do not count. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    interface Words {
      text: string
      left: number
      right: number
      top: number
      bottom: number
    }
    const root = document.querySelector('.taro_page_show')
    if (!root) throw new Error('no page')
    const all: Words[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('.ui-nav, .ui-action, .ui-tabs, .ui-offline')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { left, right, top, bottom, width } of range.getClientRects())
        if (width > 1) all.push({ text: node.textContent ?? '', left, right, top, bottom })
    }
    for (const el of root.querySelectorAll('*')) {
      const before = getComputedStyle(el, '::before')
      const text = /^"(.+)"$/.exec(before.content)?.[1]
      if (text === undefined || before.position !== 'absolute') continue
      const box = el.getBoundingClientRect()
      const left = box.left + Number.parseFloat(before.left)
      const size = Number.parseFloat(before.fontSize)
      // fonts differ between machines: in some a bullet is one em wide, with its dot in the middle
      all.push({ text, left, right: left + size / 2, top: box.top, bottom: box.top + size })
    }
    const inside = (a: Words, b: Words) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top)
    return all.flatMap((a, i) => all.slice(i + 1).flatMap((b) => (inside(a, b) ? [`${a.text} | ${b.text}`] : [])))
  })

it('no texts of the checkout and the market overlap at the largest size', async () => {
  const { page, context } = await openPhone(browser, { width: 320 })
  await signIn(page, server, JSON.stringify({ version: 1, data: world.who }))
  await setLargest(page, server)
  const market = { path: `/${routes.news.path}?tab=market&gameId=hok`, shows: '价格指数' }
  for (const width of [320, 375])
    for (const screen of [pages(world).humanCheckout, market]) {
      await page.setViewportSize({ width, height: 812 })
      await show(page, server, screen)
      expect([width, screen.path, await overlaps(page)]).toEqual([width, screen.path, []])
    }
  const lines = await page.locator('.market-scale > *').evaluateAll((labels) =>
    labels.map((label) => {
      const range = document.createRange()
      range.selectNodeContents(label)
      return range.getClientRects().length
    }),
  )
  expect(lines).toEqual([1, 1, 1])
  await context.close()
})

/** Opens home with these settings of the reader stored. */
async function openHome(page: Page, settings: object) {
  await page.goto(`${server.url}/healthz`)
  await page.evaluate((data) => localStorage.setItem('gav.app', JSON.stringify({ version: 1, data })), settings)
  await page.goto(server.url)
  await page.locator('.home-game__name').first().waitFor()
}

it('every text size fits a small phone, and the largest does not cut off the title of home', async () => {
  const { page, context } = await openPhone(browser, { width: 320 })
  const sizeOf = async (settings: object) => {
    await openHome(page, settings)
    const note = page.locator('.home-sample__note').first()
    return Number.parseFloat(await note.evaluate((el) => getComputedStyle(el).fontSize))
  }
  const normal = await sizeOf({})
  for (const [textSize, times] of [
    ['large', 1.15],
    ['huge', 1.3],
    ['double', 2],
  ] as const) {
    expect((await sizeOf({ textSize })) / normal).toBeCloseTo(times, 2)
    expect(await sidewaysScroll(page)).toBe(0)
  }
  await page.setViewportSize({ width: 375, height: 812 })
  await openHome(page, { textSize: 'double' })
  const { room, letters, size } = await page.locator('.ui-nav__title').evaluate((el) => ({
    room: el.clientWidth,
    letters: [...(el.textContent ?? '')].length,
    size: Number.parseFloat(getComputedStyle(el).fontSize),
  }))
  // computed from the number of characters, because fonts differ between machines: every character is one em wide
  expect(room).toBeGreaterThanOrEqual(letters * size)
  await context.close()
})
