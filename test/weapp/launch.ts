/** Boots the built mini-program in headless Chromium against a real server, and drives it by touch. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launch, newContext, SCALE } from '../e2e/browser'
import type { ChangeText } from './build'
import type { Compiled } from './bundle'
import { compile, preparedBundle } from './compiled-bundle'
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
  /** neither the app's nor WeChat's first-launch dialog has been answered yet */
  firstLaunch?: boolean
  /** runs the build with this change, to break it or to change a setting */
  change?: Change
}

/** The changed build. Only what WeChat's compilers read is compiled again, which takes seconds. */
async function compiledWith(change: Change): Promise<Compiled> {
  if (!change.file.endsWith('.js')) return compile(WIDTH, changed(change))
  const built = await preparedBundle(WIDTH)
  const script = changed(change)(change.file, built.scripts[change.file] ?? '')
  return { ...built, scripts: { ...built.scripts, [change.file]: script } }
}

/** Replacements by the changed build. */
async function serveChanged(page: Page, site: string, change: Change) {
  const names = (await (await fetch(`${site}/names.json`)).json()) as string[]
  for (const [name, body] of Object.entries(partsOf(await compiledWith(change), names)))
    await page.route(site + name, (route) => route.fulfill({ contentType: 'text/javascript', body }))
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

const newPhone = (browser: Browser) =>
  newContext(browser, {
    viewport: { width: WIDTH, height: HEIGHT },
    deviceScaleFactor: SCALE,
    hasTouch: true,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })

async function openIn(context: BrowserContext, site: string, options: Options, put: (used: BrowserContext) => void) {
  const page = await context.newPage()
  if (!options.firstLaunch) await page.addInitScript(agreed)
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
  const mini = new MiniProgram(page, site, phone, () => put(context))
  const net = http(() => options.apiBase, mini.sent)
  await page.exposeFunction('hostHttp', net.request)
  await page.exposeFunction('hostAbort', net.abort)
  const pictures = { builtFor, at: options.apiBase }
  await page.exposeFunction('hostLaunch', () => ({ phone: mini.phone, launch: mini.launch, pictures }))
  if (options.change) await serveChanged(page, site, options.change)
  return mini
}

/**
 * Uses the site of this run (shared-setup.ts), or starts one if there is none.
 * @throws Error when there is no build of the mini-program, a compiler refuses it, or there is no Chromium
 */
export async function startHarness(): Promise<Harness> {
  const browser = await launch()
  const shared = process.env[siteVariable]
  const own = shared ? undefined : await startSite(browser)
  const site = shared ?? own?.url ?? ''
  // a phone that was closed leaves what Chromium has compiled to the next one, and nothing else
  const unused: BrowserContext[] = []
  return {
    open: async (options) =>
      openIn(unused.pop() ?? (await newPhone(browser)), site, options, (used) => unused.push(used)),
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
