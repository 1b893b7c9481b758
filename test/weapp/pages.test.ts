import path from 'node:path'
import { type RouteName, routes } from '../../src/router/routes'
import { startServer, type TestServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { type Harness, pictures, startHarness } from './launch'
import { startSecondEngine } from './second-engine'
import { loginBySms } from './steps'

jest.setTimeout(60_000)

const names = Object.keys(routes) as RouteName[]
const openPages = names.filter((n) => 'open' in routes[n])
const protectedPages = names.filter((n) => !openPages.includes(n))

let server: TestServer
let harness: Harness
let app: MiniProgram
let second: ReturnType<typeof startSecondEngine>

/** What a page needs to have something to show; reports are in the journeys. */
const query: Partial<Record<RouteName, Record<string, string>>> = {
  evaluationFillInInfo: { gameId: 'hok', mode: 'AI' },
}

/** Starts the app at this page, as a share or a scan does. */
const openCold = (name: RouteName) => app.start(routes[name].path, query[name])

/** What the page's own bar says; framed in another site it has none. */
const titleDrawn = async (name: RouteName) =>
  name === 'reportWxIframe' ? routes[name].title : app.top.locator('.ui-nav__title').innerText()

beforeAll(async () => {
  ;[server, harness] = await Promise.all([startServer(), startHarness()])
  app = await harness.open({ apiBase: server.url })
}, 200_000)
afterAll(async () => {
  await harness?.close()
  await server?.stop()
})
afterEach(async () => {
  expect(await app.problems()).toEqual([])
  expect(await app.sidewaysScroll()).toBe(0)
})

describe('without a login', () => {
  it.each(protectedPages)('%s asks for one and remembers where to go', async (name) => {
    await openCold(name)
    const stack = await app.stack()
    expect(stack.map((p) => p.path)).toEqual([routes.loginWx.path])
    const [path] = decodeURIComponent(stack[0]?.query.redirect ?? '').split('?')
    expect(path).toBe(`/${routes[name].path}`)
  })

  it.each(openPages)('%s opens', async (name) => {
    await openCold(name)
    expect(await app.route()).toBe(routes[name].path)
    expect(await titleDrawn(name)).not.toBe('')
  })
})

describe('with a login', () => {
  beforeAll(async () => {
    second = startSecondEngine()
    await openCold('mine')
    await loginBySms(app, server, '13800138041')
    await app.at(routes.mine.path)
  }, 60_000)

  it.each(names)('%s draws itself, the same in both engines', async (name) => {
    await openCold(name)
    expect(await app.route()).toBe(routes[name].path)
    const title = await titleDrawn(name)
    if (!routes[name].ready) expect(title).toBe(routes[name].title)
    expect(title).not.toBe('')
    await app.screenshot(path.join(pictures(), `${name}.png`))
    const { path: file, data, text } = await app.drawn()
    expect(text).not.toBe('')
    expect(second.textOf(file, data)).toBe(text)
  })
})
