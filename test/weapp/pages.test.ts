/** @group long */
import path from 'node:path'
import { type RouteName, routes } from '../../src/router/routes'
import { beingRead, ordered, paid, provenAdult, valued } from '../e2e/orders'
import { type Login, login, post, read, sandbox } from '../fakes/calls'
import type { MiniProgram } from './driver'
import { pictures } from './launch'
import { startSecondEngine } from './second-engine'
import { harness, server, setUpHarness } from './setup'

const names = Object.keys(routes) as RouteName[]

let app: MiniProgram
let who: Login
let second: ReturnType<typeof startSecondEngine>

type Queries = Partial<Record<RouteName, Record<string, string>>>

/** Data for every page: a user with orders in all states. */
let query: Queries = {}

const E = '/app-api/api/evaluate/user/order'
const RECORD = '/app-api/report/unlock/order/unlock/record'

async function settledOrders(who: Login) {
  const [locked, whole] = [await valued(server, who), await valued(server, who, { skinCount: 20 })]
  await post(server, `${E}/create/ai/pre`, { orderId: whole, couponId: '' }, who.token)
  await paid(server, who, whole)
  const waiting = await ordered(server, who)
  await paid(server, who, waiting)
  const done = await ordered(server, who, { skinCount: 20 })
  await paid(server, who, done)
  await sandbox(server, 'desk/report', { orderId: done, priceFen: 258_000, comment: '皮肤齐全，区服热门。' })
  // created last: while it is unpaid, another request would change it
  const unpaid = await ordered(server, who, { skinCount: 40 })
  return { locked, whole, unpaid, waiting, done }
}

/** Another user's locked report with an open request for help. */
async function askedFor(): Promise<string> {
  const friend = await login(server, '13800138042')
  const orderId = await valued(server, friend)
  const { recordId } = await read<{ recordId: string }>(server, RECORD, { orderId }, friend.token)
  return recordId
}

async function queriesOf(who: Login): Promise<Queries> {
  await provenAdult(server, who)
  const { locked, whole, unpaid, waiting, done } = await settledOrders(who)
  const shared = { orderId: whole, embed: true as never }
  const { url } = await read<{ url: string }>(server, `${E}/get/report-image/share`, shared, who.token)
  return {
    evaluationFillInInfo: { gameId: 'hok', mode: 'AI' },
    evaluationFillInInfoRpaWebview: { gameId: 'ys' },
    evaluationFillInInfoSuccess: { orderId: await beingRead(server, who) },
    humanCheckout: { orderId: unpaid },
    humanPaySuccess: { orderId: waiting },
    payment: { orderId: unpaid },
    report: { orderId: whole },
    reportScreenShot: { orderId: whole },
    reportDownload: { orderId: whole },
    reportUnlockInvite: { orderId: locked },
    reportUnlockAccept: { recordId: await askedFor() },
    reportWxIframe: Object.fromEntries(new URL(url).searchParams),
    webview: { url: encodeURIComponent('https://pvp.qq.com/'), title: encodeURIComponent('王者荣耀') },
    mineEvaluationEvaluate: { orderId: done },
    article: { key: 'PRIVACY' },
    newsDetail: { id: 'handover' },
    contrastAnalysis: { orderIds: `${locked},${whole}` },
  }
}

const titleDrawn = () => app.top.locator('.ui-nav__title').innerText()

setUpHarness()
beforeAll(async () => {
  who = await login(server, '13800138041')
  query = await queriesOf(who)
  app = await harness.open({ apiBase: server.url })
})
afterEach(async () => {
  expect(await app.problems()).toEqual([])
  expect(await app.sidewaysScroll()).toBe(0)
})

/** pages that redirect a user whose real name is verified */
const leadsTo: Partial<Record<RouteName, RouteName>> = { mineRealName: 'mineRealNameResult' }

describe('with a login', () => {
  beforeAll(async () => {
    second = startSecondEngine()
    await app.signIn(who)
    await app.start()
  })

  it.each(names)('%s is rendered, the same in both engines', async (name) => {
    // by a link, as a share or a scan does; cold starts: launch.test.ts
    await app.reopen(routes[name].path, query[name])
    const shown = routes[leadsTo[name] ?? name]
    expect(await app.route()).toBe(shown.path)
    const title = await titleDrawn()
    expect(title).not.toBe('')
    expect(await app.brokenPictures()).toEqual([])
    await app.screenshot(path.join(pictures(), `${name}.png`))
    // the harness reports a problem if a shared page has no picture of its own
    if (name !== 'test') await app.shared('menu')
    const { path: file, data, text } = await app.drawn()
    expect(text).not.toBe('')
    expect(second.textOf(file, data)).toBe(text)
  })
})
