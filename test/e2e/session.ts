/** Access to the built app from outside: its api, sessions without the login page. */
import type { Page } from 'playwright-core'
import { login } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import type { Phone } from './browser'

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

/** Calls the app's api, all calls in parallel. */
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

/** Files that share a server run one after another, and none takes ten numbers a second: their ranges do not overlap. */
let numbers = Math.floor(Date.now() / 100)
/** An unused number: a number gets one code a minute, and test files share a server. */
export const nextMobile = () => `1390${String(++numbers % 10_000_000).padStart(7, '0')}`

/** A session as the app stores it, made by a real login. */
export async function newSession(server: RunningServer, mobile = nextMobile()): Promise<string> {
  return JSON.stringify({ version: 1, data: await login(server, mobile) })
}

/** Puts a session into the browser before the app starts. */
export async function signIn(page: Page, server: RunningServer, session?: string) {
  const text = session ?? (await newSession(server))
  // a page without an icon link requests /favicon.ico, which does not exist
  await page.route('**/healthz', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel=icon href=data:,>' }),
  )
  await page.goto(`${server.url}/healthz`)
  await page.evaluate((value) => localStorage.setItem('gav.session', value), text)
  await page.unroute('**/healthz')
}

/** Logs in through the login page. */
export async function logInByHand({ page }: Pick<Phone, 'page'>, server: RunningServer, mobile = nextMobile()) {
  await page.getByLabel('手机号').first().fill(mobile)
  await page.getByText('获取验证码').tap()
  await page.getByText('验证码已发送至').waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.smsCode(mobile))
}
