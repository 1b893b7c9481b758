import type { Page } from 'playwright-core'
import { openPhone, type Phone, type PhoneOptions } from './browser'
import { handTo, pages, type Screen, setLargest, show, states } from './screens'
import { browser, server, setUpWorld, world } from './setup'

/** Layout within the viewport: margins, bars, edges, the smallest phone, landscape. */

let phone: Phone
setUpWorld()
afterEach(async () => {
  await phone.page.screenshot({ path: 'test-results/e2e/window.png' })
  await phone.context.close()
})

async function hold(options: PhoneOptions = {}): Promise<Page> {
  phone = await openPhone(browser, options)
  await handTo(phone, server, world)
  return phone.page
}

function stateOf(name: string): Screen {
  const found = states(world)[name]
  if (!found) throw new Error(`no such state: ${name}`)
  return found
}

/** Texts nearer to an edge of the screen than the given px, except those in horizontally scrolled rows. */
const atEdge = (page: Page, selector: string, least: number) =>
  page.evaluate(
    ([within, px]) => {
      const walker = document.createTreeWalker(document.querySelector(within) ?? document.body, NodeFilter.SHOW_TEXT)
      const near: string[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const { left, right, width } of range.getClientRects())
          if (width > 0 && (left < px || right > document.documentElement.clientWidth - px))
            near.push(node.textContent ?? '')
      }
      return near
    },
    [selector, least] as const,
  )

it.each([
  ['report of two appraisers', '.taro_page_show'],
  ['sheet: devices', '[role=dialog]'],
])('%s: no words at the edge', async (name, within) => {
  const page = await hold()
  await show(page, server, stateOf(name))
  expect(await atEdge(page, within, 15)).toEqual([])
})

it('a sheet indicates at its edge that there are more rows', async () => {
  const page = await hold()
  await show(page, server, stateOf('sheet: ranks'))
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  )
  const body = page.getByRole('dialog').locator('.ui-sheet__body')
  const box = await body.boundingBox()
  if (!box) throw new Error('no sheet')
  // there is only background between the text and the arrows
  const strip = (y: number) =>
    page.screenshot({ clip: { x: box.x + box.width * 0.7, y, width: 8, height: 2 }, animations: 'disabled' })
  const edge = () => strip(box.y + box.height - 3)
  const plain = await strip(box.y + box.height / 2)
  expect((await edge()).equals(plain)).toBe(false)
  await body.evaluate((el) => el.scrollTo(0, el.scrollHeight))
  expect((await edge()).equals(plain)).toBe(true)
})

it.each(['home', 'evaluationFillInInfo', 'report', 'humanCheckout', 'mineEvaluationRecords'] as const)(
  'a phone on its side leaves at least 60 %% of the height to %s',
  async (name) => {
    const page = await hold({ width: 812, height: 375 })
    await show(page, server, pages(world)[name])
    const bars = await page.evaluate(() =>
      [...document.querySelectorAll('.taro_page_show .ui-nav, .taro_page_show .ui-action, .taro_page_show .ui-tabs')]
        .map((el) => el.getBoundingClientRect())
        .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)), 0),
    )
    expect(1 - bars / 375).toBeGreaterThanOrEqual(0.6)
  },
)

it('a phone on its side shows the first question of the form without scrolling', async () => {
  const page = await hold({ width: 812, height: 375 })
  await show(page, server, pages(world).evaluationFillInInfo)
  const end = await page.evaluate(() => {
    const shown = (selector: string) => document.querySelector(`.taro_page_show ${selector}`)?.getBoundingClientRect()
    const [question, bar] = [shown('.ui-field'), shown('.ui-action')]
    if (!question || !bar) throw new Error('no question or no bar')
    return bar.top - question.bottom
  })
  expect(end).toBeGreaterThanOrEqual(0)
})

it.each(['home', 'evaluationFillInInfo', 'report', 'mine', 'mineEvaluationRecords'] as const)(
  '320 px: no words of %s are smaller than 12 px',
  async (name) => {
    const page = await hold({ width: 320 })
    await show(page, server, pages(world)[name])
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.taro_page_show *')]
        .filter((el) => [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()))
        .filter((el) => el.getClientRects().length > 0 && !el.closest('[aria-hidden]'))
        .map((el) => ({ px: Number.parseFloat(getComputedStyle(el).fontSize), text: el.textContent }))
        // 14 design px are 11.95 CSS px at this width
        .filter(({ px }) => px < 11.9),
    )
    expect(small).toEqual([])
  },
)

/** Places of the first two elements. */
const firstTwo = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll(`.taro_page_show ${wanted}`)].slice(0, 2)
    const [one, other] = found.map((el) => el.getBoundingClientRect())
    if (!one || !other) throw new Error(`fewer than two: ${wanted}`)
    return { sameLine: one.y === other.y, sameEdge: one.x === other.x }
  }, selector)

it.each([
  ['beside', { width: 1280, height: 800 }, { sameLine: true, sameEdge: false }],
  ['beside', { width: 961, height: 800 }, { sameLine: true, sameEdge: false }],
  ['above', { width: 960, height: 800 }, { sameLine: false, sameEdge: true }],
])('the picture of a report is %s its lines at %j', async (_, size, expected) => {
  const page = await hold(size)
  await show(page, server, pages(world).report)
  expect(await firstTwo(page, '.rp-column')).toEqual(expected)
})

it.each([
  [414, { sameLine: true, sameEdge: false }],
  [320, { sameLine: false, sameEdge: true }],
])('numbers of the form at a width of %i', async (width, expected) => {
  const page = await hold({ width })
  await show(page, server, pages(world).evaluationFillInInfo)
  expect(await firstTwo(page, '.fill-row__one')).toEqual(expected)
})

it('a whole report is at most three and a half screens of 375 × 812', async () => {
  const page = await hold()
  await show(page, server, pages(world).report)
  await page.locator('.taro_page_show').getByText('去出售').waitFor()
  const height = await page.evaluate(() => document.querySelector('.taro_page_show')?.scrollHeight ?? 0)
  expect(height).toBeGreaterThan(812)
  expect(height / 812).toBeLessThanOrEqual(3.5)
})

it('a toast is shown in the half of the screen that was not tapped', async () => {
  const page = await hold()
  await show(page, server, pages(world).payment)
  const copies = page.getByRole('button', { name: /复制订单编号/ })
  const tapped = await copies.boundingBox()
  await copies.tap()
  const toast = page.locator('.pf-toast')
  await toast.waitFor()
  const said = await toast.boundingBox()
  if (!tapped || !said) throw new Error('nothing to measure')
  const middle = 406
  // a tap is at the centre of its element
  expect(said.y > middle).toBe(tapped.y + tapped.height / 2 < middle)
})

it.each([
  ['largest text', { width: 320 }],
  ['normal text', {}],
] as const)('what has the focus is under no bar, %s', async (text, options) => {
  const page = await hold(options)
  if (text === 'largest text') await setLargest(page, server)
  for (const name of ['evaluationFillInInfo', 'report', 'humanCheckout', 'mineSetting'] as const) {
    await show(page, server, pages(world)[name])
    const hidden = await page.evaluate(async () => {
      const stops = [...document.querySelectorAll<HTMLElement>('.taro_page_show :is([tabindex="0"], input, textarea)')]
      const covered: string[] = []
      for (const stop of stops.filter((el) => el.getClientRects().length > 0)) {
        stop.focus()
        await new Promise(requestAnimationFrame)
        // leaving the previous field may have changed the bar, which then names the first error instead of the next field
        if (!stop.isConnected) continue
        const { left, top, width, height } = stop.getBoundingClientRect()
        // in a multi-line field, the line with the cursor
        for (const y of stop.tagName === 'TEXTAREA' ? [top + 12] : [top + 2, top + height - 2]) {
          const over = document.elementFromPoint(left + width / 2, y)
          const bar = over?.closest('.ui-nav, .ui-action, .ui-tabs')
          if (bar && !bar.contains(stop)) covered.push(`${stop.className} ${stop.ariaLabel ?? stop.textContent}`)
        }
      }
      return covered
    })
    expect([name, hidden]).toEqual([name, []])
  }
})
