/** Paints of home on a slow phone, beside a static page of the same content (bench/static-home.html), interleaved. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { launch, openPhone } from '../test/e2e/browser.ts'
import { byLighthouse } from './bench-lighthouse.mjs'
import { root } from './lib.mjs'
import { round } from './load.mjs'

/** single paints vary by half on a shared machine: the median of five is too noisy, that of twenty is stable */
const PAINTS = 20
/** Lighthouse's slow 4G: bytes per second, round trip in ms; and the viewport of its phone, larger than ours */
const NET = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 93_750 }
const LIGHTHOUSE = { width: 412, height: 823 }
/** times as slow as this machine's processor */
const CPU = 4
const STATIC_PAGE = path.join(root, 'bench/static-home.html')

export const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]

/** Serves `html` at `/` of a separate origin and everything else from the measured server. */
async function sideBy(url, html) {
  const page = brotliCompressSync(Buffer.from(html))
  const head = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br', 'cache-control': 'no-cache' }
  const site = createServer((req, res) => {
    if (req.url === '/') return res.writeHead(200, head).end(page)
    const headers = { ...req.headers, host: new URL(url).host }
    const onward = request(url + req.url, { method: req.method, headers }, (r) =>
      r.pipe(res.writeHead(r.statusCode ?? 500, r.headers)),
    )
    req.pipe(onward)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address())
  return { url: `http://127.0.0.1:${port}`, stop: () => site.close() }
}

/** Home's first screen and styles without scripts and data, recorded by `--static` whenever home has changed. */
async function staticPage(url) {
  while (process.argv.includes('--static')) {
    const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    const still = html.replace(/<script[\s\S]*?<\/script>/g, (script) => (script.includes('fontSize') ? script : ''))
    // an example account is shown when the first statistics are there
    if (html.includes('home-sample__share')) {
      writeFileSync(STATIC_PAGE, still)
      break
    }
    await delay(100)
  }
  return readFileSync(STATIC_PAGE, 'utf8')
}

/** Runs on the page: ms of its first and its largest paint. */
async function paints() {
  const lcp = new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime)).observe({
      ...{ type: 'largest-contentful-paint', buffered: true },
    }),
  )
  return { fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime, lcp: await lcp }
}

async function visit(browser, url, viewport) {
  const { context } = await openPhone(browser, viewport)
  // unlike that of openPhone it does not wait for the removal of the first screen, because the static page keeps it
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', NET)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(paints)
  await context.close()
  return seen
}

/** @returns figures of the areas `home` and `lighthouse` in bench/budgets.json */
export async function homeOnSlowPhone(url) {
  const browser = await launch()
  const still = await sideBy(url, await staticPage(url))
  const figures = {}
  for (const [size, viewport] of Object.entries({ '': {}, 412: LIGHTHOUSE })) {
    /** @type {Record<'ours' | 'still', { fcp?: number, lcp?: number }[]>} */
    const seen = { ours: [], still: [] }
    for (let i = 0; i < PAINTS; i += 1) {
      seen.ours.push(await visit(browser, url, viewport))
      seen.still.push(await visit(browser, still.url, viewport))
    }
    for (const paint of ['fcp', 'lcp']) {
      const [ours, other] = [seen.ours, seen.still].map((list) => median(list.map((one) => one[paint])))
      figures[`${paint}Ms${size}`] = Math.round(ours)
      figures[`${paint}Ratio${size}`] = round(ours / other)
    }
  }
  await browser.close()
  const lighthouse = await byLighthouse(url, still.url)
  still.stop()
  return { home: figures, lighthouse }
}
