import { startServer, type TestServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { type Harness, startHarness } from './launch'

/** What the host opens without asking the app: cold start, share, scan (spec §2, "Route guard"). */
let server: TestServer
let harness: Harness
let app: MiniProgram

beforeAll(async () => {
  ;[server, harness] = await Promise.all([startServer(), startHarness()])
}, 120_000)
afterAll(async () => {
  await harness?.close()
  await server?.stop()
})
beforeEach(async () => {
  app = await harness.open({ apiBase: server.url })
})
afterEach(async () => {
  expect(await app.problems()).toEqual([])
  await app.close()
})

it('leads a cold start on a protected page to the wx login page, with the way back', async () => {
  await app.start('pages/evaluation/report/index', { orderId: '%E4%BC%B0', evil: '1' })
  const [top, ...under] = (await app.stack()).reverse()
  const redirect = encodeURIComponent('/pages/evaluation/report/index?orderId=%E4%BC%B0')
  expect([top, under]).toEqual([{ path: 'pagesA/pages/login/wx/index', query: { redirect } }, []])
})

it('does the same for a page opened from outside while the app runs, and lets open ones through', async () => {
  await app.start()
  await app.navigateTo('/pagesA/pages/home/helpCenter/index')
  expect(await app.route()).toBe('pagesA/pages/login/wx/index')
  await app.back()
  expect(await app.route()).toBe('pages/home/index')
  await app.navigateTo('/pagesA/pages/home/news/index')
  expect(await app.route()).toBe('pagesA/pages/home/news/index')
})
