/**
 * The home page on a slow phone, interleaved with three baselines: a static page of the same content
 * (bench/static-home.html), the same build without the server's first screen, and a Taro hello world with React
 * (bench/hello-world). Then the cost of a long visit.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { launch, openPhone } from '../test/e2e/browser.ts'
import { serveHelloWorld } from './bench-hello.mjs'
import { root, say } from './lib.mjs'

/** single paints vary by half on a shared machine: the median of five is too noisy, that of twenty is stable */
const PAINTS = 20
const TAPS = 5
const NAVIGATIONS = 50
/** Lighthouse's slow 4G: bits per second, round trip in ms */
const NET = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }
const CPU = 4
/** px: viewport of Lighthouse's phone, larger than ours */
const LIGHTHOUSE = { width: 412, height: 823 }

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const p95 = (list) => [...list].sort((a, b) => a - b)[Math.ceil(list.length * 0.95) - 1]
export const round = (n) => Math.round(n * 100) / 100

/** Serves `html` at `/` of a separate origin and everything else from the measured server. */
export async function sideBy(url, html) {
  const page = brotliCompressSync(Buffer.from(html))
  const site = createServer((req, res) => {
    if (req.url === '/') {
      res.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'br',
        'cache-control': 'no-cache',
      })
      return res.end(page)
    }
    const on = request(
      url + req.url,
      { method: req.method, headers: { ...req.headers, host: new URL(url).host } },
      (r) => {
        res.writeHead(r.statusCode ?? 500, r.headers)
        r.pipe(res)
      },
    )
    req.pipe(on)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address())
  return { url: `http://127.0.0.1:${port}`, stop: () => site.close() }
}

const STATIC_PAGE = path.join(root, 'bench/static-home.html')

/**
 * ms until home shows example accounts, as it does before any report may be shown: a market that is read before the
 * first statistics exist is cached as absent for 30 s and renewed in the background
 */
const EXAMPLES_LIMIT_MS = 120_000

/** Home as the server sends it once the example accounts are priced. @throws Error when they never are */
async function homeWithExamples(url) {
  const end = Date.now() + EXAMPLES_LIMIT_MS
  while (Date.now() < end) {
    const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    if (html.includes('class="home-sample__share"')) return html
    await delay(100)
  }
  throw new Error('home shows no example account')
}

/** Visible words of a page, without figures and the examples' titles, which change with the data from day to day. */
const wordsOf = (html) =>
  html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<div class="home-sample__title">[^<]*/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\d\s.,]+/g, '')

/**
 * The page that first visits are compared with, kept in bench/: home's first screen and styles without scripts and
 * data. `npm run bench -- --static` records it again.
 * @throws Error when the words on home have changed since
 */
export async function staticPage(url) {
  const html = await homeWithExamples(url)
  const today = html.replace(/<script[\s\S]*?<\/script>/g, (script) => (script.includes('fontSize') ? script : ''))
  if (process.argv.includes('--static')) writeFileSync(STATIC_PAGE, today)
  const kept = readFileSync(STATIC_PAGE, 'utf8')
  if (wordsOf(kept) !== wordsOf(today))
    throw new Error('bench/static-home.html has other words than home: npm run bench -- --static')
  return kept
}

/** Runs on the page: records paints, and when a tap on a game was handled. */
function observe() {
  const seen = { fcp: 0, lcp: 0, cls: 0, usable: 0 }
  Object.assign(window, { seen })
  const watch = (type, note) =>
    new PerformanceObserver((l) => l.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('paint', (e) => {
    if (e.name === 'first-contentful-paint') seen.fcp = e.startTime
  })
  watch('largest-contentful-paint', (e) => {
    seen.lcp = e.startTime
  })
  watch('layout-shift', (e) => {
    seen.cls += e.value
  })
  let tapped = false
  const look = () => {
    const game = document.querySelector('.taro_page_show .home-game__name')
    if (game instanceof HTMLElement && !document.getElementById('first') && !tapped && window.name === 'tap') {
      tapped = true
      game.click()
    }
    if (/login|fillInInfo/.test(location.pathname)) seen.usable = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function slowPhone(browser, tap, size = {}) {
  const phone = await openPhone(browser, size)
  await phone.context.addInitScript(
    (name) => {
      window.name = name
    },
    tap ? 'tap' : '',
  )
  await phone.context.addInitScript(observe)
  // does not wait for the removal of the first screen, because the static page keeps it
  const page = await phone.context.newPage()
  const cdp = await phone.context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', NET)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  return { ...phone, page }
}

async function paints(browser, url, size) {
  const { page, context } = await slowPhone(browser, false, size)
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(() => window.seen)
  await context.close()
  return seen
}

async function usable(browser, url) {
  const { page, context } = await slowPhone(browser, true)
  await page.goto(url)
  await page.waitForFunction(() => window.seen.usable > 0)
  const ms = await page.evaluate(() => window.seen.usable)
  await context.close()
  return ms
}

/** Runs on the page: ms from a tap to the frame that shows the page. Previous pages stay in the document, hidden. */
async function change(name, selector) {
  const shown = (what) => [...document.querySelectorAll(what)].find((el) => el.getClientRects().length > 0)
  const tabs = [...document.querySelectorAll('.ui-tabs__tab')].filter((el) => el.getClientRects().length > 0)
  const link = tabs.find((el) => el.textContent.includes(name))
  const from = performance.now()
  if (!(link instanceof HTMLElement)) throw new Error(`no tab is named ${name}`)
  link.click()
  return new Promise((resolve) => {
    const look = () => requestAnimationFrame(() => (shown(selector) ? resolve(performance.now() - from) : look()))
    look()
  })
}

/** Route changes between pages already visited, and what remains after 50 of them. */
async function longVisit(browser, url) {
  const { page, context } = await openPhone(browser)
  const cdp = await context.newCDPSession(page)
  const go = async () => {
    const there = await page.evaluate(`(${change})('估价', '.ev')`)
    await page.waitForTimeout(100)
    const back = await page.evaluate(`(${change})('首页', '.home')`)
    await page.waitForTimeout(100)
    return [there, back]
  }
  const held = async () => {
    for (let i = 0; i < 3; i += 1) await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    const { jsEventListeners } = await cdp.send('Memory.getDOMCounters')
    return { usedSize, jsEventListeners }
  }
  await page.goto(url)
  await page.locator('.home__legal').waitFor()
  // each of the first fifty changes retains 8 kB, mostly V8's compilation data; each of the next 350 retains 0.4 to 2.4
  // kB
  for (let i = 0; i < NAVIGATIONS / 2; i += 1) await go()
  const before = await held()
  for (let i = 0; i < NAVIGATIONS / 2; i += 1) await go()
  const after = await held()
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  const times = []
  for (let i = 0; i < 20; i += 1) times.push(...(await go()))
  await context.close()
  return {
    routeP50Ms: Math.round(median(times)),
    routeP95Ms: Math.round(p95(times)),
    heapPerNavigationKb: round((after.usedSize - before.usedSize) / 1024 / NAVIGATIONS),
    listenersPerNavigation: round((after.jsEventListeners - before.jsEventListeners) / NAVIGATIONS),
  }
}

/** @returns figures of the area `home` in bench/budgets.json */
export async function homeOnSlowPhone(url) {
  const browser = await launch()
  const staticSite = await sideBy(url, await staticPage(url))
  const appAlone = await sideBy(url, readFileSync(path.join(root, 'dist/h5/index.html'), 'utf8'))
  const helloWorld = await serveHelloWorld()
  /** @type {Record<'ours' | 'static' | 'ours412' | 'static412', Window['seen'][]>} */
  const rows = { ours: [], static: [], ours412: [], static412: [] }
  /** @type {Record<'usable' | 'usableAppAlone' | 'usableHelloWorld', number[]>} */
  const taps = { usable: [], usableAppAlone: [], usableHelloWorld: [] }
  for (let i = 0; i < PAINTS; i += 1) {
    rows.ours.push(await paints(browser, url))
    rows.static.push(await paints(browser, staticSite.url))
    rows.ours412.push(await paints(browser, url, LIGHTHOUSE))
    rows.static412.push(await paints(browser, staticSite.url, LIGHTHOUSE))
  }
  for (let i = 0; i < TAPS; i += 1) {
    taps.usable.push(await usable(browser, url))
    taps.usableAppAlone.push(await usable(browser, appAlone.url))
    taps.usableHelloWorld.push(await usable(browser, helloWorld.url))
  }
  for (const [name, list] of Object.entries({ ...rows, ...taps })) say(`  ${name} ${JSON.stringify(list)}`)
  const long = await longVisit(browser, url)
  await browser.close()
  staticSite.stop()
  appAlone.stop()
  helloWorld.stop()
  const of = (list, name) => Math.round(median(list.map((one) => one[name])))
  const ratio = (name, ours, other) => round(of(ours, name) / of(other, name))
  return {
    fcpMs: of(rows.ours, 'fcp'),
    lcpMs: of(rows.ours, 'lcp'),
    staticFcpMs: of(rows.static, 'fcp'),
    staticLcpMs: of(rows.static, 'lcp'),
    fcpRatio: ratio('fcp', rows.ours, rows.static),
    lcpRatio: ratio('lcp', rows.ours, rows.static),
    fcpRatio412: ratio('fcp', rows.ours412, rows.static412),
    lcpRatio412: ratio('lcp', rows.ours412, rows.static412),
    usableMs: Math.round(median(taps.usable)),
    usableAppAloneMs: Math.round(median(taps.usableAppAlone)),
    usableRatio: round(median(taps.usable) / median(taps.usableAppAlone)),
    usableHelloWorldMs: Math.round(median(taps.usableHelloWorld)),
    usableHelloWorldRatio: round(median(taps.usable) / median(taps.usableHelloWorld)),
    ...long,
  }
}
