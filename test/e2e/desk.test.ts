import type { Page } from 'playwright-core'
import { calls } from '@/contract/calls'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { commentOf } from '../../server/test/appraisal'
import { jpegOf } from '../../server/test/pictures'
import { login, post } from '../fakes/calls'
import { openPhone, sidewaysScroll } from './browser'
import { deliverByKeyboard, estimateFirst, openDesk, openRow, saw, signIn } from './desk-keyboard'
import { press, type } from './keyboard'
import { hok, hokAnswers, paid, provenAdult } from './orders'
import { nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/**
 * The staff's desk in a real browser, with the keyboard alone. The delivery, of an expert order with its owner beside the
 * desk: human-valuation.deep.test.ts.
 */

let user: { token: string; userId: string }
setUpBrowser()
beforeAll(async () => {
  user = await login(server, nextMobile())
  await provenAdult(server, user)
})

const call = <T>(path: string, body: object) => post<T>(server, path, body, user.token)
const manual = (more: object) =>
  call<{ orderId: string }>(calls.evaluation.submitManual.path, {
    gameId: hok.gameId,
    schemaVersion: hok.schemaVersion,
    answers: hokAnswers,
    level: 'STD',
    ...more,
  })
/** Uploads a picture to the user's folder. @returns its key */
async function upload(n: number): Promise<string> {
  const sts = await call<{ token: string; host: string; dir: string }>(calls.app.stsPost.path, { scene: 'ACCOUNT' })
  const key = `${sts.dir}00000000-0000-4000-8000-00000000000${n}`
  const form = new FormData()
  const fields = { ...(JSON.parse(sts.token) as Record<string, string>), key, 'Content-Type': 'image/jpeg' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(await jpegOf(2000))]), 'photo.jpg')
  const answer = await fetch(server.url + sts.host, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`upload: HTTP ${answer.status}`)
  return key
}

async function paidOrder(more: object): Promise<string> {
  const { orderId } = await manual(more)
  await paid(server, user, orderId)
  return orderId
}

/** Looks at both pictures, one large and in its own size, by keys and by clicks. */
async function lookAtPictures(page: Page) {
  const frame = page.locator('.picture')
  const source = () => frame.locator('img').getAttribute('src')
  const both = await page.locator('.thumbs img').evaluateAll((all) => all.map((one) => one.getAttribute('src')))
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

/** Whether the whole of an element is on the screen without scrolling. */
const isOnScreen = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

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
    '/desk/today',
    '/desk/log',
    '/desk/staff',
    '/desk/feedback',
  ]) {
    await page.goto(server.url + path)
    expect([path, await sidewaysScroll(page)]).toEqual([path, 0])
  }
  await context.close()
})
