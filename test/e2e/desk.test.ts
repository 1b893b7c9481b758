import type { Page } from 'playwright-core'
import { calls } from '@/contract/calls'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { jpegOf } from '../../server/test/pictures'
import { login, post } from '../fakes/calls'
import { openPhone, sidewaysScroll } from './browser'
import { estimateFirst, openDesk, openRow, saw, signIn } from './desk-keyboard'
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
  form.append('file', new Blob([new Uint8Array(jpegOf(2000))]), 'photo.jpg')
  const answer = await fetch(server.url + sts.host, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`upload: HTTP ${answer.status}`)
  return key
}

async function paidOrder(more: object): Promise<string> {
  const { orderId } = await manual(more)
  await paid(server, user, orderId)
  return orderId
}

/** Opens the first of two pictures, enlarges it, moves it, and puts the second beside it: by keys and by buttons. */
async function lookAtPictures(page: Page) {
  const open = page.locator('.big:target')
  const images = open.locator('img')
  const buttonOf = (name: string) => open.getByRole('button', { name })
  const width = async () => (await images.first().boundingBox())?.width ?? 0
  await press(page, page.getByRole('link', { name: '截图 1', exact: true }))
  await images.first().waitFor()
  const small = await width()
  await press(page, buttonOf('放大或还原'))
  expect(await width()).toBeGreaterThan(2 * small)
  const scrolled = () => open.locator('.frame').evaluate(({ scrollLeft, scrollTop }) => [scrollLeft > 0, scrollTop > 0])
  for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  expect(await scrolled()).toEqual([true, true])
  for (const key of ['ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
  expect(await scrolled()).toEqual([false, false])
  await page.keyboard.press('z')
  expect(await width()).toBe(small)

  await press(page, buttonOf('与下一张并排'))
  const sources = () => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  const both = await page.locator('.pictures img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  expect(await sources()).toEqual(both)
  await page.keyboard.press('z')
  const [left, right] = await Promise.all([images.first().boundingBox(), images.last().boundingBox()])
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  for (const key of ['z', 'c']) await page.keyboard.press(key)
  expect(await sources()).toEqual(both.slice(0, 1))
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/#picture-2$/)
  await page.keyboard.press('Escape')
  await open.waitFor({ state: 'detached' })
}

/** Begins a comment with a template, and finds it again after a reload. */
async function draftComment(page: Page) {
  const comment = page.getByLabel(/^估价说明/)
  await comment.focus()
  await page.keyboard.type('皮肤齐全。')
  await press(page, page.getByRole('button', { name: '主要价值来自：', exact: true }))
  await page.keyboard.type('限定皮肤')
  const written = '皮肤齐全。主要价值来自：\n限定皮肤'
  expect(await comment.inputValue()).toBe(written)
  await page.getByText('草稿已自动保存').waitFor()
  await page.reload()
  expect(await comment.inputValue()).toBe(written)
  await page.getByText(/^草稿保存于/).waitFor()
}

it('an appraiser takes an order, looks at its pictures, asks for information, and begins the appraisal', async () => {
  const { context, page, problems } = await openDesk()
  await signIn(page, sandboxLogins.appraiser)
  const orderId = await paidOrder({ remark: '<b>急</b>', images: [await upload(1), await upload(2)] })
  // the open queue shows it without being loaded again
  await page.locator(`[data-row][href="/desk/orders/${orderId}"]`).waitFor()
  await openRow(page, orderId)
  await page.getByText('<b>急</b>').waitFor()
  await page.locator('.pictures img').first().scrollIntoViewIfNeeded()
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.pictures img')?.naturalWidth ?? 0) > 0)
  await lookAtPictures(page)
  await type(page, 't')
  await saw(page, '已接单')
  expect(await page.getByText('AI 估价', { exact: true }).count()).toBe(0)
  await type(page, 'i', '请补一张皮肤页截图', 'Tab', 'Enter')
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
