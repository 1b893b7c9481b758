import { openPhone, type Phone } from './browser'
import { keeping } from './service-worker'
import { browser, server, setUpBrowser } from './setup'

/** The service worker replaces what older builds have cached. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser, { keeps: true })
})
afterEach(async () => {
  await phone.context.close()
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
