/** Real Chromium at a phone's size that records every problem of a page. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium, findHeadless } from '../../scripts/tools.mjs'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a page lives for seconds: compiling its code for speed costs more than it gains
  '--js-flags=--no-opt --no-maglev',
]

/** Device pixel ratio of every page: rendering is done by the CPU, and no test depends on a higher one. */
export const SCALE = 1

function executablePath(find = findHeadless): string {
  const found = find()
  if (!found) throw new Error('no Chromium found: run npm test once, or set CHROME_PATH')
  return found
}

/** `HEADED=1` shows the browser while a test is being debugged. */
const headed = process.env.HEADED === '1'
const options = () => ({ executablePath: executablePath(headed ? findChromium : findHeadless), headless: !headed })

/** A browser that other processes connect to. */
export const launchShared = (): Promise<BrowserServer> => chromium.launchServer({ ...options(), args: flags })

/** @param more flags of this browser alone */
export const launchOwn = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ ...options(), args: [...flags, ...more] })

/**
 * The browser of this run (test/e2e/shared-setup.ts), in which `close` closes only what was opened through this
 * connection; outside such a run one of its own.
 */
export function launch(): Promise<Browser> {
  const shared = process.env.SHARED_BROWSER
  return shared ? chromium.connect(shared) : launchOwn()
}

/** ms; only a failing test waits that long on a busy machine */
const WAIT_MS = 60_000

const contexts = new Set<BrowserContext>()

/** A new context whose pages wait as long as a busy machine needs. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_MS)
  contexts.add(context)
  context.once('close', () => contexts.delete(context))
  return context
}

declare global {
  var takePictures: typeof takePicturesOfAll | undefined
}

/** Takes a picture of every open page. */
async function takePicturesOfAll(name: string) {
  const pages = [...contexts].flatMap((context) => context.pages())
  const stem = `test-results/failed/${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}`
  // a page that has crashed has none
  const pictures = pages.map((page, i) => page.screenshot({ path: `${stem}-${i + 1}.png` }).catch(() => undefined))
  await Promise.all(pictures)
}
// called when a test fails: test/fakes/node-environment.js
globalThis.takePictures = takePicturesOfAll

export interface Phone {
  context: BrowserContext
  page: Page
  /** console errors, uncaught exceptions, failed requests and HTTP errors so far; a test may allow some by pattern */
  problems: string[]
}

export interface PhoneOptions {
  width?: number
  height?: number
  dark?: boolean
  /** opens the app for the first time: is asked about agreement and privacy */
  newcomer?: boolean
  /** enables the service worker; off by default, so that tests see every request */
  keeps?: boolean
  /** another browser than Chromium's own */
  userAgent?: string
}

/** Runs on the page: stores that the visitor has answered the first-launch dialog. */
function agreed() {
  // a page without an address has no storage
  if (location.origin === 'null' || localStorage.getItem('gav.app') !== null) return
  localStorage.setItem('gav.app', JSON.stringify({ version: 1, data: { isFirstTimeLaunch: false } }))
}

/**
 * A page counts as open when the app is rendered and the server's first screen, which has the same texts, is removed.
 */
function standsWhenOpen(page: Page) {
  const stands = () => page.waitForFunction(() => document.getElementById('first') === null)
  const { goto, reload, goBack } = {
    goto: page.goto.bind(page),
    reload: page.reload.bind(page),
    goBack: page.goBack.bind(page),
  }
  const standing =
    <A extends unknown[], R>(move: (...how: A) => Promise<R>) =>
    async (...how: A) => {
      const answer = await move(...how)
      await stands()
      return answer
    }
  Object.assign(page, { goto: standing(goto), reload: standing(reload), goBack: standing(goBack) })
}

export async function openPhone(
  browser: Browser,
  { width = 375, height = 812, dark = false, newcomer = false, keeps = false, userAgent }: PhoneOptions = {},
): Promise<Phone> {
  const context = await newContext(browser, {
    viewport: { width, height },
    deviceScaleFactor: SCALE,
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: dark ? 'dark' : 'light',
    serviceWorkers: keeps ? 'allow' : 'block',
    ...(userAgent && { userAgent }),
  })
  if (!newcomer) await context.addInitScript(agreed)
  const page = await context.newPage()
  standsWhenOpen(page)
  const problems: string[] = []
  page.on('console', (m) => m.type() === 'error' && problems.push(`console: ${m.text()}`))
  page.on('pageerror', (e) => problems.push(`exception: ${e.message}`))
  page.on('requestfailed', (r) => {
    const why = r.failure()?.errorText ?? ''
    // leaving a page aborts its requests (spec §7), and closing a frame its navigation: neither is a failure
    if (why === 'net::ERR_ABORTED' && !(r.isNavigationRequest() && r.frame() === page.mainFrame())) return
    problems.push(`failed: ${r.url()} ${why}`)
  })
  page.on('response', (r) => r.status() >= 400 && problems.push(`status ${r.status()}: ${r.url()}`))
  return { context, page, problems }
}

/** How many px the visible page can be scrolled sideways; 0 is right. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
