/** The interface between the browser and the driver in Node, in both directions. */
import type { Bundle } from '../bundle'
import type { Code } from './modules'

/** How the phone behaves; the driver changes it between steps. */
export interface Phone {
  online: boolean
  /** answer of `wx.login`, `*` becomes another number each time; undefined: it fails */
  loginCode: string | undefined
  /** answer of the phone-number button, `*` as above; undefined: the user refuses */
  phoneCode: string | undefined
  /** pictures (base64) the user chooses; undefined: the choice is cancelled */
  album: string[] | undefined
  /** whether the privacy agreement in WeChat's console names the album */
  privacyDeclared: boolean
  /** whether WeChat may use album and camera */
  albumAllowed: boolean
  /** whether the user agreed to the privacy guide; until then WeChat delays guarded functions and notifies the app */
  privacyAgreed: boolean
  /** templates of one-time messages in the console: `ask` asks the user; `reject`, `ban`: answered so without asking */
  templates: Record<string, 'ask' | 'reject' | 'ban'>
  /** whether the app's messages are enabled in WeChat's settings */
  messages: boolean
  /** whether there is an ad to show */
  ad: boolean
  /** URL that receives purchases through Apple; undefined: none on this phone */
  apple: string | undefined
  /** what WeChat fetched before the launch (数据预拉取), and ms ago; undefined: nothing, as without the setting */
  prefetched: { text: string; age: number } | undefined
  /** origins `wx.request` may call, as registered for the mini-program */
  domains: string[]
}

export interface Launch {
  path: string
  query: Record<string, string>
  scene: number
}

/** Maps URLs of pictures from the origin the app was built for to the test's server. */
export interface Pictures {
  builtFor: string
  at: string
}

export interface HttpRequest {
  id: number
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** an upload instead of `body`; the file in base64 */
  form?: { name: string; fields: Record<string, string>; file: string }
  timeoutMs: number
}

export type HttpAnswer =
  | { ok: true; status: number; headers: Record<string, string>; text: string }
  | { ok: false; reason: 'timeout' | 'abort' | 'network'; text: string }

/** setData since the last reset. */
export interface Counters {
  calls: number
  bytes: number
}

/** A page as data and as what was drawn of it. */
export interface Drawn {
  path: string
  data: object
  text: string
}

/** A page as shared with a friend. */
export interface Shared {
  title: string
  path: string
  query: Record<string, string>
  imageUrl: string | undefined
}

/** Interface of the page to the driver. */
interface Probe {
  phone: Phone
  problems: string[]
  toasts: string[]
  clipboard(): string
  title(): string
  stack(): { path: string; query: Record<string, string> }[]
  counters: Counters
  resetCounters(): void
  /** ms since the app last did something (setData, request, navigation); 0 while a request is under way */
  quietFor(): number
  /** restarts the wait for idleness, because an action follows */
  active(): void
  navigateTo(url: string): void
  back(): void
  /** data of the page on show and all its text, but that of rich texts and web views */
  drawn(): Drawn
  /** what the current page shares, from its own button or WeChat's menu */
  share(from: 'button' | 'menu'): void
  shared: Shared[]
  /** calls a function of `wx` by name, as the app would */
  wx(name: string, options?: object): unknown
  pullDown(): void
  background(): void
  foreground(): void
  /** the running app is opened by another link */
  reopen(path: string, query: Record<string, string>): void
  /** WeChat has downloaded a newer version of the app */
  updateReady(): void
  booted: boolean
}

type Templates = Record<string, (name: string) => never>

declare global {
  interface Window {
    hostBundle: Bundle
    hostCode: Code
    hostTemplates: Templates
    probe: Probe
    hostLaunch(): Promise<{ phone: Phone; launch: Launch; pictures: Pictures }>
    hostHttp(request: HttpRequest): Promise<HttpAnswer>
    hostAbort(id: number): Promise<void>
  }
}
