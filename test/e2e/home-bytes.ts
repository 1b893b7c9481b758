/** Sizes of the h5 build and of a first visit to home, for bench/budgets.json. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { root } from '../../server/test/temp'
import { openPhone } from './browser'

/** 1,000 bytes, with one decimal place. */
export const kb = (bytes: number): number => Math.round(bytes / 100) / 10

const counted = new Set(['Document', 'Script', 'Stylesheet'])

/** Transferred bytes, requests and layout shift of a first visit to `/`. */
export async function measureHomeVisit(browser: Browser, url: string) {
  const { page, context } = await openPhone(browser)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const types = new Map<string, string>()
  let bytes = 0
  let requests = 0
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    // icons inside the stylesheet are reported as responses too, but cause no network request
    if (!response.url.startsWith('data:')) types.set(requestId, type)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId)
    if (type === undefined) return
    requests += 1
    if (counted.has(type)) bytes += encodedDataLength
  })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url)
  // the end of the page is rendered: everything has been loaded
  await page.locator('.home__legal').waitFor()
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  await context.close()
  const homeCls = Math.round(shifts.reduce((sum, shift) => sum + shift, 0) * 1000) / 1000
  return { homeTransferKb: kb(bytes), homeRequests: requests, homeCls }
}

/** Sizes of the build's scripts as they are transferred. */
export function measureScripts() {
  const dir = path.join(root, 'dist/h5/js')
  const html = readFileSync(path.join(root, 'dist/h5/index.html'), 'utf8')
  const scripts = readdirSync(dir).filter((name) => name.endsWith('.js'))
  const sizes = scripts.map((name) => {
    const { size } = statSync(path.join(dir, `${name}.br`), { throwIfNoEntry: false }) ?? statSync(path.join(dir, name))
    return { size, route: !html.includes(name) }
  })
  return {
    largestRouteChunkKb: kb(Math.max(...sizes.filter(({ route }) => route).map(({ size }) => size))),
    allJsKb: kb(sizes.reduce((sum, { size }) => sum + size, 0)),
  }
}
