/** Hands inside the built app: what it showed and when, its own api, a session without the login page. */
import { randomInt } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { login } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import { advanceClock } from '../fakes/shared'
import type { Phone } from './browser'

/** Everything that was on show, with its time (ms since the page was opened), however short. */
export interface PageEvents {
  overlays: { state: string; at: number }[]
  dialogs: string[]
  toasts: string[]
  taps: number[]
}

/** Writes down what appears; call it before the first page is opened. */
export async function watch(context: BrowserContext) {
  await context.addInitScript(() => {
    const seen: PageEvents = { overlays: [], dialogs: [], toasts: [], taps: [] }
    Object.assign(window, { seen })
    addEventListener('click', () => seen.taps.push(performance.now()), true)
    const words = (el: Element) => (el as HTMLElement).innerText.replace(/\s+/g, ' ')
    const look = (el: Element) => {
      if (el.matches('.pf-layer') && !el.matches('.pf-layer--clear')) seen.dialogs.push(words(el))
      if (el.matches('.pf-toast')) seen.toasts.push(words(el))
    }
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        const { state } = (target as HTMLElement).dataset ?? {}
        if (type === 'attributes' && state) seen.overlays.push({ state, at: performance.now() })
        for (const node of addedNodes) if (node instanceof Element) look(node)
      }
    })
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ['data-state'] })
  })
}

export const seen = (page: Page): Promise<PageEvents> =>
  page.evaluate(() => (window as unknown as { seen: PageEvents }).seen)

export interface Outcome {
  data?: unknown
  code?: string | number
  kind?: string
}
interface Call {
  group: string
  name: string
  req?: object
  options?: object
}

/** Asks the app's own api, all calls at once. */
export function ask(page: Page, calls: Call[]): Promise<Outcome[]> {
  return page.evaluate(async (list) => {
    type Rooms = Record<string, Record<string, (req?: object, options?: object) => Promise<unknown>>>
    type Modules = ((id: string) => Record<string, Rooms | undefined>) & { m: Record<string, unknown> }
    const w = window as unknown as { webpackJsonp: { push(chunk: unknown): void }; api?: Rooms }
    if (!w.api) {
      let modules: Modules | undefined
      w.webpackJsonp.push([
        ['inside'],
        {},
        (require: Modules) => {
          modules = require
        },
      ])
      const own = Object.keys(modules?.m ?? {}).filter((id) => String(modules?.m[id]).includes('evaluation.linkVerify'))
      w.api = own.flatMap((id) => Object.values(modules?.(id) ?? {})).find((v) => v?.evaluation?.hotGame)
    }
    const { api } = w
    if (!api) throw new Error('the api is not where it was')
    return Promise.all(
      list.map(({ group, name, req, options }) =>
        (api[group]?.[name]?.(req, options) ?? Promise.reject(new Error(`no call ${group}.${name}`))).then(
          (data) => ({ data }),
          ({ code, kind, message }) => ({ code: code ?? message, kind }),
        ),
      ),
    )
  }, calls)
}

let numbers = randomInt(10_000_000)
/** A number nobody has used: one code a minute and number; other files ask the same server. */
export const nextMobile = () => `1390${String(++numbers % 10_000_000).padStart(7, '0')}`

/** A session as the app stores it, made by a real login. */
export async function newSession(server: RunningServer, mobile = nextMobile()): Promise<string> {
  return JSON.stringify({ version: 1, data: await login(server, mobile) })
}

/** Puts a session into the browser before the app starts. */
export async function signIn(page: Page, server: RunningServer, session?: string) {
  const text = session ?? (await newSession(server))
  // a page without an icon asks for one that is not there
  await page.route('**/healthz', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel=icon href=data:,>' }),
  )
  await page.goto(`${server.url}/healthz`)
  await page.evaluate((value) => localStorage.setItem('gav.session', value), text)
  await page.unroute('**/healthz')
}

/** As a person does it, on the login page. */
export async function logInByHand({ page }: Pick<Phone, 'page'>, server: RunningServer, mobile = nextMobile()) {
  await page.getByLabel('手机号').first().fill(mobile)
  await page.getByText('获取验证码').tap()
  await page.getByText('验证码已发送至').waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.smsCode(mobile))
}

const DAY = 86_400_000

/** Every session made so far is over. */
export const expireSessions = (server: RunningServer) => advanceClock(server, 31 * DAY)
