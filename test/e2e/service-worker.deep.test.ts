import type { Page } from 'playwright-core'
import { startServer } from '../fakes/server'
import { openPhone, type Phone } from './browser'
import { startNetworkProxy } from './network-proxy'
import { keeping } from './service-worker'
import { browser, server, setUpBrowser } from './setup'

/** The service worker replaces what older builds have cached, and can be removed. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser, { keeps: true })
})
afterEach(async () => {
  await phone.context.close()
})

/** Waits until no worker is registered. */
const gone = (page: Page) =>
  page.evaluate(async () => {
    while ((await navigator.serviceWorker.getRegistrations()).length > 0) await new Promise(requestAnimationFrame)
  })

it('a new worker deletes the pages of older builds, whose scripts it has deleted too', async () => {
  const { page } = phone
  await page.goto(server.url)
  await keeping(page)
  const kept = await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
    // as the worker before it has left them
    for (const name of ['home-1', 'home-0123456789abcdef', 'files-0123456789abcdef']) await caches.open(name)
    return caches.keys()
  })
  expect(kept).toContain('home-1')
  await page.goto(server.url)
  await keeping(page)
  const left = await page.evaluate(() => caches.keys())
  expect(left.filter((name) => ['home-1', 'home-0123456789abcdef', 'files-0123456789abcdef'].includes(name))).toEqual(
    [],
  )
})

it('a server with OFFLINE=0 removes the service worker and its caches', async () => {
  const { page } = phone
  const line = await startNetworkProxy(server.port)
  await page.goto(line.url)
  await keeping(page)
  const without = await startServer({ env: { OFFLINE: '0' } })
  line.lead(without.port)
  await page.goto(line.url)
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.update()))
  await gone(page)
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await line.close()
  await without.stop()
})
