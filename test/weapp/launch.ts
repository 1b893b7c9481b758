/** Boots the built mini-program in headless Chromium against a real server, and drives it like a thumb would. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from '@swc/core'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { launchOwn } from '../e2e/browser'
import type { ChangeText } from './build'
import { builtFor, dist } from './dist'
import { MiniProgram } from './driver'
import { compile, preparedBundle } from './prepared'
import type { HttpAnswer, HttpRequest, Phone } from './runtime/host'

const WIDTH = 375
const HEIGHT = 812
const ORIGIN = 'http://weapp.test'
/** the made-up site of the pages may ask the server on this machine, which Chromium takes for an attack */
const LOCAL_SERVER = '--disable-features=LocalNetworkAccessChecks'

/** jest and the npm scripts both run in the project's root; a file's own place is not known under every loader */
const here = path.resolve('test/weapp')
const modules = path.resolve('node_modules')
const libraries: Record<string, string> = {
  'glass-easel': 'glass-easel/dist/glass_easel.all.es.js',
  'glass-easel-miniprogram-adapter': 'glass-easel-miniprogram-adapter/dist/glass_easel_miniprogram_adapter.es.js',
}
const imports = Object.fromEntries(Object.keys(libraries).map((name) => [name, `/lib/${name}`]))

const html = `<!doctype html><html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/runtime/frame.css">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script src="/bundle.js"></script><script type="module" src="/runtime/main"></script></head>
<body><div id="pages"></div><div id="overlay"></div><div id="capsule"></div></body></html>`

interface Served {
  type: string
  body: string | Buffer
}

function script(file: string): Served {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  })
  return { type: 'text/javascript', body: code }
}

/** One thing changed in the build: `from` is there, and becomes `to` wherever it stands. */
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

/** Answers the pages, scripts and pictures of the harness's own origin. */
async function files(change?: ChangeText): Promise<(url: string) => Served | undefined> {
  const data = await (change ? compile(WIDTH, change) : preparedBundle(WIDTH))
  const made = new Map<string, Served>([
    ['/', { type: 'text/html', body: html }],
    ['/bundle.js', { type: 'text/javascript', body: data }],
  ])
  return (url) => {
    const name = new URL(url).pathname
    const known = made.get(name)
    if (known) return known
    const found = read(name)
    if (found) made.set(name, found)
    return found
  }
}

function read(name: string): Served | undefined {
  const library = libraries[name.replace('/lib/', '')]
  if (library) return { type: 'text/javascript', body: readFileSync(path.join(modules, library)) }
  const own = path.join(here, name)
  if (existsSync(`${own}.ts`)) return script(`${own}.ts`)
  if (name.endsWith('.css') && existsSync(own)) return { type: 'text/css', body: readFileSync(own) }
  const asset = path.join(dist, name)
  if (!statSync(asset, { throwIfNoEntry: false })?.isFile()) return undefined
  return { type: name.endsWith('.svg') ? 'image/svg+xml' : 'application/octet-stream', body: readFileSync(asset) }
}

/** Fields first, the file last. */
function upload({ name, fields, file }: NonNullable<HttpRequest['form']>): FormData {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.append(key, value)
  data.append(name, new Blob([Buffer.from(file, 'base64')]), 'picture.jpg')
  return data
}

/** Does the mini-program's HTTP: no browser stands between it and the server. */
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
  /** nobody has answered the question of the first launch yet, neither the app's nor WeChat's */
  firstLaunch?: boolean
  /** runs the build with this change: broken, or made with another setting */
  change?: Change
}

async function connect(
  context: BrowserContext,
  page: Page,
  serve: (url: string) => Served | undefined,
  options: Options,
  sent: string[],
) {
  const net = http(() => options.apiBase, sent)
  await page.exposeFunction('hostHttp', net.request)
  await page.exposeFunction('hostAbort', net.abort)
  await context.route(`${ORIGIN}/**`, (route: Route) => {
    const found = serve(route.request().url())
    return found ? route.fulfill({ contentType: found.type, body: found.body }) : route.fulfill({ status: 404 })
  })
  // pictures come over the browser's own network: its cross-origin rules hold wherever the host draws with Chromium
  await context.route(`${builtFor}/**`, (route) =>
    route.continue({ url: route.request().url().replace(builtFor, options.apiBase) }),
  )
}

/** A browser in which mini-programs can be opened, each as a fresh phone. */
export interface Harness {
  open(options: Options): Promise<MiniProgram>
  close(): Promise<void>
}

/** Runs on the page: whose phone it is has answered the question of the first launch. */
function agreed() {
  const value = JSON.stringify({ version: 1, data: { isFirstTimeLaunch: false } })
  if (localStorage.getItem('weapp:app') === null) localStorage.setItem('weapp:app', JSON.stringify(value))
}

async function openIn(browser: Browser, serve: (url: string) => Served | undefined, options: Options) {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    deviceScaleFactor: 2,
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
    domains: [builtFor],
    ...options.phone,
  }
  const mini = new MiniProgram(page, `${ORIGIN}/`, phone)
  await connect(context, page, serve, options, mini.sent)
  await page.exposeFunction('hostLaunch', () => ({ phone: mini.phone, launch: mini.launch }))
  return mini
}

/**
 * @throws Error when there is no build of the mini-program, a compiler refuses it, or there is no Chromium
 */
export async function startHarness(): Promise<Harness> {
  if (!existsSync(path.join(dist, 'app.json'))) throw new Error('dist/weapp is missing: npm run build:weapp')
  const [serve, browser] = await Promise.all([files(), launchOwn([LOCAL_SERVER])])
  return {
    open: async (options) => openIn(browser, options.change ? await files(changed(options.change)) : serve, options),
    close: () => browser.close(),
  }
}

/** Folder of the pictures, made when missing. */
export function pictures(): string {
  const dir = path.resolve('test-results/weapp')
  mkdirSync(dir, { recursive: true })
  return dir
}
