import type { Page } from 'playwright-core'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { handTo, pages, type Screen, setLargest, show, states } from './screens'
import { signIn } from './session'
import { browser, server, setUpWorld, world } from './setup'

/** Layout and motion: margins, bars, edges, widths, landscape, reduced motion. */

let phone: Phone
setUpWorld()

beforeAll(async () => {
  phone = await openPhone(browser)
  await handTo(phone, server, world)
})

afterAll(() => phone?.context.close())

/** The phone of the account with everything, of this size. */
async function hold({ width = 375, height = 812 } = {}): Promise<Page> {
  await phone.page.setViewportSize({ width, height })
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

it('no words of a report or a sheet are at the edge of the screen', async () => {
  const page = await hold()
  for (const [name, within] of [
    ['report of two appraisers', '.taro_page_show'],
    ['sheet: devices', '[role=dialog]'],
  ] as const) {
    await show(page, server, stateOf(name))
    expect([name, await atEdge(page, within, 15)]).toEqual([name, []])
  }
})

it('each step of the form for appraisers fits a screen', async () => {
  const page = await hold()
  const tapWords = (words: string) => page.getByText(words).filter({ visible: true }).first().tap()
  const hidden = () =>
    page.evaluate(() => {
      const { scrollHeight = 0, clientHeight = 0 } = document.querySelector('.taro_page_show') ?? {}
      return scrollHeight - clientHeight
    })
  await show(page, server, stateOf('form for appraisers'))
  expect(['pictures', await hidden()]).toEqual(['pictures', 0])
  await tapWords('下一步')
  await tapWords('不补了')
  await page.getByRole('tab').first().waitFor()
  expect(['facts', await hidden()]).toEqual(['facts', 0])
  await tapWords('沿用')
  await tapWords('下一步')
  await page.getByText('方便联系的时间').waitFor()
  expect(['remark', await hidden()]).toEqual(['remark', 0])
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

/** px between the end of the first question of the form and the bar at the bottom. */
const belowFirstQuestion = (page: Page) =>
  page.evaluate(() => {
    const shown = (selector: string) => document.querySelector(`.taro_page_show ${selector}`)?.getBoundingClientRect()
    const [question, bar] = [shown('.ui-field'), shown('.ui-action')]
    if (!question || !bar) throw new Error('no question or no bar')
    return bar.top - question.bottom
  })

/** Places of the first two elements. */
const firstTwo = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll(`.taro_page_show ${wanted}`)].slice(0, 2)
    const [first, second] = found.map((el) => el.getBoundingClientRect())
    if (!first || !second) throw new Error(`fewer than two: ${wanted}`)
    return { sameLine: first.y === second.y, sameEdge: first.x === second.x }
  }, selector)

const besideEachOther = { sameLine: true, sameEdge: false }

const aboveEachOther = { sameLine: false, sameEdge: true }

/** Texts on the page that are smaller than 12 px. */
const smallWords = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.taro_page_show *')]
      .filter((el) => [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()))
      .filter((el) => el.getClientRects().length > 0 && !el.closest('[aria-hidden]'))
      .map((el) => ({ px: Number.parseFloat(getComputedStyle(el).fontSize), text: el.textContent }))
      // 14 design px are 11.95 CSS px at this width
      .filter(({ px }) => px < 11.9),
  )

/** Part of the window's height that bars take. */
const barsOf = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('.taro_page_show .ui-nav, .taro_page_show .ui-action, .taro_page_show .ui-tabs')]
        .map((el) => el.getBoundingClientRect())
        .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)), 0) /
      innerHeight,
  )

/** Turns the phone: the root font follows the window's width. */
async function turn(page: Page, width: number, height: number) {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

it('at 320 px no words are smaller than 12 px; on its side a phone leaves 60 % of the height to a page and room for a question', async () => {
  const page = await hold({ width: 320 })
  for (const name of [
    'home',
    'evaluationFillInInfo',
    'report',
    'mine',
    'humanCheckout',
    'mineEvaluationRecords',
  ] as const) {
    await turn(page, 320, 812)
    await show(page, server, pages(world)[name])
    expect([name, await smallWords(page)]).toEqual([name, []])
    const isForm = name === 'evaluationFillInInfo'
    if (isForm) {
      expect(await firstTwo(page, '.fill-row__one')).toEqual(aboveEachOther)
      await turn(page, 414, 812)
      expect(await firstTwo(page, '.fill-row__one')).toEqual(besideEachOther)
    }
    await turn(page, 812, 375)
    expect([name, (await barsOf(page)) <= 0.4]).toEqual([name, true])
    if (isForm) expect(await belowFirstQuestion(page)).toBeGreaterThanOrEqual(0)
  }
})

it('a report has at most three and a half screens, and two columns of about the same height from 768 px', async () => {
  const page = await hold()
  await show(page, server, pages(world).report)
  await page.locator('.taro_page_show').getByText('出售文案').waitFor()
  const height = await page.evaluate(() => document.querySelector('.taro_page_show')?.scrollHeight ?? 0)
  expect(height).toBeGreaterThan(812)
  expect(height / 812).toBeLessThanOrEqual(3.5)
  for (const [width, expected] of [
    [767, aboveEachOther],
    [768, besideEachOther],
    [1280, besideEachOther],
  ] as const) {
    await turn(page, width, 800)
    expect(await firstTwo(page, '.rp-column')).toEqual(expected)
  }
  const ends = await page.locator('.rp-column').evaluateAll((all) => all.map((el) => el.getBoundingClientRect().bottom))
  const [, right = 0, left = 0] = ends
  expect(Math.abs(left - right)).toBeLessThan(0.15 * height)
})

it('from 768 px form, records and contrast have two columns, and the price stays beside the questions', async () => {
  const page = await hold()
  for (const [name, parts] of [
    ['evaluationFillInInfo', '.fill-column'],
    ['mineEvaluationRecords', '.order-card'],
    ['contrastAnalysis', '.ct-columns > .ui-card'],
  ] as const) {
    await turn(page, 767, 1024)
    await show(page, server, pages(world)[name])
    expect([name, (await firstTwo(page, parts)).sameEdge]).toEqual([name, true])
    for (const width of [768, 1280]) {
      await turn(page, width, 800)
      expect([name, (await firstTwo(page, parts)).sameLine, await sidewaysScroll(page)]).toEqual([name, true, 0])
      if (name !== 'evaluationFillInInfo') continue
      await page.locator('#field-hok-banStatus').scrollIntoViewIfNeeded()
      const [price, question] = await Promise.all(
        ['.ui-action', '#field-hok-banStatus'].map((part) => page.locator(`.taro_page_show ${part}`).boundingBox()),
      )
      if (!price || !question) throw new Error('no price or no question')
      expect(price.x + price.width).toBeLessThanOrEqual(question.x)
      expect(price.y).toBeGreaterThan(0)
      expect(price.y + price.height).toBeLessThan(800)
    }
  }
})

it('what has the focus is under no bar, with the largest text on a small phone', async () => {
  const { page, context } = await openPhone(browser, { width: 320 })
  await signIn(page, server, JSON.stringify({ version: 1, data: world.who }))
  await setLargest(page, server)
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
  await context.close()
})

const rootFont = (page: Page) =>
  page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))

it('the root font follows the width of the window and the orientation of the phone, not the keyboard', async () => {
  const { page, context } = await openPhone(browser)
  await page.goto(`${server.url}/pagesA/pages/login/h5/index`)
  const field = page.getByLabel('手机号').first()
  await field.waitFor()
  for (const [width, px] of [
    [320, 13.6533],
    [768, 32.768],
    [960, 40.96],
    [1280, 16],
    [375, 16],
  ] as const) {
    await turn(page, width, 812)
    expect(await rootFont(page)).toBeCloseTo(px, 2)
    expect(await sidewaysScroll(page)).toBe(0)
    const box = await page.locator('.login').boundingBox()
    const column = width > 960 ? 375 : width
    expect([box?.x, box?.width]).toEqual([(width - column) / 2, column])
    // the keyboard opens
    await field.tap()
    await turn(page, width, 400)
    expect(await rootFont(page)).toBeCloseTo(px, 2)
  }
  await page.setViewportSize({ width: 812, height: 375 })
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize.startsWith('34.6'))
  await context.close()
})

it.each([
  ['no-preference', ['rp-range-open', 'rp-settle', 'the price counts up']],
  ['reduce', []],
] as const)('prefers-reduced-motion: %s: what moves when a report opens', async (reducedMotion, expected) => {
  const page = await hold()
  await page.emulateMedia({ reducedMotion })
  await page.addInitScript(() => {
    const moved = new Set<string>()
    Object.assign(window, { moved })
    addEventListener('animationstart', ({ target, animationName }) => {
      if (target instanceof Element && target.closest('.rp')) moved.add(animationName)
    })
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target instanceof Element && target.matches('.rp .counts-up')) moved.add('the price counts up')
    }).observe(document, { attributeFilter: ['class'], subtree: true })
  })
  await show(page, server, pages(world).report)
  await page.locator('.rp-price .ui-range__range').waitFor()
  const moved = () => page.evaluate(() => [...(window as unknown as { moved: Set<string> }).moved].sort())
  // animations have begun after two frames, and end
  await page.evaluate(async () => {
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)
  })
  await page.locator('.counts-up').waitFor({ state: 'detached' })
  expect(await moved()).toEqual(expected)
})

it("Android's text zoom, which enlarges rem, makes no card of home wider than the phone", async () => {
  const page = await hold()
  await show(page, server, pages(world).home)
  const [card, sideways] = await page
    .locator('.home-sample')
    .first()
    .evaluate((first) => {
      const { style } = document.documentElement
      style.fontSize = `${Number.parseFloat(style.fontSize) * 1.3}px`
      const { right } = first.getBoundingClientRect()
      return [right, document.documentElement.scrollWidth] as const
    })
  expect(card).toBeLessThanOrEqual(375)
  expect(sideways).toBe(375)
})
