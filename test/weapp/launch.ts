/** Boots the built mini-program in headless Chromium against a real server, and drives it by touch. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchOwn, SCALE } from '../e2e/browser'
import type { ChangeText } from './build'
import { compile } from './compiled-bundle'
import { builtFor } from './dist'
import { MiniProgram } from './driver'
import { partsOf, siteVariable, startSite, WIDTH } from './harness-server'
import type { HttpAnswer, HttpRequest, Phone } from './runtime/host'

const HEIGHT = 812

/** A change to the build: replaces `from`, which must occur, by `to` everywhere. */
export interface Change {
  file: string
  from: string
  to: string
}

function changed({ file, from, to }: Change): ChangeText {
  return (name, text) => {
    if (name !== file) return text
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    return text.replaceAll(from, to)
  }
}

/** Fields first, the file last. */
function upload({ name, fields, file }: NonNullable<HttpRequest['form']>): FormData {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.append(key, value)
  data.append(name, new Blob([Buffer.from(file, 'base64')]), 'picture.jpg')
  return data
}

/** Does the mini-program's HTTP: there is no browser between it and the server. */
function http(apiBase: () => string, sent: string[]) {
  const running = new Map<number, AbortController>()
  return {
    abort: (id: number) => running.get(id)?.abort('abort'),
    async request({ id, method, url, headers, body, form, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
      sent.push(url)
      const control = new AbortController()
      running.set(id, control)
      const timer = setTimeout(() => control.abort('timeout'), timeoutMs)
      try {
        const target = url.replace(builtFor, apiBase())
        const r = await fetch(target, { method, headers, body: form ? upload(form) : body, signal: control.signal })
        return { ok: true, status: r.status, headers: Object.fromEntries(r.headers), text: await r.text() }
      } catch (error) {
        const reason = control.signal.aborted ? control.signal.reason : 'network'
        return { ok: false, reason, text: String(error) }
      } finally {
        clearTimeout(timer)
        running.delete(id)
      }
    },
  }
}

interface Options {
  /** `http://127.0.0.1:<port>` of the server under test */
  apiBase: string
  phone?: Partial<Phone>
  dark?: boolean
  /** neither the app's nor WeChat's first-launch dialog has been answered yet */
  firstLaunch?: boolean
  /** runs the build with this change, to break it or to change a setting */
  change?: Change
}

/** Replacements by the changed build. */
async function serveChanged(context: BrowserContext, site: string, change: Change) {
  const names = (await (await fetch(`${site}/names.json`)).json()) as string[]
  for (const [name, body] of Object.entries(partsOf(await compile(WIDTH, changed(change)), names)))
    await context.route(site + name, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

/** A browser in which mini-programs can be opened, each as a fresh phone. */
export interface Harness {
  open(options: Options): Promise<MiniProgram>
  close(): Promise<void>
}

/** Runs on the page: stores that the first-launch dialog has been answered. */
function agreed() {
  const value = JSON.stringify({ version: 1, data: { isFirstTimeLaunch: false } })
  if (localStorage.getItem('weapp:app') === null) localStorage.setItem('weapp:app', JSON.stringify(value))
}

async function openIn(browser: Browser, site: string, options: Options) {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    deviceScaleFactor: SCALE,
    hasTouch: true,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: options.dark ? 'dark' : 'light',
  })
  if (!options.firstLaunch) await context.addInitScript(agreed)
  const page = await context.newPage()
  const phone: Phone = {
    online: true,
    loginCode: 'code-from-wechat',
    phoneCode: 'phone-code-from-wechat',
    album: undefined,
    privacyDeclared: true,
    albumAllowed: true,
    privacyAgreed: !options.firstLaunch,
    templates: {},
    messages: true,
    ad: true,
    apple: undefined,
    prefetched: undefined,
    domains: [builtFor],
    ...options.phone,
  }
  const mini = new MiniProgram(page, `${site}/`, phone)
  const net = http(() => options.apiBase, mini.sent)
  await page.exposeFunction('hostHttp', net.request)
  await page.exposeFunction('hostAbort', net.abort)
  const pictures = { builtFor, at: options.apiBase }
  await page.exposeFunction('hostLaunch', () => ({ phone: mini.phone, launch: mini.launch, pictures }))
  if (options.change) await serveChanged(context, site, options.change)
  return mini
}

/**
 * Uses the site of this run (shared-setup.ts), or starts one if there is none.
 * @throws Error when there is no build of the mini-program, a compiler refuses it, or there is no Chromium
 */
export async function startHarness(): Promise<Harness> {
  const browser = await launchOwn()
  const shared = process.env[siteVariable]
  const own = shared ? undefined : await startSite(browser)
  const site = shared ?? own?.url ?? ''
  return {
    open: (options) => openIn(browser, site, options),
    async close() {
      await browser.close()
      await own?.close()
    },
  }
}

/** Folder of the pictures, made when missing. */
export function pictures(): string {
  const dir = path.resolve('test-results/weapp')
  mkdirSync(dir, { recursive: true })
  return dir
}
