import type { Page } from 'playwright-core'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { estimateFirst, openDesk, openRow, saw, signIn } from './desk-keyboard'
import { manual, paidOrder, setUpOwner, upload } from './desk-orders'
import { press, type } from './keyboard'
import { setUpBrowser } from './setup'

/** The way from the queue to the appraisal, with the keyboard alone. */

setUpBrowser()
setUpOwner()

/** Looks at both pictures, one large and in its own size, by keys and by clicks. */
async function lookAtPictures(page: Page) {
  const frame = page.locator('.picture')
  const source = () => frame.locator('img').getAttribute('src')
  const both = await page.locator('.thumbs img').evaluateAll((all) => all.map((picture) => picture.getAttribute('src')))
  const width = async () => (await frame.boundingBox())?.width ?? 0
  const small = await width()
  expect(await source()).toBe(both[0])
  await page.keyboard.press('ArrowRight')
  expect(await source()).toBe(both[1])
  await page.keyboard.press('ArrowLeft')
  expect(await source()).toBe(both[0])
  await page.keyboard.press('z')
  expect(await width()).toBeGreaterThan(2 * small)
  await page.keyboard.press('Escape')
  expect(await width()).toBe(small)
  await press(page, page.getByRole('link', { name: '截图 2', exact: true }))
  expect(await source()).toBe(both[1])
}

/** Begins a comment, and finds it again after a reload. */
async function draftComment(page: Page) {
  const comment = page.getByLabel(/^为什么、怎么卖/)
  await comment.focus()
  await page.keyboard.type('皮肤齐全。')
  await page.getByText('草稿已自动保存').waitFor()
  await page.reload()
  expect(await comment.inputValue()).toBe('皮肤齐全。')
  await page.getByText(/^草稿 /).waitFor()
}

it('an appraiser takes an order, looks at its pictures, asks for information, and begins the appraisal', async () => {
  const { context, page, problems } = await openDesk()
  await signIn(page, sandboxLogins.appraiser)
  const orderId = await paidOrder({ remark: '<b>急</b>', images: [await upload(1), await upload(2)] })
  // the open queue shows it without being loaded again
  await page.locator(`[data-row][href="/desk/orders/${orderId}"]`).waitFor()
  await openRow(page, orderId)
  await page.getByText('<b>急</b>').waitFor()
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.picture img')?.naturalWidth ?? 0) > 0)
  await lookAtPictures(page)
  await type(page, 't')
  await saw(page, '已接单')
  expect(await page.getByText('AI 明细').count()).toBe(0)
  await type(page, 'i', 'Tab', '请补一张皮肤页截图', 'Tab', 'Enter')
  await saw(page, '已请用户补充资料')

  await manual({ orderId, answers: {}, remark: '皮肤页看备注' })

  await type(page, 'u')
  await page.waitForURL(/\/desk$/)
  await openRow(page, orderId)
  await page.getByText('皮肤页看备注').waitFor()
  await estimateFirst(page, '2500')
  await draftComment(page)
  expect(problems).toEqual([])
  await context.close()
})
