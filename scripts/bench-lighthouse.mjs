/**
 * Google's Lighthouse on the home page, interleaved with the same content as a static page. Its package is installed
 * separately (tools/lighthouse): 111 MB that nothing else needs.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { median, round, sideBy, staticPage } from './bench-home.mjs'
import { installApart, root, say } from './lib.mjs'
import { findChromium } from './tools.mjs'

const VISITS = 5
const folder = path.join(root, 'tools/lighthouse')

async function install() {
  if (!(await installApart(folder, 'Lighthouse（111 MB，仅第一次）')))
    throw new Error('Lighthouse cannot be installed here')
  const { resolve } = createRequire(path.join(folder, 'package.json'))
  const load = (name) => import(pathToFileURL(resolve(name)).href)
  const [{ default: lighthouse }, { launch }] = await Promise.all([load('lighthouse'), load('chrome-launcher')])
  return { lighthouse, launch }
}

/** One visit with a fresh browser and Lighthouse's settings for phones: 412 × 823, slow 4G, a slow processor. */
async function visit({ lighthouse, launch }, url, throttlingMethod) {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
  })
  const { lhr } = await lighthouse(url, {
    port: chrome.port,
    onlyCategories: ['performance'],
    throttlingMethod,
    logLevel: 'error',
  })
  await chrome.kill()
  const value = (audit) => lhr.audits[audit].numericValue
  return {
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    score: lhr.categories.performance.score,
  }
}

/**
 * @param method `simulate`: Lighthouse computes the slow visit from a fast one (its default); `devtools`: the visit is
 * throttled
 */
async function compare(tool, method, urls) {
  /** @type {Record<'ours' | 'static', Awaited<ReturnType<typeof visit>>[]>} */
  const rows = { ours: [], static: [] }
  for (let i = 0; i < VISITS; i += 1) {
    rows.ours.push(await visit(tool, urls.ours, method))
    rows.static.push(await visit(tool, urls.static, method))
  }
  for (const [name, list] of Object.entries(rows)) say(`  Lighthouse ${method} ${name} ${JSON.stringify(list)}`)
  const of = (who, name) => median(rows[who].map((one) => one[name]))
  return {
    fcpMs: Math.round(of('ours', 'fcp')),
    lcpMs: Math.round(of('ours', 'lcp')),
    tbtMs: Math.round(of('ours', 'tbt')),
    cls: Math.round(of('ours', 'cls') * 1000) / 1000,
    score: of('ours', 'score'),
    fcpRatio: round(of('ours', 'fcp') / of('static', 'fcp')),
    lcpRatio: round(of('ours', 'lcp') / of('static', 'lcp')),
  }
}

/** @returns figures of the areas `lighthouse` (simulated) and `lighthouseSlowed` in bench/budgets.json */
export async function byLighthouse(url) {
  const tool = await install()
  const staticSite = await sideBy(url, await staticPage(url))
  const urls = { ours: url, static: staticSite.url }
  const lighthouse = await compare(tool, 'simulate', urls)
  const lighthouseSlowed = await compare(tool, 'devtools', urls)
  staticSite.stop()
  return { lighthouse, lighthouseSlowed }
}
