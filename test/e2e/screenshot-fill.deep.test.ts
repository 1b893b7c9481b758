import { calls } from '@/contract/calls'
import { isEmpty } from '@/contract/form/answers'
import type { Answers } from '@/contract/form/types'
import { pagesOf } from '../../server/fixtures/screenshots/pages'
import { newContext, openPhone, type Phone } from './browser'
import { countedInput, fillFields, plausibleAccount } from './form'
import { hok } from './orders'
import { signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The main job with three screenshots, read by the real recogniser. */

/** without keys */
const MAX_TAPS = 8
/** s from the open form to the report, of which a tap takes a person 1.2 */
const MAX_SECONDS = 25
const SECONDS_PER_TAP = 1.2
const ACCOUNT = 2

let phone: Phone
setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(async () => {
  await phone.page.screenshot({ path: 'test-results/e2e/screenshot-fill.png' })
  await phone.context.close()
})

const sorted = (answers: Answers) =>
  Object.fromEntries(
    Object.entries(answers).map(([key, answer]) => [
      key,
      Array.isArray(answer) ? [...answer].map(String).sort() : answer,
    ]),
  )

/** Screenshots of an account as a phone takes them, and what they show. */
async function screenshots() {
  const context = await newContext(browser, { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2.88 })
  const page = await context.newPage()
  const drawn = pagesOf(hok, ACCOUNT)
  const files: Buffer[] = []
  for (const { html } of drawn) {
    await page.setContent(html)
    files.push(await page.screenshot())
  }
  await context.close()
  return { files, shown: Object.assign({}, ...drawn.map(({ shown }) => shown)) as Answers }
}

it('three screenshots and what they cannot show give the price of a completely filled form', async () => {
  const { page, problems } = phone
  const { files, shown } = await screenshots()
  await page.goto(`${server.url}/pages/evaluation/fillInInfo/index?gameId=${hok.gameId}`)
  const entry = page.getByText('传截图', { exact: true })
  await entry.waitFor()

  const count = { taps: 0, keys: 0 }
  const input = countedInput(count)
  const begun = Date.now()
  const chooser = page.waitForEvent('filechooser')
  await input.tap(entry)
  await (await chooser).setFiles(files.map((buffer, i) => ({ name: `${i}.png`, mimeType: 'image/png', buffer })))
  count.taps += files.length
  await page.getByText(/^已识别 \d+ 项$/).waitFor()
  const account = { config: hok, answers: plausibleAccount(hok) }
  const unseen = hok.fields.filter(({ key, required }) => required === true && isEmpty(shown[key]))
  await fillFields(page, account, unseen, input)
  const order = page.waitForRequest((request) => request.url().endsWith(calls.evaluation.submitAi.path))
  await input.tap(page.getByText('提交估价', { exact: true }))
  const { answers } = (await order).postDataJSON() as { answers: Answers }
  await page.waitForURL((url) => url.pathname === '/pages/evaluation/report/index')
  await page.getByText('建议挂牌').first().waitFor()

  // items of a list are compared in any order
  expect(sorted(answers)).toMatchObject(sorted(shown))
  expect(count.taps).toBeLessThanOrEqual(MAX_TAPS)
  expect(count.keys).toBe(0)
  expect((Date.now() - begun) / 1000 + SECONDS_PER_TAP * count.taps).toBeLessThanOrEqual(MAX_SECONDS)
  expect(problems).toEqual([])
})
