/** Shared by runs of the mini-program: the set-up of h5, and the site that serves the compiled build. */
import { chromium } from 'playwright-core'
import startSharedOfH5, { type Run, stopLater } from '../e2e/shared-setup'
import { siteVariable, startSite } from './harness-server'

/** jest's globalSetup. */
export default async function startShared(run: Run) {
  // the project `e2e`, where it runs beside this one, has started them already
  if (!process.env.SHARED_BROWSER) await startSharedOfH5(run)
  const browser = await chromium.connect(process.env.SHARED_BROWSER ?? '')
  const site = await startSite(browser)
  await browser.close()
  process.env[siteVariable] = site.url
  stopLater(site.close)
}
