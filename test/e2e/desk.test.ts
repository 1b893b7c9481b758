import type { Page } from 'playwright-core'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { commentOf } from '../../server/test/appraisal'
import { openPhone, sidewaysScroll } from './browser'
import { deliverByKeyboard, estimateFirst, openDesk, saw, signIn } from './desk-keyboard'
import { paidOrder, setUpOwner, upload } from './desk-orders'
import { type } from './keyboard'
import { browser, server, setUpBrowser } from './setup'

/**
 * The staff's desk in a real browser, with the keyboard alone. The way to the delivery: desk.deep.test.ts; an expert order
 * with its owner beside the desk: human-valuation.deep.test.ts.
 */

setUpBrowser()
setUpOwner()

/** Whether the whole of an element is on the screen without scrolling. */
const isOnScreen = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

it('an order is delivered in few actions on one screen: 8 without corrections, 20 with two lines and a comparable', async () => {
  const { context, page, problems } = await openDesk()
  await signIn(page, sandboxLogins.appraiser)
  for (const [corrections, most] of [
    [{}, 8],
    [{ lines: 2, struck: 1 }, 20],
  ] as const) {
    const orderId = await paidOrder({ images: [await upload(3), await upload(4)], remark: `改${most}` })
    await page.goto(`${server.url}/desk/orders/${orderId}`)
    await type(page, 't')
    await saw(page, '已接单')
    await estimateFirst(page, '2500')
    for (const selector of [
      '.picture',
      '.facts > :first-child',
      '[name="price"]',
      '[name="comment"]',
      '[data-deliver]',
    ])
      expect([selector, await isOnScreen(page, selector)]).toEqual([selector, true])
    await page.screenshot({ path: `test-results/e2e/desk-deliver-${most}.png` })
    expect(await deliverByKeyboard(page, '2600', commentOf('按近期成交'), corrections)).toBeLessThanOrEqual(most)
    await saw(page, '报告已交付')
  }
  expect(problems).toEqual([])
  await context.close()
})

it('the desk fits a phone', async () => {
  const orderId = await paidOrder({ remark: '手机上看' })
  const { page, context } = await openPhone(browser)
  await signIn(page, sandboxLogins.admin)
  for (const path of [
    '/desk',
    `/desk/orders/${orderId}`,
    '/desk/operations',
    '/desk/log',
    '/desk/staff',
    '/desk/feedback',
  ]) {
    await page.goto(server.url + path)
    expect([path, await sidewaysScroll(page)]).toEqual([path, 0])
  }
  await context.close()
})
