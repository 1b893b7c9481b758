import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { calls } from '@/contract/calls'
import type { FormConfig } from '@/contract/form/types'
import { keysOf, type ManualLevel, manualLevelText } from '@/contract/labels'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { type Login, login, nextIdNo, payForReport, post, sandbox } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import { openPhone, type Phone } from './browser'
import { type DeskClient, deskClient, hireAppraiser, readDelivery } from './desk-client'
import { type FixedTime, startAtFixedTime } from './fixed-time'
import { plausibleAccount } from './form'
import { scriptedDelivery } from './scripted-appraiser'
import { nextMobile, signIn } from './session'
import { browser, setUpBrowser, server as shared } from './setup'
import { writtenAppraisals } from './written-appraisals'

/**
 * Reports of each service for the same account, as pages: made by the real server, delivered through the real desk by
 * appraisers who write what the service requires and no more, printed from the report's own page. This tests that each
 * step up delivers more. Whether it is also worth more must be judged by a person who did not build it:
 * `PRINT_ACCOUNTS=10` prints the pages of ten accounts with shuffled letters to test-results/blind and keeps the key
 * beside that folder (docs/human-valuation.md). With `APPRAISALS=<folder>` market and clock are always the same, so that
 * people can write the appraisals instead of the script.
 */
const ACCOUNTS = Number(process.env.PRINT_ACCOUNTS ?? 1)
jest.setTimeout(120_000 + 60_000 * ACCOUNTS)

const FOLDER = 'test-results/blind'
const KEY = 'test-results/blind-key.json'
const QUESTION = `每个账号有四页（A–D），是同一个账号的四份付费估价报告，按随机顺序排列，价格和服务名称不显示。
您打算卖掉这个账号。请只根据页面内容，为每个账号把四页按“值多少钱”从低到高排序，
并说明相邻两页之间，后一页多给了什么、这多出的部分对您是否值得多付钱；认为不值得或看不出差别的也请写明。
`

type Service = 'AI' | ManualLevel
const services: Service[] = ['AI', ...keysOf(manualLevelText)]
const games = ['hok', 'ys', 'naraka', 'pubgm', 'lolm', 'hsr', 'delta', 'val']
const configs = games.map((id) => require(`../../server/fixtures/games/${id}.json`) as FormConfig)

/** A different account for each number. */
function accountOf(n: number) {
  const config = configs[n % configs.length]
  if (!config) throw new Error('there is no game')
  const account = { ...plausibleAccount(config, n + 1), campId: String(20_000_000 + n), uid: String(200_000_000 + n) }
  const keys = config.fields.map(({ key }) => key)
  return { config, answers: Object.fromEntries(Object.entries(account).filter(([key]) => keys.includes(key))) }
}

const { APPRAISALS } = process.env
const written = writtenAppraisals(APPRAISALS)
const FIRST = '1000'

let fixed: FixedTime | undefined
let server: RunningServer
let users: Record<Service, Login>
let appraisers: DeskClient[]
setUpBrowser()
beforeAll(async () => {
  if (APPRAISALS) fixed = await startAtFixedTime()
  server = fixed?.server ?? shared
  users = Object.fromEntries(
    await Promise.all(services.map(async (service) => [service, await login(server, nextMobile())])),
  ) as typeof users
  for (const { token } of Object.values(users))
    await post(server, calls.user.realNameAuth.path, { name: '张伟', idNo: nextIdNo(), consent: true }, token)
  const admin = await deskClient(server, sandboxLogins.admin, sandboxLogins.password)
  appraisers = []
  for (const [nick, years, intro] of [
    ['小林', '6', '做过三年账号寄售，每天看成交。'],
    ['小南', '4', '前交易平台审核员，专看绑定和找回风险。'],
  ] as const)
    appraisers.push(await hireAppraiser(server, admin, { name: `print${nextMobile()}`, nick, years, intro }))
})

afterAll(() => fixed?.end())

const two = (n: number) => String(n).padStart(2, '0')

async function deliver(orderId: string, level: ManualLevel, n: number) {
  const url = `/desk/orders/${orderId}`
  const people = appraisers.slice(0, level === 'PRO' ? 2 : 1)
  await people[0]?.see('/desk')
  await people[0]?.send(`${url}/take`)
  for (const [i, one] of people.entries()) {
    const name = `${two(n + 1)}-${level}-${i + 1}`
    const blind = await one.see(url)
    written.seen(`${name}-first`, blind)
    const first = written.form(name, blind)?.first ?? FIRST
    await one.send(`${url}/first`, { first, sure: first })
    const page = await one.see(url)
    written.seen(name, page)
    await one.send(`${url}/deliver`, written.form(name, page) ?? scriptedDelivery(readDelivery(page), i > 0))
  }
}

/** Orders the service for the account, pays, and has it delivered. @returns the order's id */
async function bought(service: Service, n: number): Promise<string> {
  const { config, answers } = accountOf(n)
  const { token } = users[service]
  const asked = { gameId: config.gameId, schemaVersion: config.schemaVersion, answers }
  if (service === 'AI') {
    const req = { ...asked, source: 'TYPED' }
    const { orderId } = await post<{ orderId: string }>(server, calls.evaluation.submitAi.path, req, token)
    await payForReport(server, token, orderId)
    return orderId
  }
  const remark = written.remark(n)
  const req = { ...asked, level: service, ...(remark && { remark }) }
  const { orderId } = await post<{ orderId: string }>(server, calls.evaluation.submitManual.path, req, token)
  const pay = { orderId, payType: 'WX_H5', consent: true, couponId: '', returnUrl: server.url }
  await post(server, calls.pay.payment.path, pay, token)
  await sandbox(server, 'pay', { orderId, result: 'SUCCESS' })
  await deliver(orderId, service, n)
  return orderId
}

/** The page scrolls inside the viewport. */
const heightOf = ({ page }: Phone) =>
  page.evaluate(() => Math.max(...Array.from(document.querySelectorAll('*'), ({ scrollHeight }) => scrollHeight)))

/** px of any report before something is unfolded */
const FOLDED_MAX = 6000

/** The report's page with everything unfolded, as its owner sees it. */
async function openReport(phone: Phone, orderId: string): Promise<string> {
  const { page } = phone
  await page.goto(`${server.url}/pages/evaluation/report/index?orderId=${orderId}`)
  await page.getByText('报告信息').first().waitFor()
  expect(await heightOf(phone)).toBeLessThanOrEqual(FOLDED_MAX)
  // in reverse order: an unfolded part no longer matches, which changes the index of those after it
  for (const words of [/^展开完整 AI 报告$/, /^展开 .* 的意见$/, /^(还有|其余|查看全部|展开(其余|买家|待核实))/])
    for (const one of (await page.getByText(words).filter({ visible: true }).all()).reverse()) await one.tap()
  await page.addStyleTag({ content: '* { animation: none !important; transition: none !important }' })
  return page.locator('body').innerText()
}

/** The whole page as one picture: the viewport is made as high as the page. */
async function printTo(phone: Phone, file: string) {
  const { page } = phone
  const { width = 375, height = 812 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width, height: await heightOf(phone) })
  await page.locator('.counts-up').waitFor({ state: 'detached' })
  await page.screenshot({ path: file })
  await page.setViewportSize({ width, height })
}

/** Counts verdicts on lines and comparables, channels and named appraisers on the page. */
async function countsOf({ page }: Phone) {
  const rows = await page.locator('.hm-row').count()
  return { people: await page.locator('.hm-person').count(), rows }
}

/** Anonymous letters for the services of one account. */
function shuffled(): Map<Service, string> {
  const letters = ['A', 'B', 'C', 'D']
  return new Map(services.map((service) => [service, letters.splice(randomInt(letters.length), 1)[0] ?? '']))
}

it('each service delivers more on the page than the one below it, and the page does not name it', async () => {
  const phones = new Map<Service, Phone>()
  for (const service of services) {
    const phone = await openPhone(browser)
    await fixed?.shift(phone.context)
    await signIn(phone.page, server, JSON.stringify({ version: 1, data: users[service] }))
    phones.set(service, phone)
  }
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(path.join(FOLDER, 'question.txt'), QUESTION)
  const key: Record<string, string> = {}
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const letters = shuffled()
    const made = new Map<Service, Awaited<ReturnType<typeof countsOf>>>()
    // in the order of the letters: the page says how many orders an appraiser has delivered
    for (const [service, letter] of [...letters].sort(([, a], [, b]) => a.localeCompare(b))) {
      const phone = phones.get(service) as Phone
      const text = await openReport(phone, await bought(service, n))
      made.set(service, await countsOf(phone))
      for (const name of Object.values(manualLevelText)) expect(text).not.toContain(`${name}服务`)
      const card = await phone.page.locator('.rp-price').innerText()
      for (const words of ['参考成交价', '快速出手价', '建议挂牌价']) expect(card).toContain(words)
      const name = `${two(n + 1)}-${letter}`
      key[name] = service
      writeFileSync(path.join(FOLDER, `${name}.txt`), text)
      await printTo(phone, path.join(FOLDER, `${name}.png`))
    }
    const counts = services.flatMap((service) => made.get(service) ?? [])
    for (const [i, now] of counts.entries()) {
      const below = counts[i - 1]
      if (below) expect(now.rows).toBeGreaterThan(below.rows)
    }
    expect(counts.map(({ people }) => people)).toEqual([0, 1, 1, 2])
  }
  writeFileSync(KEY, JSON.stringify(key, null, 2))
  for (const { context, problems } of phones.values()) {
    expect(problems).toEqual([])
    await context.close()
  }
})
