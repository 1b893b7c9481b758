/** Home by Lighthouse (tools/lighthouse, installed apart: 111 MB), with its settings for phones, beside the static page. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { median } from './bench-home.mjs'
import { installApart, root } from './lib.mjs'
import { round } from './load.mjs'
import { findChromium } from './tools.mjs'

const VISITS = 5

/** @returns figures of the area `lighthouse` in bench/budgets.json */
export async function byLighthouse(ours, still) {
  const folder = path.join(root, 'tools/lighthouse')
  if (!(await installApart(folder, 'Lighthouse'))) throw new Error('Lighthouse cannot be installed here')
  const { resolve } = createRequire(path.join(folder, 'package.json'))
  const load = (name) => import(pathToFileURL(resolve(name)).href)
  const [{ default: lighthouse }, { launch }] = await Promise.all([load('lighthouse'), load('chrome-launcher')])
  const seen = { ours: [], still: [] }
  for (let i = 0; i < VISITS; i += 1)
    for (const [who, url] of Object.entries({ ours, still })) {
      const chromeFlags = ['--headless=new', '--no-sandbox', '--disable-gpu']
      const chrome = await launch({ chromePath: findChromium(), chromeFlags })
      const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: ['performance'], logLevel: 'error' })
      await chrome.kill()
      seen[who].push(lhr.audits)
    }
  const of = (who, audit) => median(seen[who].map((audits) => audits[audit].numericValue))
  const ratio = (audit) => round(of('ours', audit) / of('still', audit))
  const [fcpRatio, lcpRatio] = ['first-contentful-paint', 'largest-contentful-paint'].map(ratio)
  return { fcpRatio, lcpRatio, cls: round(of('ours', 'cumulative-layout-shift'), 3) }
}
